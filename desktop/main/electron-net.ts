/** Calls servers through Chromium's network stack, which uses the proxies and certificates of the system. */
import type { Readable } from 'node:stream';
import { net, session, type ClientRequest, type IncomingMessage, type Session } from 'electron';
import { liveEvents } from '#shared/contract/live.ts';
import type { Account } from './accounts.ts';
import { sessionOf } from './electron-session.ts';
import { answerOf, watchContent } from './network-answer.ts';
import type { StreamedAnswer, NetInit, StreamingNet } from './ports.ts';

export function createNet(account: Account | null): StreamingNet {
  const stream: StreamingNet['stream'] = (url, init) => {
    const isStream = account !== null && new URL(url).pathname.endsWith(liveEvents.path);
    return isStream ? callInEventSession(account, url, init) : call(sessionOf(account), url, init);
  };
  return { stream, fetch: async (url, init) => answerOf(await stream(url, init)) };
}

/**
 * Makes a call without session.fetch, which has more overhead per call. @param onEnd called when the response has
 * ended; never called if there was none
 */
function call(
  used: Session,
  url: string,
  { method, headers, body, signal, onSent }: NetInit,
  onEnd: () => void = () => undefined,
): Promise<StreamedAnswer> {
  return new Promise<StreamedAnswer>((resolve, reject) => {
    signal?.throwIfAborted();
    const options = { credentials: 'omit', redirect: 'manual', cache: 'no-store' } as const;
    const request = net.request({ ...options, session: used, url, method });
    for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
    const onAbort = (): void => {
      stopWatching();
      reject(signal!.reason as Error);
      request.abort();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const stopWatching = onSent ? watchSending(request, onSent) : (): void => undefined;
    const stopListening = (): void => {
      stopWatching();
      signal?.removeEventListener('abort', onAbort);
    };
    request.on('error', (error) => {
      stopListening();
      reject(error);
    });
    request.on('response', (message) => {
      stopListening();
      // It is a Readable, although its type does not say so.
      const content = message as unknown as Readable;
      const onContentEnd = (isComplete: boolean): void => {
        if (!isComplete) request.abort();
        onEnd();
      };
      watchContent(content, { signal, onEnd: onContentEnd });
      const { statusCode: status, statusMessage: statusText } = message;
      resolve({ status, statusText, headers: headersOf(message), content });
    });
    // An undefined body writes nothing, which the types do not allow.
    request.end(body as string | undefined);
  });
}

const SENDING_INTERVAL_MS = 500;

/** Polls the progress, because Electron has no event for it. Returns a function that stops this. */
function watchSending(request: ClientRequest, onSent: NonNullable<NetInit['onSent']>): () => void {
  const timer = setInterval(() => {
    const { started, current, total } = request.getUploadProgress();
    if (started) onSent(current, total);
  }, SENDING_INTERVAL_MS);
  return () => clearInterval(timer);
}

/** Reads the headers only once, because Electron rebuilds them on every access. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const joined = Object.entries(headers).map(([name, values]) => [name, [values].flat().join(', ')]);
  return Object.fromEntries(joined) as Record<string, string>;
}

/** Number of streams in each of an account's event sessions. */
const streams = new Map<string, number[]>();
/** Chromium opens at most six connections per server and session. */
const STREAMS_PER_SESSION = 5;

/**
 * Puts event streams into separate sessions, a few per session. With any number of windows, neither streams nor other
 * calls then wait for a free connection. This matters because a protocol handler is not told that a page was left
 * before its request was answered.
 */
async function callInEventSession({ id }: Account, url: string, init: NetInit): Promise<StreamedAnswer> {
  const counts = streams.get(id) ?? [];
  streams.set(id, counts);
  const free = counts.findIndex((count) => count < STREAMS_PER_SESSION);
  const number = free < 0 ? counts.length : free;
  counts[number] = (counts[number] ?? 0) + 1;
  const onEnd = (): void => void (counts[number]! -= 1);
  try {
    return await call(session.fromPartition(`events-${id}-${number}`), url, init, onEnd);
  } catch (error) {
    onEnd();
    throw error;
  }
}
