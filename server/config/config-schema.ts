import { Type } from 'typebox';
import type { Static } from 'typebox';
import { APPEARANCE_SETTINGS } from './appearance-settings.ts';
import { DELIVERY_SETTINGS } from './delivery-settings.ts';
import { MAIL_SETTINGS } from './mail-settings.ts';
import { SECURITY_LOG_SETTINGS } from './security-log-settings.ts';
import { RUN_SETTINGS } from './run-settings.ts';
import { MONITORING_SETTINGS } from './monitoring-settings.ts';
import { SIGN_IN_SETTINGS } from './sign-in-settings.ts';
import { NamedConnections } from './connection-settings.ts';

/**
 * All settings. Each is a field of the configuration file and, in upper case after RUNSHEET_, an environment variable
 * (dataDir is RUNSHEET_DATA_DIR). `description` and `values` are used for docs/configuration.md. `secret` settings are
 * never shown, and can be read from a file.
 */
export const ConfigSchema = Type.Object(
  {
    dataDir: Type.String({
      default: './data',
      minLength: 1,
      values: 'a path',
      group: 'Server',
      description:
        'Folder of everything that is kept: the embedded database and the stored files. A relative path begins where the server is started.',
    }),
    host: Type.String({
      default: '127.0.0.1',
      minLength: 1,
      values: 'an address or name of this machine',
      group: 'Server',
      description: 'Address the server listens on. 0.0.0.0 or :: makes it reachable from other machines.',
    }),
    port: Type.Integer({
      default: 8080,
      minimum: 0,
      maximum: 65_535,
      group: 'Server',
      description: 'Port the server listens on. 0 takes any free one, which the start prints.',
    }),
    basePath: Type.String({
      default: '/',
      values: 'a path such as /runsheet',
      group: 'Server',
      description: 'Path below which the server answers, where a reverse proxy gives it only a part of an address.',
    }),
    publicUrl: Type.String({
      default: '',
      values: 'a URL beginning with http:// or https://, or nothing',
      group: 'Server',
      description:
        'Address under which people reach the server, for links that it sends. Empty: that of the request; links to set passwords are then not sent.',
    }),
    trustedProxies: Type.Array(Type.String(), {
      default: [],
      values: 'IP addresses or ranges such as 10.0.0.0/8, separated by commas',
      group: 'Server',
      description:
        "Reverse proxies whose word for the client's address and protocol (X-Forwarded-For, -Proto, -Host) is taken.",
    }),
    callsPerMinute: Type.Integer({
      default: 12_000,
      minimum: 10,
      maximum: 1_000_000,
      group: 'Server',
      description: 'Calls that one address may make in a minute; more are refused until it is over.',
    }),
    role: Type.Union([Type.Literal('both'), Type.Literal('api'), Type.Literal('worker')], {
      default: 'both',
      group: 'Server',
      description:
        'What this process does: answer requests (api), carry out runs (worker), or both. The embedded database knows only both.',
    }),
    logLevel: Type.Union(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => Type.Literal(level)),
      {
        default: 'info',
        group: 'Server',
        description: 'Least weight of what is written to the log, which goes to stdout.',
      },
    ),
    timeZone: Type.String({
      default: 'UTC',
      values: 'a name such as Europe/Berlin',
      group: 'Server',
      description: 'Time zone of schedules and days, in which workbooks see the current date and time.',
    }),
    databaseUrl: Type.String({
      default: '',
      secret: true,
      values: 'postgres://user:password@host:5432/name or mssql://user:password@host:1433/name, or nothing',
      group: 'Database',
      description:
        'Database shared by all servers of an installation. Empty: the PostgreSQL that comes with the program, in the data folder. ' +
        'What else the URL of a SQL Server may say, and how to prepare one, is in administration.md.',
    }),
    databasePoolSize: Type.Integer({
      default: 10,
      minimum: 2,
      maximum: 50,
      group: 'Database',
      description: 'Most connections to the database that this process holds at once.',
    }),
    connections: Type.Unsafe<NamedConnections>({
      ...NamedConnections,
      default: {},
      secret: true,
      json: true,
      values: 'a JSON object of connections by name, see administration.md',
      group: 'Database',
      description:
        'Databases that workbooks may use by name: in pickers that ask a database, in steps, and for stored procedures.',
    }),
    ...SIGN_IN_SETTINGS,
    s3Bucket: Type.String({
      default: '',
      values: 'the name of a bucket, or nothing',
      group: 'Files',
      description:
        'Bucket of an S3-compatible store in which all files lie. Empty: the folder files of the data folder, which several servers can share on a common volume.',
    }),
    s3Endpoint: Type.String({
      default: '',
      values: 'a URL beginning with http:// or https://, or nothing',
      group: 'Files',
      description: 'Address of the store. Empty: that of AWS for the region.',
    }),
    s3Region: Type.String({
      default: 'us-east-1',
      minLength: 1,
      values: 'the name of a region',
      group: 'Files',
      description: 'Region of the bucket. Most stores outside of AWS take any.',
    }),
    s3Prefix: Type.String({
      default: '',
      maxLength: 500,
      values: 'a path such as runsheet/production, or nothing',
      group: 'Files',
      description: 'What the names of all files in the bucket begin with, so that others can use it too.',
    }),
    s3PathStyle: Type.Boolean({
      default: false,
      group: 'Files',
      description: 'Whether the bucket stands in the path of addresses instead of before the name of the host.',
    }),
    s3AccessKeyId: Type.String({
      default: '',
      secret: true,
      values: 'an access key, or nothing',
      group: 'Files',
      description:
        "Access key of the store. Empty: the AWS_ variables of the environment, the AWS files of the server's user, or the role of the machine.",
    }),
    s3SecretAccessKey: Type.String({
      default: '',
      secret: true,
      values: 'the secret that belongs to the access key, or nothing',
      group: 'Files',
      description: 'Secret of the access key.',
    }),
    staticFolders: Type.Array(Type.String({ minLength: 3 }), {
      default: [],
      values: 'names with their absolute paths such as Rates=/srv/rates, separated by commas',
      group: 'Files',
      description:
        'Folders whose files the Import steps of activities may read, and never change, under names of up to 60 characters. Every server that carries out runs has to see them.',
    }),
    signInFile: Type.String({
      default: '',
      values: 'a path, or nothing',
      group: 'Sign-in',
      description:
        'JSON file with directories (LDAP, Active Directory) and identity providers (SAML2, OpenID Connect), as docs/sign-in.md explains. Empty: only users whose passwords are kept here.',
    }),
    maxUploadMb: Type.Integer({
      default: 100,
      minimum: 1,
      maximum: 10_240,
      group: 'Runs',
      description: 'Largest file that may be uploaded, in MB of 1,048,576 bytes.',
    }),
    workerMemoryBudget: Type.Number({
      default: 100,
      minimum: 0,
      maximum: 1_000_000_000,
      group: 'Runs',
      description:
        'What the memory costs of the runs that a worker carries out at once may add up to, in the unit of the activities.',
    }),
    workerThreads: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 256,
      group: 'Runs',
      description:
        'Threads that calculate runs. 0: one for each processor but one, and at least one. One of several is left to short runs; beside a single one a second thread starts for them. Two more inspect uploaded workbooks.',
    }),
    ...RUN_SETTINGS,
    threadMemoryMb: Type.Integer({
      default: 1024,
      minimum: 64,
      maximum: 65_536,
      group: 'Runs',
      description: 'Memory that one thread may take, in MB. A run that needs more is ended.',
    }),
    libreOffice: Type.String({
      default: '',
      values: 'a path, off, or nothing',
      group: 'Runs',
      description:
        'LibreOffice as a second engine for workbooks in which our own differs from Excel: its program, its start script or its folder. Empty: looked for in the PATH and where it usually is. off: not used, for PDF files neither.',
    }),
    runTimeLimitSeconds: Type.Integer({
      default: 3600,
      minimum: 1,
      maximum: 604_800,
      group: 'Runs',
      description: 'A run that takes longer than this is ended.',
    }),
    leaseSeconds: Type.Integer({
      default: 30,
      minimum: 2,
      maximum: 3600,
      group: 'Runs',
      description:
        'How long a worker holds a run without renewing its claim. One that died is noticed within three times this.',
    }),
    schemas: Type.Array(Type.String({ minLength: 1, maxLength: 30 }), {
      default: [],
      values: 'names of at most 30 characters, separated by commas',
      group: 'Runs',
      description:
        'Schemas that activities may belong to, besides General and Samples. Each start makes those that are missing. Administrators make, name, order and delete others on a page.',
    }),
    samples: Type.Boolean({
      default: true,
      group: 'Runs',
      description:
        'Whether the first start publishes the sample activities, and the embedded database has a sample database beside it.',
    }),
    licenseVendorKey: Type.String({
      default: '',
      values: 'a public Ed25519 key, as PEM or the base64 of its DER, or nothing',
      group: 'Runs',
      description:
        'With it, runs are carried out only under a licence whose key the vendor signed. Empty: the portal needs none, and nothing is limited.',
    }),
    ...MAIL_SETTINGS,
    ...DELIVERY_SETTINGS,
    ...APPEARANCE_SETTINGS,
    ...SECURITY_LOG_SETTINGS,
    ...MONITORING_SETTINGS,
  },
  { additionalProperties: false },
);

