import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#server/app-error.ts';

/** Failures that are forgiven before attempts have to wait. Many people may share an address, nobody an account. */
const FORGIVEN = { account: 3, address: 20 };
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
/** A failure is forgotten when none followed it for so long. */
const MEMORY_MS = 15 * 60_000;
/** Directories answer within this, but for those that are ill. */
const LEVEL_MS = 1_000;
const MOST_REMEMBERED = 20_000;
/** Attempts of one address that may wait at once; more are turned away, so that waiting costs the attacker and not us. */
const MOST_WAITING = 20;

export interface SignInDelays {
  /** Waits as long as the failures of the account and the address ask for. Throws an AppError 429 where too many wait already. */
  wait(account: string, address: string): Promise<void>;
  failed(account: string, address: string): void;
  succeeded(account: string): void;
  /** Milliseconds of a clock that is only good for levelOut. */
  clock(): number;
  /** Waits until a failed attempt that began then has taken as long as most that ask a directory. */
  levelOut(since: number): Promise<void>;
}

interface Failures {
  count: number;
  last: number;
}

interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<unknown>;
}

const CLOCK: Clock = { now: () => performance.now(), sleep: (milliseconds) => pause(milliseconds) };

/**
 * Wrong passwords make the next attempts of the same account or address slower, and never lock anybody out: who knows the
 * password gets in after a few seconds. Names that are no accounts are counted alike. Each server counts for itself.
 */
export function createSignInDelays(clock: Clock = CLOCK): SignInDelays {
  const failures = new Map<string, Failures>();
  const waiting = new Map<string, number>();

  function countOf(key: string): number {
    const known = failures.get(key);
    if (!known) return 0;
    if (clock.now() - known.last <= MEMORY_MS) return known.count;
    failures.delete(key);
    return 0;
  }

  function remember(key: string): void {
    const count = countOf(key) + 1;
    // Deleted first, so that the map stays ordered by age.
    failures.delete(key);
    failures.set(key, { count, last: clock.now() });
    const [oldest] = failures.keys();
    if (failures.size > MOST_REMEMBERED && oldest !== undefined) failures.delete(oldest);
  }

  function waitOf(account: string, address: string): number {
    const excess = Math.max(
      countOf(`account ${account}`) - FORGIVEN.account,
      countOf(`address ${address}`) - FORGIVEN.address,
    );
    return excess < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** Math.min(excess, 20), LONGEST_WAIT_MS);
  }

  return {
    wait: async (account, address) => {
      const milliseconds = waitOf(account, address);
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
    failed: (account, address) => {
      remember(`account ${account}`);
      remember(`address ${address}`);
    },
    succeeded: (account) => void failures.delete(`account ${account}`),
    clock: () => clock.now(),
    levelOut: async (since) => {
      const milliseconds = LEVEL_MS - (clock.now() - since);
      if (milliseconds > 0) await clock.sleep(milliseconds);
    },
  };
}
