import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#server/base/app-error.ts';
import type { FailedAttempts } from './failed-attempts.ts';

/** Failures that are forgiven before attempts have to wait. Many people may share an address, nobody an account. */
const FORGIVEN = { account: 3, address: 20 };
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
/** A failure is forgotten when none followed it for so long. */
const MEMORY_SECONDS = 15 * 60;
/** Directories answer within this, but for those that are ill. */
const LEVEL_MS = 1_000;
/** Attempts of one address that may wait at once; more are turned away, so that waiting costs the attacker and not us. */
const MOST_WAITING = 20;

export interface SignInDelays {
  /** Waits as long as the failures of the account and the address ask for. Throws an AppError 429 where too many wait already. */
  wait(account: string, address: string): Promise<void>;
  failed(account: string, address: string): Promise<void>;
  succeeded(account: string): Promise<void>;
  /** Milliseconds of a clock that is only good for levelOut. */
  clock(): number;
  /** Waits until a failed attempt that began then has taken as long as most that ask a directory. */
  levelOut(since: number): Promise<void>;
}

interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<unknown>;
}

const CLOCK: Clock = { now: () => performance.now(), sleep: (milliseconds) => pause(milliseconds) };

/**
 * Wrong passwords make the next attempts of the same account or address slower, and never lock anybody out: who knows the
 * password gets in after a few seconds. Names that are no accounts are counted alike.
 */
export function createSignInDelays(failures: FailedAttempts, clock: Clock = CLOCK): SignInDelays {
  const waiting = new Map<string, number>();

  async function waitOf(account: string, address: string): Promise<number> {
    const keys = [`account ${account}`, `address ${address}`];
    const [ofAccount = 0, ofAddress = 0] = await failures.counts(keys, MEMORY_SECONDS);
    const excess = Math.max(ofAccount - FORGIVEN.account, ofAddress - FORGIVEN.address);
    return excess < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** Math.min(excess, 20), LONGEST_WAIT_MS);
  }

  return {
    wait: async (account, address) => {
      const milliseconds = await waitOf(account, address);
      if (milliseconds === 0) return;
      const already = waiting.get(address) ?? 0;
      if (already >= MOST_WAITING) {
        throw new AppError('invalid_grant', 429, 'Too many attempts. Please wait a moment and try again.');
      }
      waiting.set(address, already + 1);
      try {
        await clock.sleep(milliseconds);
      } finally {
        const left = (waiting.get(address) ?? 1) - 1;
        if (left > 0) waiting.set(address, left);
        else waiting.delete(address);
      }
    },
    failed: async (account, address) => {
      await failures.add(`account ${account}`, MEMORY_SECONDS);
      await failures.add(`address ${address}`, MEMORY_SECONDS);
    },
    succeeded: (account) => failures.forget(`account ${account}`),
    clock: () => clock.now(),
    levelOut: async (since) => {
      const milliseconds = LEVEL_MS - (clock.now() - since);
      if (milliseconds > 0) await clock.sleep(milliseconds);
    },
  };
}
