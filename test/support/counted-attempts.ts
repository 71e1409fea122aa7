import type { FailedAttempts } from '#server/features/sessions/failed-attempts.ts';

/** Failed attempts counted in memory, by a clock of the test. */
export function countedAttempts(now: () => number = () => 0): FailedAttempts {
  const failures = new Map<string, { count: number; last: number }>();
  const countOf = (key: string, memorySeconds: number): number => {
    const known = failures.get(key);
    return known && now() - known.last <= memorySeconds * 1000 ? known.count : 0;
  };
  return {
    counts: async (keys, memorySeconds) => keys.map((key) => countOf(key, memorySeconds)),
    add: async (key, memorySeconds) => {
      const count = countOf(key, memorySeconds) + 1;
      failures.set(key, { count, last: now() });
      return count;
    },
    forget: async (key) => void failures.delete(key),
  };
}
