/**
 * Shows system notifications about an account's runs, even while no page is open. One event stream says when there is
 * something new, and the list of notifications says what. Each notification is shown only once, even after a restart or
 * sleep.
 */
import { SERVER_TIME_HEADER, UNATTENDED_HEADER } from '#shared/contract/headers.ts';
import { LIVE_HEARTBEAT, liveEvents } from '#shared/contract/live.ts';
import { say } from './language.ts';
import type { Clock, Net, Notifier } from './ports.ts';
import { createRunMessages, type RunMessages, type RunMessagesDeps } from './run-messages.ts';

export interface RunNotificationsDeps extends Omit<RunMessagesDeps, 'ask'> {
  net: Net;
  clock: Clock;
  notifier: Notifier;
  /** Address of the server; ends with '/'. */
  address: string;
  /**
   * Called if the server no longer accepts this token. @param serverNow milliseconds since 1970, from the server's
   * clock
   */
  onRefused?: (token: string, serverNow: number) => void;
  /** Called when the server responds to this token, and whenever its stream sends data. */
  onContact?: (token: string) => void;
}

export interface RunNotifications {
  /** Polls immediately because a user has signed in. */
  wake(): void;
  stop(): void;
}

/** Backoff in milliseconds between attempts. */
const RETRY = { first: 1000, last: 60_000 };
/** A stream without data for this long was cut silently, for example during sleep. */
const SILENCE = LIVE_HEARTBEAT * 2.5;
/** Milliseconds after which the server is polled without an event, because a workflow may end without one. */
const ASK_INTERVAL = 60_000;

export function watchRunNotifications(deps: RunNotificationsDeps): RunNotifications {
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
          // A token that was renewed or discarded in the meantime did not expire. If a session had already ended before
          // the program started, the page reports it.
          if (accepted === token && deps.token() === token) notifySignedOut(deps);
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

function notifySignedOut({ notifier, open }: RunNotificationsDeps): void {
  const body = say('You will be notified of your runs again after you sign in.');
  notifier.show({ title: say('Signed out'), body, onClick: () => open('/') });
}

/**
 * Follows the stream until it ends. Returns 'told' if it delivered events or the session changed, 'refused' if the
 * session has ended, otherwise 'failed'.
 */
async function follow(
  deps: RunNotificationsDeps,
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
  let hasDelivered = false;
  try {
    alive();
    const response = await get(deps, liveEvents.path, token, call.signal);
    if (response.status === 401) {
      const serverNow = Date.parse(response.headers.get(SERVER_TIME_HEADER) ?? '');
      // A proxy or a network sign-in page has answered: the session is still valid.
      if (Number.isNaN(serverNow)) return 'failed';
      deps.onRefused?.(token, serverNow);
      return 'refused';
    }
    if (!response.ok || !response.body) return 'failed';
    // A response from a proxy says nothing about the server.
    const isServer = response.headers.has(SERVER_TIME_HEADER);
    const onSign = (): void => {
      alive();
      if (isServer) deps.onContact?.(token);
    };
    let asked = deps.clock.now();
    for await (const event of eventsOf(response.body, onSign)) {
      // After a sign-out or renewal, the stream's session is no longer the current one.
      if (deps.token() !== token) return 'told';
      const isRelevant = /^event: ?(notifications|ended)$/m.test(event);
      if (!isRelevant && deps.clock.now() - asked < ASK_INTERVAL) continue;
      asked = deps.clock.now();
      await messages.showNew(token, call.signal);
      hasDelivered ||= isRelevant;
    }
  } catch {
    // Network failure, sleep or a stopped server: the caller retries.
  } finally {
    cancelSilence();
    stop.removeEventListener('abort', onStop);
    call.abort();
  }
  return hasDelivered ? 'told' : 'failed';
}

const get = (
  { net, address }: RunNotificationsDeps,
  path: string,
  token: string,
  signal: AbortSignal,
): Promise<Response> =>
  net.fetch(address + path.slice(1), {
    method: 'GET',
    // Not user activity: the inactivity timeout of the session still applies.
    headers: { authorization: `Bearer ${token}`, [UNATTENDED_HEADER]: '1' },
    signal,
  });

/** Splits a stream into its events as text, regardless of chunk boundaries. */
async function* eventsOf(body: ReadableStream<Uint8Array>, onSign: () => void): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onSign();
    const events = (rest + decoder.decode(value, { stream: true })).replace(/\r\n/g, '\n').split('\n\n');
    rest = events.pop() ?? '';
    yield* events;
  }
}
