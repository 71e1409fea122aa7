import { Type } from 'typebox';
import type { Static } from 'typebox';
import { ASSISTANT_SETTINGS } from './assistant-settings.ts';
import { APPEARANCE_SETTINGS } from './appearance-settings.ts';
import { DELIVERY_SETTINGS } from './delivery-settings.ts';
import { MAIL_SETTINGS } from './mail-settings.ts';
import { SECURITY_LOG_SETTINGS } from './security-log-settings.ts';
import { RUN_SETTINGS } from './run-settings.ts';
import { MONITORING_SETTINGS } from './monitoring-settings.ts';
import { SHARING_SETTINGS } from './sharing-settings.ts';
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
        'Folder for all persistent data: the embedded database and the stored files. A relative path is resolved against the current directory of the server.',
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
      description: 'Port the server listens on. 0: any free port, which the server prints when it starts.',
    }),
    basePath: Type.String({
      default: '/',
      values: 'a path such as /runsheet',
      group: 'Server',
      description: 'Path under which the server answers, if a reverse proxy forwards only a part of an address to it.',
    }),
    publicUrl: Type.String({
      default: '',
      values: 'a URL beginning with http:// or https://, or nothing',
      group: 'Server',
      description:
        'Address at which people reach the server, for the links that it sends. Empty: the address of the request; links for setting passwords are then not sent.',
    }),
    trustedProxies: Type.Array(Type.String(), {
      default: [],
      values: 'IP addresses or ranges such as 10.0.0.0/8, separated by commas',
      group: 'Server',
      description:
        "Reverse proxies whose headers X-Forwarded-For, -Proto and -Host are trusted for the client's address and protocol.",
    }),
    callsPerMinute: Type.Integer({
      default: 12_000,
      minimum: 10,
      maximum: 1_000_000,
      group: 'Server',
      description: 'Calls that one address may make per minute. Further calls are refused until the minute is over.',
    }),
    role: Type.Union([Type.Literal('both'), Type.Literal('api'), Type.Literal('worker')], {
      default: 'both',
      group: 'Server',
      description:
        'What this process does: answer requests (api), execute runs (worker), or both. The embedded database supports only both.',
    }),
    logLevel: Type.Union(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => Type.Literal(level)),
      {
        default: 'info',
        group: 'Server',
        description: 'Lowest level of the messages that are written to the log, which goes to stdout.',
      },
    ),
    timeZone: Type.String({
      default: 'UTC',
      values: 'a name such as Europe/Berlin',
      group: 'Server',
      description: 'Time zone of schedules and calendar days, and of the current date and time in workbooks.',
    }),
    databaseUrl: Type.String({
      default: '',
      secret: true,
      values: 'postgres://user:password@host:5432/name or mssql://user:password@host:1433/name, or nothing',
      group: 'Database',
      description:
        'Database shared by all servers of an installation. Empty: the PostgreSQL that comes with the program, in the data folder. ' +
        'administration.md explains what else the URL of a SQL Server may contain, and how to prepare a SQL Server.',
    }),
    databasePoolSize: Type.Integer({
      default: 10,
      minimum: 2,
      maximum: 50,
      group: 'Database',
      description: 'Maximum number of connections of this process to the database.',
    }),
    connections: Type.Unsafe<NamedConnections>({
      ...NamedConnections,
      default: {},
      secret: true,
      json: true,
      values: 'a JSON object of connections by name, see administration.md',
      group: 'Database',
      description:
        'Databases that workbooks may use by name: in pickers that query a database, in steps, and for stored procedures.',
    }),
    ...SIGN_IN_SETTINGS,
    ...SHARING_SETTINGS,
    ...ASSISTANT_SETTINGS,
    s3Bucket: Type.String({
      default: '',
      values: 'the name of a bucket, or nothing',
      group: 'Files',
      description:
        'Bucket of an S3-compatible store that holds all files. Empty: the folder files in the data folder, which several servers can share on a common volume.',
    }),
    s3Endpoint: Type.String({
      default: '',
      values: 'a URL beginning with http:// or https://, or nothing',
      group: 'Files',
      description: 'Address of the store. Empty: the AWS address of the region.',
    }),
    s3Region: Type.String({
      default: 'us-east-1',
      minLength: 1,
      values: 'the name of a region',
      group: 'Files',
      description: 'Region of the bucket. Most stores other than AWS accept any.',
    }),
    s3Prefix: Type.String({
      default: '',
      maxLength: 500,
      values: 'a path such as runsheet/production, or nothing',
      group: 'Files',
      description: 'Prefix of the names of all files in the bucket, so that others can use the bucket too.',
    }),
    s3PathStyle: Type.Boolean({
      default: false,
      group: 'Files',
      description: 'Whether addresses contain the bucket in the path instead of before the host name.',
    }),
    s3AccessKeyId: Type.String({
      default: '',
      secret: true,
      values: 'an access key, or nothing',
      group: 'Files',
      description:
        "Access key of the store. Empty: the AWS_ environment variables, the AWS files of the server's user, or the role of the machine.",
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
        'Folders, with names of up to 60 characters, whose files the Import steps of activities may read but never change. Every server that executes runs needs access to them.',
    }),
    signInFile: Type.String({
      default: '',
      values: 'a path, or nothing',
      group: 'Sign-in',
      description:
        'JSON file of directories (LDAP, Active Directory) and identity providers (SAML2, OpenID Connect), see docs/sign-in.md. Empty: only users whose passwords are stored in Runsheet.',
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
        'Maximum sum of the memory costs of the runs that a worker executes at the same time, in the unit of the activities.',
    }),
    workerThreads: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 256,
      group: 'Runs',
      description:
        'Threads that calculate runs. 0: one fewer than there are processors, and at least one. If there are several, one is reserved for short runs; if there is only one, a second thread starts for them. Two more threads inspect uploaded workbooks.',
    }),
    ...RUN_SETTINGS,
    threadMemoryMb: Type.Integer({
      default: 1024,
      minimum: 64,
      maximum: 65_536,
      group: 'Runs',
      description: 'Maximum memory of one thread, in MB. A run that needs more is stopped.',
    }),
    libreOffice: Type.String({
      default: '',
      values: 'a path, off, or nothing',
      group: 'Runs',
      description:
        'LibreOffice as a second engine, for workbooks that the built-in engine calculates differently than Excel: path of its program, its start script or its folder. Empty: the server searches the PATH and the usual folders. off: not used, not even for PDF files.',
    }),
    runTimeLimitSeconds: Type.Integer({
      default: 3600,
      minimum: 1,
      maximum: 604_800,
      group: 'Runs',
      description: 'A run that takes longer than this is stopped.',
    }),
    leaseSeconds: Type.Integer({
      default: 30,
      minimum: 2,
      maximum: 3600,
      group: 'Runs',
      description:
        'How long the lease of a worker on a run is valid unless the worker renews it. A worker that died is detected within three times this.',
    }),
    schemas: Type.Array(Type.String({ minLength: 1, maxLength: 30 }), {
      default: [],
      values: 'names of at most 30 characters, separated by commas',
      group: 'Runs',
      description:
        'Schemas that activities may belong to, besides General and Samples. Each start creates the missing ones. Administrators create, name, order and delete others on a page.',
    }),
    samples: Type.Boolean({
      default: true,
      group: 'Runs',
      description:
        'Whether the first start publishes the sample activities, and whether there is a sample database beside the embedded database.',
    }),
    licenseVendorKey: Type.String({
      default: '',
      values: 'a public Ed25519 key, as PEM or the base64 of its DER, or nothing',
      group: 'Runs',
      description:
        'If set, runs are executed only under a licence whose key the vendor signed. Empty: the portal needs no licence, and nothing is limited.',
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
