/** Connects an account's offline data with its user, its server and its session. */
import { Value } from 'typebox/value';
import { SERVER_TIME_HEADER, UNATTENDED_HEADER } from '#shared/contract/headers.ts';
import { offlineReading, OfflineReading as Allowed } from '#shared/contract/offline-reading.ts';
import type { ConnectionWatch } from '#bridge/connection.ts';
import type { AccountOutbox } from './account-outbox.ts';
import type { Account } from './accounts.ts';
import { Greeting } from './handshake.ts';
import { createOfflineCalls, type OfflineCalls } from './offline-calls.ts';
import type { OfflineReading, SessionTimes } from './offline-reading.ts';
import type { Clock, Log, Net } from './ports.ts';

export interface OfflineAccountDeps {
  account: Account;
  reading: OfflineReading;
  connection: ConnectionWatch;
  net: Net;
  clock: Clock;
  log: Log;
  outbox: AccountOutbox;
  /** Token of the session; null while nobody is signed in. */
  token: () => string | null;
}

export interface OfflineAccount {
  calls: OfflineCalls;
  /** Called when a token was received. @param userName null if it is the same user as before */
  onToken(userName: string | null, answer: object): Promise<void>;
  /** Stores the server's settings, so that the account can be opened without it. */
  storeGreeting: (greeting: Greeting) => void;
}

const GREETING = 'greeting';
const REQUEST_TIMEOUT_MS = 10_000;

export function createOfflineAccount(deps: OfflineAccountDeps): OfflineAccount {
  const { reading, connection, clock, outbox } = deps;
  let greeting: Uint8Array | null = null;
  const decide = async (): Promise<void> => {
    await askWhatIsAllowed(deps);
    if (greeting) void reading.put(GREETING, { at: clock.now(), headers: {}, body: greeting });
  };
  let decided = decide();
  connection.onChange((state) => {
    if (state === 'online') decided = decide();
  });
  let times: SessionTimes = { expiry: 0, inactivityTimeout: 0 };
  return {
    calls: createOfflineCalls({ reading, connection, clock, outbox, isDecided: () => decided }),
    onToken: async (userName, answer) => {
      times = timesOf(answer, times);
      await reading.signedIn(userName, times);
      // The token has been stored by now; the page does not have to wait for the result.
      decided = decide();
      void outbox.outbox.work();
    },
    storeGreeting: (found) => {
      const body = Buffer.from(JSON.stringify(found));
      greeting = body;
      void decided.then(() => reading.put(GREETING, { at: clock.now(), headers: {}, body }));
    },
  };
}

/** Returns the server's settings when it was last reached; null if they may no longer be read. */
export async function readStoredGreeting(reading: OfflineReading): Promise<Greeting | null> {
  const stored = await reading.get(GREETING);
  try {
    const greeting: unknown = JSON.parse(Buffer.from(stored?.body ?? []).toString());
    return Value.Check(Greeting, greeting) ? greeting : null;
  } catch {
    return null;
  }
}

/**
 * Never rejects. A server without this call allows nothing. If the server is unreachable, or a proxy answers in its
 * place, its last permission remains valid.
 */
async function askWhatIsAllowed({ account, reading, net, token, log }: OfflineAccountDeps): Promise<void> {
  const bearer = token();
  if (bearer === null) return;
  try {
    const response = await net.fetch(account.address + offlineReading.path.slice(1), {
      method: 'GET',
      headers: { authorization: `Bearer ${bearer}`, [UNATTENDED_HEADER]: '1' },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    // The user has signed out in the meantime, or somebody else has signed in.
    if (token() !== bearer) return undefined;
    // A proxy or a network sign-in page has answered, and its 404 must not erase anything.
    if (!response.headers.has(SERVER_TIME_HEADER)) return undefined;
    if (response.status === 404) return await reading.allow(0);
    const answer = response.ok ? ((await response.json()) as { result?: unknown }) : null;
    if (answer && Value.Check(Allowed, answer.result)) await reading.allow(answer.result.Days);
  } catch (error) {
    log('how long may be read without the server was not answered', error);
  }
}

function timesOf(answer: object, before: SessionTimes): SessionTimes {
  const { expiry, inactivityTimeout } = answer as { expiry?: unknown; inactivityTimeout?: unknown };
  const end = typeof expiry === 'string' ? Date.parse(expiry) : Number.NaN;
  return {
    expiry: Number.isNaN(end) ? before.expiry : end,
    inactivityTimeout: typeof inactivityTimeout === 'number' ? inactivityTimeout * 1000 : before.inactivityTimeout,
  };
}
