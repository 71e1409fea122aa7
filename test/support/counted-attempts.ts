import { waitAfter, type FailedAttempts } from '#server/access/sign-in/failed-attempts.ts';

/** Counts failed attempts in memory, with a test clock in milliseconds. */
export function countedAttempts(now: () => number = () => 0): FailedAttempts {
  const failures = new Map<string, { Failures: number; last: number }>();
  const known = (key: string, memorySeconds: number) => {
    const found = failures.get(key);
    const age = found ? (now() - found.last) / 1000 : 0;
    return found && age <= memorySeconds ? { Failures: found.Failures, age } : undefined;
  };
  return {
    add: async (key, memorySeconds) => {
      const Failures = (known(key, memorySeconds)?.Failures ?? 0) + 1;
      failures.set(key, { Failures, last: now() });
      return Failures;
    },
    reserve: async (key, pace) => {
      const before = known(key, pace.memory);
      const wait = waitAfter(before, pace);
      if (wait > pace.maxWait) return null;
      failures.set(key, { Failures: (before?.Failures ?? 0) + 1, last: now() + wait * 1000 });
      return wait;
    },
    takeBack: async (key) => {
      const found = failures.get(key);
      if (found) found.Failures -= 1;
    },
    forget: async (key) => void failures.delete(key),
  };
}
