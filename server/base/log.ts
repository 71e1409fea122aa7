import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

/** The log methods that parts of the program need; both pino and Fastify's request.log have them. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'child'>;

const SECRET_FIELDS = [
  'authorization',
  'Authorization',
  'cookie',
  'password',
  'Password',
  'adminPassword',
  'NewPassword',
  'OldPassword',
  'currentPassword',
  'token',
  'access_token',
  'refresh_token',
  'secret',
  'client_secret',
  'key',
  'ApiKey',
  'Key',
  'privateKey',
  'connectionString',
  'databaseUrl',
  'connections',
];

/**
 * Fields of PostgreSQL errors that quote values of rows and parameters. Source: its manual, "Error and Notice Message
 * Fields".
 */
const ROW_FIELDS = ['detail', 'hint', 'where'];

/**
 * pino's paths cannot match at any depth, so these are the three depths at which requests, settings and errors have
 * their fields.
 */
const REDACTED_PATHS = [...SECRET_FIELDS, ...ROW_FIELDS]
  .flatMap((field) => [field, `*.${field}`, `*.*.${field}`])
  .concat(
    // A statement can have several errors.
    ROW_FIELDS.map((field) => `err.aggregateErrors[*].${field}`),
    'req.headers["x-api-key"]',
    'res.headers["set-cookie"]',
    'headers["set-cookie"]',
  );

export interface LogOptions {
  level: string;
  /** Destination of the lines; stdout by default. */
  destination?: DestinationStream;
}

/** Creates the program's log: one JSON object per line, with secrets replaced by '[secret]'. */
export function createLog({ level, destination }: LogOptions): Logger {
  const options = {
    level,
    redact: { paths: REDACTED_PATHS, censor: '[secret]' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, destination ?? standardOutput());
}

/** Maximum number of bytes to buffer while lines cannot be written; further lines are dropped. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/**
 * If the log cannot be written, for example because its disk is full, the process must not end or use ever more memory.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: process.stdout.fd, sync: true, maxLength: MAX_BUFFERED_BYTES });
  output.on('error', () => {});
  return output;
}