type Fields = Static<typeof ConfigSchema>;

/**
 * The settings as used by the program: validated, with defaults, `dataDir` absolute and `basePath` with a slash at both
 * ends.
 */
export type Config = Readonly<Fields>;

export type ConfigField = keyof Fields;

/** The annotations of a setting's schema. */
export interface SettingSchema {
  type?: string;
  anyOf?: { const: string }[];
  minimum?: number;
  maximum?: number;
  default: string | number | boolean | string[] | object;
  description: string;
  group: string;
  values?: string;
  secret?: boolean;
  /** True if written as JSON. */
  json?: boolean;
}

export interface Setting {
  field: ConfigField;
  /** Name of the environment variable. */
  variable: string;
  schema: SettingSchema;
}

export const SETTINGS: readonly Setting[] = Object.entries(ConfigSchema.properties).map(([field, schema]) => ({
  field: field as ConfigField,
  variable: `RUNSHEET_${field.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
  schema: schema as unknown as SettingSchema,
}));

/** Describes the format of a setting's values for people. */
export function valuesOf({ values, type, anyOf, minimum, maximum }: SettingSchema): string {
  if (values) return values;
  if (anyOf) return `one of ${anyOf.map((choice) => choice.const).join(', ')}`;
  if (type === 'boolean') return 'true or false';
  return `${type === 'integer' ? 'a whole number' : 'a number'} from ${minimum} to ${maximum}`;
}
