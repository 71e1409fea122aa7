import type { Dialect } from './dialect/types.ts';

/** Why the database takes nothing at present, where an error says that: it cannot be reached, or has no room left. */
export function outageOf(dialect: Pick<Dialect, 'classify'>, error: unknown): 'away' | 'full' | null {
  const { fault } = dialect.classify(error);
  return fault === 'connection' ? 'away' : fault === 'full' ? 'full' : null;
}

/** What a driver says of an outage. Node gives an error that stands for several, one for each address of a host, no message. */
export function outageReason(error: unknown): string {
  const { message = '', code = '', errors = [] } = error as { message?: string; code?: string; errors?: Error[] };
  return message || errors.map((each) => each.message).join(', ') || code;
}
