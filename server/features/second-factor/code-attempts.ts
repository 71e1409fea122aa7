/**
 * Limits how fast codes can be tried. Six digits allow few codes, so the attempts of an account are processed one after
 * another and slow down.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#server/base/app-error.ts';
import type { FailedAttempts } from '#server/access/sign-in/failed-attempts.ts';

/** Number of wrong codes without a delay, for typing errors. */
const FORGIVEN = 3;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
const MEMORY_SECONDS = 60 * 60;
/** Maximum number of waiting attempts per account, on each server. */
const MAX_WAITING_ATTEMPTS = 5;

export interface CodeAttempts {
  /**
   * Checks a code of the account after earlier attempts and after a delay that grows with failures. `work` returns
   * whether the code was correct. Only people who know the password get here, and nobody is ever locked out. Throws an
   * AppError 429 if too many attempts are waiting.
   */
  check(account: string, work: () => Promise<boolean>): Promise<boolean>;
}

interface Clock {
  sleep(milliseconds: number): Promise<unknown>;
}

interface Line {
  last: Promise<unknown>;
  waiting: number;
}

const CLOCK: Clock = { sleep: (milliseconds) => pause(milliseconds) };

export function createCodeAttempts(failures: FailedAttempts, clock: Clock = CLOCK): CodeAttempts {
  const lines = new Map<string, Line>();

  async function attempt(account: string, work: () => Promise<boolean>): Promise<boolean> {
    const key = `code ${account}`;
    // Counted before the check. Otherwise concurrent attempts on several servers would all see the same count.
    const excess = (await failures.add(key, MEMORY_SECONDS)) - 1 - FORGIVEN;
    if (excess >= 0) await clock.sleep(Math.min(FIRST_WAIT_MS * 2 ** Math.min(excess, 20), MAX_WAIT_MS));
    const isRight = await work();
    if (isRight) await failures.forget(key);
    return isRight;
  }

  return {
    check: async (account, work) => {
      const line = lines.get(account) ?? { last: Promise.resolve(), waiting: 0 };
      if (line.waiting >= MAX_WAITING_ATTEMPTS) {
        throw new AppError('invalid_grant', 429, 'Too many attempts. Please wait a moment and try again.');
      }
      line.waiting++;
      lines.set(account, line);
      const result = line.last.then(() => attempt(account, work));
      line.last = result.catch(() => undefined);
      try {
        return await result;
      } finally {
        line.waiting--;
        if (line.waiting === 0) lines.delete(account);
      }
    },
  };
}
