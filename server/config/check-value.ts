import { isIP } from 'node:net';
import { arePluginPages, isBetaAddress } from './appearance-settings.ts';
import { readTraceHeaders } from './monitoring-settings.ts';
import { readSyslogAddress } from './security-log-settings.ts';
import { areStaticFolders } from './static-folders.ts';
import { singleAddress } from '#server/mail/mail-addresses.ts';
import type { Config, ConfigField } from './config-schema.ts';

/** Checks a value of the right type for problems that the schema cannot express. */
export function checkValue(field: ConfigField, value: unknown): boolean {
  return CHECKS[field]?.(value) ?? true;
}

const CHECKS: Partial<Record<ConfigField, (value: unknown) => boolean>> = {
  basePath: (value) => /^(\/[A-Za-z0-9._~-]+)*\/?$/.test(String(value)) && String(value) !== '',
  publicUrl: (value) => value === '' || isUrl(String(value), ['http:', 'https:']),
  s3Endpoint: (value) => value === '' || isUrl(String(value), ['http:', 'https:']),
  staticFolders: (value) => areStaticFolders(value as string[]),
  databaseUrl: (value) => value === '' || isUrl(String(value), ['postgres:', 'postgresql:', 'mssql:']),
  timeZone: (value) => isTimeZone(String(value)),
  trustedProxies: (value) => (value as string[]).every(isAddressRange),
  trustedNetworks: (value) => (value as string[]).every(isAddressRange),
  webhookPrivateAddresses: (value) => (value as string[]).every(isAddressRange),
  // A name and password in the URL would be logged; use the headers for them.
  tracesUrl: (value) =>
    value === '' || (isUrl(String(value), ['http:', 'https:']) && new URL(String(value)).username === ''),
  tracesHeaders: (value) => readTraceHeaders(String(value)) !== null,
  metricsToken: (value) => value === '' || String(value).length >= 16,
  secretKey: (value) => value === '' || String(value).length >= 32,
  betaUrl: (value) => isBetaAddress(String(value)),
  pluginPages: arePluginPages,
  securityLogUrl: (value) => value === '' || readSyslogAddress(String(value)) !== null,
  smtpHost: (value) => !/[\s/:]/.test(String(value)) || isIP(String(value)) !== 0,
  mailFrom: (value) => value === '' || singleAddress(String(value)) !== null,
  mailDomains: (value) => (value as string[]).every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(domain)),
};

/** Returns problems of settings that are valid individually but do not fit together. */
export function checkCombinedSettings(config: Config): string[] {
  const { smtpHost, smtpSecurity, smtpUser, smtpPassword, mailFrom, assistants, publicUrl } = config;
  const problems: string[] = [];
  if (smtpHost !== '' && mailFrom === '')
    problems.push('RUNSHEET_SMTP_HOST needs RUNSHEET_MAIL_FROM, the sender of mails');
  if ((smtpUser === '') !== (smtpPassword === ''))
    problems.push('RUNSHEET_SMTP_USER and RUNSHEET_SMTP_PASSWORD belong together: set both, or neither');
  if (smtpUser !== '' && smtpSecurity === 'none')
    problems.push('RUNSHEET_SMTP_SECURITY=none would send the password unencrypted: use starttls or tls');
  if (assistants === 'signIn' && publicUrl === '')
    problems.push('RUNSHEET_ASSISTANTS=signIn needs RUNSHEET_PUBLIC_URL, the address for which grants are valid');
  return problems;
}

function isUrl(text: string, protocols: string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
