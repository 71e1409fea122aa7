import type { Dialect } from './dialect/types.ts';

/**
 * Returns why the database is currently unavailable according to an error: it cannot be reached, or it is full. Null
 * for other errors.
 */
export function outageOf(dialect: Pick<Dialect, 'classify'>, error: unknown): 'away' | 'full' | null {
  const { fault } = dialect.classify(error);
  return fault === 'connection' ? 'away' : fault === 'full' ? 'full' : null;
}

/**
 * Returns the driver's message about an outage. If a host has several addresses, Node combines their errors into one
 * without a message.
 */
export function outageReason(error: unknown): string {
  const { message = '', code = '', errors = [] } = error as { message?: string; code?: string; errors?: Error[] };
  return message || errors.map((each) => each.message).join(', ') || code;
}
