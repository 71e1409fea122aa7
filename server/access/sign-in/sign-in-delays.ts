/**
 * Limits how fast passwords can be tried. Rationale and remaining risks: docs/decisions/0009-sign-in-and-sessions.md.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#server/base/app-error.ts';
import type { AttemptPace, FailedAttempts } from './failed-attempts.ts';

const MEMORY = 15 * 60;
/**
 * Maximum wait per queue, in seconds. An attempt waits in up to three queues; the queue of its address has the shorter
 * limit. In total that is less than proxies wait for a response.
 */
const MAX_WAIT_SECONDS = 24;
const MAX_WAIT_PER_ADDRESS_SECONDS = 10;
const SLOWEST = 8;

const free = (count: number): number[] => Array.from({ length: count }, () => 0);
/** For a single person or browser that keeps entering wrong passwords. */
const OF_ONE: AttemptPace = {
  gaps: [...free(3), 0.25, 0.5, 1, 2, 4, SLOWEST],
  maxWait: MAX_WAIT_SECONDS,
  memory: MEMORY,
};
/** For all strangers together who try one account. */
const OF_ACCOUNT: AttemptPace = { gaps: [...free(10), SLOWEST], maxWait: MAX_WAIT_SECONDS, memory: MEMORY };
/** Number of failures of an address, across all accounts, that cause no delay. Many people may share an address. */
const FREE_OF_ADDRESS = 20;

/** Directories respond within this time unless they have problems. */
const LEVEL_MS = 1_000;

export interface PasswordAttempt {
  /** The account name as entered, whether such an account exists or not. */
  account: string;
  address: string;
  /**
   * Distinguishes known people from strangers: the session of a call, or the cookie of a browser that was in the
   * account before. Such attempts have their own queue. Null for strangers.
   */
  device: string | null;
  /** True if somebody recently signed in to the account from that address. */
  isKnownAddress: boolean;
}

export interface SignInDelays {
  /**
   * Runs `judge`, which checks a password, when it is this attempt's turn. The attempts of one person, and those of all
   * strangers on one account or from one address, run one after another across all servers. Each failure slows them
   * down. Returns the result of `judge`; null is a failure. Throws an AppError 429 without checking anything if the
   * wait would be too long.
   */
  serialize<T>(attempt: PasswordAttempt, judge: () => Promise<T | null>): Promise<T | null>;
  /** Forgets the failures of an account whose owner has proved their identity in another way. */
  forgive(account: string): Promise<void>;
  /** Returns the milliseconds of a clock that is only meant for levelOut. */
  clock(): number;
  /**
   * Extends a failed attempt to the duration of most attempts that ask a directory.
   * @param since when the attempt began, by clock()
   */
  levelOut(since: number): Promise<void>;
}

interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<unknown>;
}

export interface SignInDelaysOptions {
  clock?: Clock;
  /** Maximum number of strangers' attempts per address and minute, after some without delay. */
  signInsPerMinute: number;
  /** True for tests with a stopped clock, so that no attempt is rejected. */
  takesAll?: boolean;
}

const CLOCK: Clock = { now: () => performance.now(), sleep: (milliseconds) => pause(milliseconds) };

/** Names are free text, so parts joined by words or spaces could spell the key of another queue. */
const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);
const accountKey = (account: string): string => keyOf('account', account);

interface Line {
  key: string;
  pace: AttemptPace;
}

export function createSignInDelays(failures: FailedAttempts, options: SignInDelaysOptions): SignInDelays {
  const { clock = CLOCK, signInsPerMinute, takesAll = false } = options;
  const ofAddress: AttemptPace = {
    gaps: [...free(FREE_OF_ADDRESS), 60 / signInsPerMinute],
    maxWait: MAX_WAIT_PER_ADDRESS_SECONDS,
    memory: MEMORY,
  };

  function linesOf({ account, address, device, isKnownAddress }: PasswordAttempt): Line[] {
    if (device !== null) return [{ key: keyOf('device', device, account), pace: OF_ONE }];
    const own = { key: keyOf('own', account, address), pace: OF_ONE };
    if (isKnownAddress) return [own];
    return [own, { key: keyOf('address', address), pace: ofAddress }, { key: accountKey(account), pace: OF_ACCOUNT }];
  }

  async function stand({ key, pace }: Line): Promise<void> {
    const seconds = await failures.reserve(key, takesAll ? { ...pace, maxWait: Infinity } : pace);
    if (seconds === null) {
      throw new AppError('invalid_grant', 429, 'Too many attempts. Please wait a moment and try again.');
    }
    if (seconds > 0) await clock.sleep(seconds * 1000);
  }

  return {
    serialize: async (attempt, judge) => {
      const lines = linesOf(attempt);
      const [own, ...shared] = lines;
      for (const [index, line] of lines.entries()) {
        try {
          await stand(line);
        } catch (error) {
          // Nothing was checked, so this does not count as a failure.
          for (const { key } of lines.slice(0, index)) await failures.takeBack(key);
          throw error;
        }
      }
      const judged = await judge();
      if (judged === null) return null;
      // Others may be trying at the same time; their failures stay counted.
      await failures.forget(own!.key);
      for (const { key } of shared) await failures.takeBack(key);
      return judged;
    },
    forgive: (account) => failures.forget(accountKey(account)),
    clock: () => clock.now(),
    levelOut: async (since) => {
      const milliseconds = LEVEL_MS - (clock.now() - since);
      if (milliseconds > 0) await clock.sleep(milliseconds);
    },
  };
}
