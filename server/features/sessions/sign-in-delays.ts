/** How fast passwords can be tried. Why so, and what is left to an attacker: docs/decisions/0006-slow-down-never-lock.md. */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#server/base/app-error.ts';
import type { AttemptPace, FailedAttempts } from './failed-attempts.ts';

const MEMORY = 15 * 60;
/** Half a minute for each of the lines that an attempt stands in: less than proxies wait for an answer, all together. */
const LONGEST_WAIT = 24;
const LONGEST_WAIT_OF_ADDRESS = 10;
const SLOWEST = 8;

const free = (count: number): number[] => Array.from({ length: count }, () => 0);
/** One who types wrong, again and again. */
const OF_ONE: AttemptPace = {
  gaps: [...free(3), 0.25, 0.5, 1, 2, 4, SLOWEST],
  longestWait: LONGEST_WAIT,
  memory: MEMORY,
};
/** All together who try one account and were never in it. */
const OF_ACCOUNT: AttemptPace = { gaps: [...free(10), SLOWEST], longestWait: LONGEST_WAIT, memory: MEMORY };
/** Failures of an address with whatever accounts that cost nothing: many people may share one. */
const FREE_OF_ADDRESS = 20;

/** Directories answer within this, but for those that are ill. */
const LEVEL_MS = 1_000;

export interface PasswordAttempt {
  /** The account as the name was typed, whether there is such a one or not. */
  account: string;
  address: string;
  /**
   * What tells who tries from strangers: the session of a call, the cookie of a browser that was in the account before. Such a one stands in
   * line for themselves alone; null for all others.
   */
  device: string | null;
  /** Whether somebody came into the account from that address lately. */
  isKnownAddress: boolean;
}

export interface SignInDelays {
  /**
   * Judges a password when it is its turn: attempts of one who tries, and of all strangers at one account or from one address, come one after the
   * other, on all servers together, slower with each failure. Answers what `judge` does; null is a failure. Throws an AppError 429,
   * having judged nothing, where more wait than can be judged in time.
   */
  inTurn<T>(attempt: PasswordAttempt, judge: () => Promise<T | null>): Promise<T | null>;
  /** Forgets the failures at an account, whose owner has proven themselves otherwise. */
  forgive(account: string): Promise<void>;
  /** Milliseconds of a clock that is only good for levelOut. */
  clock(): number;
  /** Waits until a failed attempt that began then has taken as long as most that ask a directory. */
  levelOut(since: number): Promise<void>;
}

interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<unknown>;
}

export interface SignInDelaysOptions {
  clock?: Clock;
  /** Strangers' attempts of one address that are judged in a minute, after some that cost nothing. */
  signInsPerMinute: number;
  /** Tests whose clock stands still take all attempts. */
  takesAll?: boolean;
}

const CLOCK: Clock = { now: () => performance.now(), sleep: (milliseconds) => pause(milliseconds) };

interface Line {
  key: string;
  pace: AttemptPace;
}

export function createSignInDelays(failures: FailedAttempts, options: SignInDelaysOptions): SignInDelays {
  const { clock = CLOCK, signInsPerMinute, takesAll = false } = options;
  const ofAddress: AttemptPace = {
    gaps: [...free(FREE_OF_ADDRESS), 60 / signInsPerMinute],
    longestWait: LONGEST_WAIT_OF_ADDRESS,
    memory: MEMORY,
  };

  function linesOf({ account, address, device, isKnownAddress }: PasswordAttempt): Line[] {
    if (device !== null) return [{ key: `device ${device} ${account}`, pace: OF_ONE }];
    const own = { key: `account ${account} from ${address}`, pace: OF_ONE };
    if (isKnownAddress) return [own];
    return [own, { key: `address ${address}`, pace: ofAddress }, { key: `account ${account}`, pace: OF_ACCOUNT }];
  }

  async function stand({ key, pace }: Line): Promise<void> {
    const seconds = await failures.reserve(key, takesAll ? { ...pace, longestWait: Infinity } : pace);
    if (seconds === null) {
      throw new AppError('invalid_grant', 429, 'Too many attempts. Please wait a moment and try again.');
    }
    if (seconds > 0) await clock.sleep(seconds * 1000);
  }

  return {
    inTurn: async (attempt, judge) => {
      const lines = linesOf(attempt);
      const [own, ...shared] = lines;
      for (const [index, line] of lines.entries()) {
        try {
          await stand(line);
        } catch (error) {
          // Nothing is judged: that is nobody's failure.
          for (const { key } of lines.slice(0, index)) await failures.takeBack(key);
          throw error;
        }
      }
      const judged = await judge();
      if (judged === null) return null;
      // Others may be at it meanwhile: what they have failed stays counted.
      await failures.forget(own!.key);
      for (const { key } of shared) await failures.takeBack(key);
      return judged;
    },
    forgive: (account) => failures.forget(`account ${account}`),
    clock: () => clock.now(),
    levelOut: async (since) => {
      const milliseconds = LEVEL_MS - (clock.now() - since);
      if (milliseconds > 0) await clock.sleep(milliseconds);
    },
  };
}
