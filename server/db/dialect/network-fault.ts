import type { DatabaseFault } from './types.ts';

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  // No connection can be made while the process has as many files open as it may.
  'EMFILE',
  'ENFILE',
]);

/** What pg, tedious and Knex's pool say of a connection that broke or could not be made; they give it no code. */
const LOST_CONNECTION =
  /Connection terminated|connection is closed|Connection ended unexpectedly|not queryable|Client has encountered a connection error|Connection lost|Timeout acquiring a connection|timeout expired/i;

/** Reads what a driver threw. An error of the file system, which names a path, says nothing about the database: a socket has an address instead. */
export function networkFault(error: unknown): DatabaseFault {
  const { code = '', message = '', path } = (error ?? {}) as { code?: string; message?: string; path?: unknown };
  if (path !== undefined) return 'other';
  return NETWORK_CODES.has(code) || LOST_CONNECTION.test(message) ? 'connection' : 'other';
}
