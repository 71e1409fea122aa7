/** How fast codes can be tried: six digits are few, so the attempts of an account stand in line and grow slow. */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#server/app-error.ts';

/** Wrong codes that cost nothing: typing errors. */
const FORGIVEN = 3;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const MEMORY_MS = 60 * 60_000;
/** Attempts of one account that may stand in line. */
const MOST_WAITING = 5;

export interface CodeAttempts {
  /**
   * Runs a check of a code of that account after those before it and the wait they have earned; it answers whether the code was right.
   * Only who knows the password comes here, and nobody is ever locked out. Throws an AppError 429 where too many stand in line.
   */
  check(account: string, work: () => Promise<boolean>): Promise<boolean>;
}

interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<unknown>;
}

interface Line {
  last: Promise<unknown>;
  waiting: number;
}

const CLOCK: Clock = { now: () => performance.now(), sleep: (milliseconds) => pause(milliseconds) };

/** Each server counts for itself, in memory. */
export function createCodeAttempts(clock: Clock = CLOCK): CodeAttempts {
  const failures = new Map<string, { count: number; last: number }>();
  const lines = new Map<string, Line>();

  function waitOf(account: string): number {
    const known = failures.get(account);
    if (known && clock.now() - known.last > MEMORY_MS) failures.delete(account);
    const excess = (failures.get(account)?.count ?? 0) - FORGIVEN;
    return excess < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** Math.min(excess, 20), LONGEST_WAIT_MS);
  }

  async function attempt(account: string, work: () => Promise<boolean>): Promise<boolean> {
    const milliseconds = waitOf(account);
    if (milliseconds > 0) await clock.sleep(milliseconds);
    const isRight = await work();
    if (isRight) failures.delete(account);
    else failures.set(account, { count: (failures.get(account)?.count ?? 0) + 1, last: clock.now() });
    return isRight;
  }

  return {
    check: async (account, work) => {
      const line = lines.get(account) ?? { last: Promise.resolve(), waiting: 0 };
      if (line.waiting >= MOST_WAITING) {
        throw new AppError('invalid_grant', 429, 'Too many attempts. Please wait a moment and try again.');
      }
      line.waiting++;
      lines.set(account, line);
      const turn = line.last.then(() => attempt(account, work));
      line.last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        line.waiting--;
        if (line.waiting === 0) lines.delete(account);
      }
    },
  };
}
