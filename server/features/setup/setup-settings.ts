/** The settings that the page Setup shows with each part. */
import type { SetupKey, SetupSetting } from '#shared/contract/setup.ts';
import { SETTINGS, type Config, type ConfigField, type Setting } from '#server/config/config-schema.ts';

/** Most important first. */
const FIELDS: Readonly<Record<SetupKey, readonly ConfigField[]>> = {
  mail: ['smtpHost', 'smtpPort', 'smtpSecurity', 'smtpUser', 'smtpPassword', 'mailFrom'],
  signIn: ['signInFile', 'requireSecondFactor', 'trustedNetworks'],
  address: ['publicUrl', 'trustedProxies', 'basePath', 'host', 'port'],
  backup: [],
  files: ['dataDir', 's3Bucket', 's3Endpoint', 's3Region', 's3Prefix', 's3AccessKeyId', 's3SecretAccessKey'],
  database: ['databaseUrl', 'databasePoolSize'],
  license: ['licenseVendorKey'],
  metrics: ['metricsPort', 'metricsHost', 'metricsToken', 'tracesUrl', 'tracesHeaders'],
  versions: [],
};

const EXAMPLES: Partial<Record<ConfigField, string>> = {
  smtpHost: 'mail.example.com',
  smtpUser: 'runsheet',
  mailFrom: 'runsheet@example.com',
  signInFile: '/etc/runsheet/sign-in.json',
  trustedNetworks: '10.0.0.0/8',
  publicUrl: 'https://runsheet.example.com',
  trustedProxies: '10.0.0.1',
  s3Bucket: 'runsheet',
  s3Endpoint: 'https://s3.example.com',
  s3Prefix: 'production',
  metricsPort: '9464',
  tracesUrl: 'http://collector:4318/v1/traces',
};

export function setupSettings(config: Config, key: SetupKey): SetupSetting[] {
  return FIELDS[key].map((field) => {
    const setting = SETTINGS.find((one) => one.field === field)!;
    return settingOf(config, setting);
  });
}

function settingOf(config: Config, { field, variable, schema }: Setting): SetupSetting {
  const text = textOf(config[field]);
  const IsSet = text !== textOf(schema.default);
  const IsSecret = schema.secret === true;
  const shown = { Variable: variable, Field: field, IsSecret, IsSet };
  // A file keeps a secret out of the environment, which other programs of the machine may read.
  if (IsSecret) return { ...shown, Value: null, Line: `${variable}_FILE=/run/secrets/${variable.toLowerCase()}` };
  const value = IsSet ? text : (EXAMPLES[field] ?? text);
  return { ...shown, Value: text, Line: `${variable}=${value}` };
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));
