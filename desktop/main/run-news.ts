/**
 * Tells of an account's runs by messages of the system, also while no page is looked at: of what the bell of the portal tells. One stream
 * of events says when there is something; the list says what. What was told once is not told again, also after a restart or a sleep.
 */
import { SERVER_TIME_HEADER, UNATTENDED_HEADER } from '#shared/contract/headers.ts';
import { LIVE_HEARTBEAT, liveEvents } from '#shared/contract/live.ts';
import { say } from './language.ts';
import type { Clock, Net, Notifier } from './ports.ts';
import { createRunMessages, type RunMessages, type RunMessagesDeps } from './run-messages.ts';

export interface RunNewsDeps extends Omit<RunMessagesDeps, 'ask'> {
  net: Net;
  clock: Clock;
  notifier: Notifier;
  /** Of the server, ends with '/'. */
  address: string;
  /** The server takes this token no more. @param serverNow milliseconds since 1970, by the server */
  onRefused?: (token: string, serverNow: number) => void;
  /** The server has answered this token, or goes on to. */
  onContact?: (token: string) => void;
}

export interface RunNews {
  /** Somebody has signed in: looks at once. */
  wake(): void;
  stop(): void;
}

/** Milliseconds between two tries. */
const RETRY = { first: 1000, last: 60_000 };
/** A stream that says nothing for so long has been cut without a word, as by a sleep. */
const SILENCE = LIVE_HEARTBEAT * 2.5;
/** Milliseconds after which the server is asked without an event: the end of a workflow may come without one. */
const ASK_INTERVAL = 60_000;

export function watchRunNews(deps: RunNewsDeps): RunNews {
  const stopper = new AbortController();
  const messages = createRunMessages({
    ...deps,
    ask: (path, token, signal) => get(deps, path, token, signal),
  });
  let wake = (): void => undefined;
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = deps.clock.after(milliseconds, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  const run = async (): Promise<void> => {
    let wait = RETRY.first;
    let refused: string | null = null;
    let accepted: string | null = null;
    while (!stopper.signal.aborted) {
      const token = deps.token();
      if (token !== null && token !== refused) {
        const outcome = await follow(deps, messages, token, stopper.signal);
        wait = outcome === 'told' ? RETRY.first : Math.min(wait * 2, RETRY.last);
        if (outcome === 'told') accepted = token;
        if (outcome === 'refused') {
          refused = token;
          // One that was renewed or given up meanwhile has not ended by itself; of one that had ended before the start the page tells.
          if (accepted === token && deps.token() === token) tellSignedOut(deps);
        }
      } else wait = RETRY.last;
      if (!stopper.signal.aborted) await pause(wait);
    }
  };
  void run();
  return {
    wake: () => wake(),
    stop: () => {
      stopper.abort();
      wake();
    },
  };
}

function tellSignedOut({ notifier, open }: RunNewsDeps): void {
  const body = say('You will be told of your runs once you have signed in again.');
  notifier.show({ title: say('Signed out'), body, onClick: () => open('/') });
}

/** Until the stream ends. 'told' where it had begun, 'refused' where the session has ended. */
async function follow(
  deps: RunNewsDeps,
  messages: RunMessages,
  token: string,
  stop: AbortSignal,
): Promise<'told' | 'refused' | 'failed'> {
  const call = new AbortController();
  const onStop = (): void => call.abort();
  stop.addEventListener('abort', onStop);
  let cancelSilence = (): void => undefined;
  const alive = (): void => {
    cancelSilence();
    cancelSilence = deps.clock.after(SILENCE, () => call.abort());
  };
  let hasTold = false;
  try {
    alive();
    const response = await get(deps, liveEvents.path, token, call.signal);
    if (response.status === 401) {
      const serverNow = Date.parse(response.headers.get(SERVER_TIME_HEADER) ?? '');
      if (!Number.isNaN(serverNow)) deps.onRefused?.(token, serverNow);
      return 'refused';
    }
    if (!response.ok || !response.body) return 'failed';
    // Of a proxy that answers in its place the server has no part.
    const isServer = response.headers.has(SERVER_TIME_HEADER);
    const onSign = (): void => {
      alive();
      if (isServer) deps.onContact?.(token);
    };
    let asked = deps.clock.now();
    for await (const event of eventsOf(response.body, onSign)) {
      // Signed out, or renewed: the session of the stream is no longer the one in use.
      if (deps.token() !== token) return 'told';
      const isNews = /^event: ?(notifications|ended)$/m.test(event);
      if (!isNews && deps.clock.now() - asked < ASK_INTERVAL) continue;
      asked = deps.clock.now();
      await messages.tell(token, call.signal);
      hasTold ||= isNews;
    }
  } catch {
    // The network, a sleep or a server that stopped: tried again.
  } finally {
    cancelSilence();
    stop.removeEventListener('abort', onStop);
    call.abort();
  }
  return hasTold ? 'told' : 'failed';
}

const get = ({ net, address }: RunNewsDeps, path: string, token: string, signal: AbortSignal): Promise<Response> =>
  net.fetch(address + path.slice(1), {
    method: 'GET',
    // Nobody is at work because of it: the session ends by inactivity as it would without.
    headers: { authorization: `Bearer ${token}`, [UNATTENDED_HEADER]: '1' },
    signal,
  });

/** The events of a stream as text, however it is cut. */
async function* eventsOf(body: ReadableStream<Uint8Array>, onSign: () => void): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onSign();
    const pieces = (rest + decoder.decode(value, { stream: true })).replace(/\r\n/g, '\n').split('\n\n');
    rest = pieces.pop() ?? '';
    yield* pieces;
  }
}
