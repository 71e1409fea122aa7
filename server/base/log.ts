import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

/** What parts of the program need of a log; pino and Fastify's request.log both fit. */
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

/** Fields of errors of PostgreSQL that quote values of rows and parameters. Source: its manual, "Error and Notice Message Fields". */
const ROW_FIELDS = ['detail', 'hint', 'where'];

/** pino's paths have no "at any depth": the three depths at which requests, settings and errors carry their fields. */
const REDACTED_PATHS = [...SECRET_FIELDS, ...ROW_FIELDS]
  .flatMap((field) => [field, `*.${field}`, `*.*.${field}`])
  .concat(
    // Several errors of one statement.
    ROW_FIELDS.map((field) => `err.aggregateErrors[*].${field}`),
    'req.headers["x-api-key"]',
    'res.headers["set-cookie"]',
    'headers["set-cookie"]',
  );

export interface LogOptions {
  level: string;
  /** Where lines go; stdout by default. */
  destination?: DestinationStream;
}

/** The program's log: one JSON object a line, secrets replaced by '[secret]'. */
export function createLog({ level, destination }: LogOptions): Logger {
  const options = {
    level,
    redact: { paths: REDACTED_PATHS, censor: '[secret]' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, destination ?? standardOutput());
}

/** Of lines that cannot be written, so many bytes are kept until they can; more are dropped. */
const MOST_KEPT_BYTES = 16 * 1024 * 1024;

/** A log that cannot be written, as its disk is full, is no reason to end, nor to take ever more memory. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: process.stdout.fd, sync: true, maxLength: MOST_KEPT_BYTES });
  output.on('error', () => {});
  return output;
}
