/** What the server of an account is, and whether it answers. */
import { createConnectionWatch, type ConnectionState, type ConnectionWatch } from '#bridge/connection.ts';
import type { ConnectionInfo } from '#bridge/messages.ts';
import { greetServer, ServerProblem, type Greeting } from './handshake.ts';
import { keptGreeting } from './offline-account.ts';
import type { OfflineReading } from './offline-reading.ts';
import type { Clock, Net } from './ports.ts';

export interface ServerWatch {
  connection: ConnectionWatch;
  /** As its pages are told. */
  connectionInfo: () => ConnectionInfo;
  /** As the server said it last. */
  greeting(): Greeting;
  /** Asks the server once more. Throws a ServerProblem where it is away and nothing can be read without it. */
  greet: () => Promise<void>;
}

export interface ServerWatchDeps {
  net: Net;
  clock: Clock;
  /** Of the server, ends with '/'. */
  address: string;
  reading: OfflineReading;
  /** Of askFirst. */
  first: FirstAnswer;
  onGreeting: (greeting: Greeting) => void;
  /** Whether starts can wait on this computer. */
  canQueue: () => boolean;
}

const PROBE_MS = 5000;
/** So long a start waits for the server where it could begin without. */
const SHORT_MS = 700;

/** What a server answers to a start, of which nobody need wait for the end. */
export interface FirstAnswer {
  whole(): Promise<Greeting>;
  /** Throws a ServerProblem where it has not come soon after it was asked for. */
  soon(): Promise<Greeting>;
}

export function askFirst(net: Net, clock: Clock, address: string): FirstAnswer {
  const asked = greetServer(net, address);
  // Whoever opens the account may fail before that.
  asked.catch(() => undefined);
  const began = clock.now();
  return {
    whole: () => asked,
    soon: () => {
      let stop = (): void => undefined;
      const late = new Promise<never>((_resolve, reject) => {
        const error = new ServerProblem('The server did not answer in time', 'unreachable');
        stop = clock.after(Math.max(0, began + SHORT_MS - clock.now()), () => reject(error));
      });
      return Promise.race([asked, late]).finally(stop);
    },
  };
}

/** Throws a ServerProblem where no portal that fits answers, and nothing is kept of one that did. */
export async function watchServer(deps: ServerWatchDeps): Promise<ServerWatch> {
  const { net, clock, address, reading } = deps;
  const first = await firstGreeting(deps);
  let { greeting } = first;
  const greet = async (patienceMs?: number): Promise<void> => {
    greeting = await greetServer(net, address, patienceMs);
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

/** By the server itself or as it was last. */
async function firstGreeting({
  first,
  reading,
}: ServerWatchDeps): Promise<{ greeting: Greeting; state: ConnectionState }> {
  const kept = await keptGreeting(reading);
  try {
    return { greeting: await (kept ? first.soon() : first.whole()), state: 'online' };
  } catch (error) {
    if (!(error instanceof ServerProblem) || error.state === 'updateNeeded' || !kept) throw error;
    return { greeting: kept, state: error.state };
  }
}
