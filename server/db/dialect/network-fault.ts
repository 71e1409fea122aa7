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
  // No connection can be made because the process has reached its limit of open files.
  'EMFILE',
  'ENFILE',
]);

/**
 * Messages of pg, tedious and Knex's pool about a connection that was lost or could not be made. These errors have no
 * code.
 */
const LOST_CONNECTION =
  /Connection terminated|connection is closed|Connection ended unexpectedly|not queryable|Client has encountered a connection error|Connection lost|Timeout acquiring a connection|timeout expired/i;

/**
 * Classifies an error thrown by a driver. An error of the file system, which has a path, says nothing about the
 * database: socket errors have an address instead.
 */
export function networkFault(error: unknown): DatabaseFault {
  const { code = '', message = '', path } = (error ?? {}) as { code?: string; message?: string; path?: unknown };
  if (path !== undefined) return 'other';
  return NETWORK_CODES.has(code) || LOST_CONNECTION.test(message) ? 'connection' : 'other';
}
