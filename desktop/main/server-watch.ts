/** Settings and reachability of an account's server. */
import { createConnectionWatch, type ConnectionState, type ConnectionWatch } from '#bridge/connection.ts';
import type { ConnectionInfo } from '#bridge/messages.ts';
import { greetServer, ServerProblem, type Greeting } from './handshake.ts';
import { say } from './language.ts';
import { readStoredGreeting } from './offline-account.ts';
import type { OfflineReading } from './offline-reading.ts';
import type { Clock, Net } from './ports.ts';

export interface ServerWatch {
  connection: ConnectionWatch;
  /** Connection state in the form for pages. */
  connectionInfo: () => ConnectionInfo;
  /** The settings received last from the server. */
  greeting(): Greeting;
  /**
   * Contacts the server again, unless stored data is readable without it. Throws a ServerProblem if it is unreachable.
   */
  greet: () => Promise<void>;
}

export interface ServerWatchDeps {
  net: Net;
  clock: Clock;
  /** Address of the server; ends with '/'. */
  address: string;
  reading: OfflineReading;
  /** The result of askFirst. */
  first: FirstAnswer;
  onGreeting: (greeting: Greeting) => void;
  /** Returns whether starts can wait on this computer. */
  canQueue: () => boolean;
}

const PROBE_MS = 5000;
/** Milliseconds to wait for the server at the start if the account can also be opened without it. */
const SHORT_MS = 700;

/** The server's first response, which does not have to be awaited completely. */
export interface FirstAnswer {
  complete(): Promise<Greeting>;
  /** Throws a ServerProblem if it does not arrive within SHORT_MS of the request. */
  soon(): Promise<Greeting>;
}

export function askFirst(net: Net, clock: Clock, address: string): FirstAnswer {
  const asked = greetServer(net, address);
  // Opening the account may fail before this promise is used.
  asked.catch(() => undefined);
  const began = clock.now();
  return {
    complete: () => asked,
    soon: () => {
      let stop = (): void => undefined;
      const late = new Promise<never>((_resolve, reject) => {
        const error = new ServerProblem(say('The server did not answer in time'), 'unreachable');
        stop = clock.after(Math.max(0, began + SHORT_MS - clock.now()), () => reject(error));
      });
      return Promise.race([asked, late]).finally(stop);
    },
  };
}

/** Throws a ServerProblem if no compatible portal responds and no settings are stored. */
export async function watchServer(deps: ServerWatchDeps): Promise<ServerWatch> {
  const { net, clock, address, reading } = deps;
  const first = await firstGreeting(deps);
  let { greeting } = first;
  const greet = async (timeoutMs?: number): Promise<void> => {
    greeting = await greetServer(net, address, timeoutMs);
    deps.onGreeting(greeting);
  };
  const probe = async (): Promise<ConnectionState> => {
    try {
      await greet(PROBE_MS);
      return 'online';
    } catch (error) {
      return error instanceof ServerProblem ? error.state : 'unreachable';
    }
  };
  const after = (milliseconds: number, work: () => void): (() => void) => clock.after(milliseconds, work);
  const connection = createConnectionWatch({ probe, after, initial: first.state });
  const isReadable = (): boolean => connection.state() !== 'online' && reading.isReadable();
  return {
    connection,
    connectionInfo: () => ({ State: connection.state(), IsReadable: isReadable(), CanQueue: deps.canQueue() }),
    greeting: () => greeting,
    greet: async () => {
      if (!isReadable()) await greet();
    },
  };
}

/** Returns the settings from the server itself, or the stored ones. */
async function firstGreeting({
  first,
  reading,
}: ServerWatchDeps): Promise<{ greeting: Greeting; state: ConnectionState }> {
  const stored = await readStoredGreeting(reading);
  try {
    return { greeting: await (stored ? first.soon() : first.complete()), state: 'online' };
  } catch (error) {
    if (!(error instanceof ServerProblem) || error.state === 'updateNeeded' || !stored) throw error;
    return { greeting: stored, state: error.state };
  }
}
