import type { Dialect } from './dialect/types.ts';

/** Why the database takes nothing at present, where an error says that: it cannot be reached, or has no room left. */
export function outageOf(dialect: Pick<Dialect, 'classify'>, error: unknown): 'away' | 'full' | null {
  const { fault } = dialect.classify(error);
  return fault === 'connection' ? 'away' : fault === 'full' ? 'full' : null;
}
