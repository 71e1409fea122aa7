/**
 * Offline handling of a page's calls: stores responses that may be stored, and serves them while the server is
 * unreachable.
 */
import { downloadFile } from '#shared/contract/files.ts';
import { STORED_AT_HEADER, SERVER_TIME_HEADER } from '#shared/contract/headers.ts';
import type { ConnectionWatch } from '#bridge/connection.ts';
import type { AccountOutbox } from './account-outbox.ts';
import { offlineCopyOf } from './offline-endpoints.ts';
import type { OfflineReading } from './offline-reading.ts';
import type { StreamedAnswer, Clock } from './ports.ts';
import type { PageCall } from './page-call.ts';

export interface OfflineCalls {
  /** Returns the stored response if the server is known to be unreachable; null if it must be called. */
  instead(call: PageCall): Promise<Response | null>;
  /** Returns the stored response for a call that failed on the network. */
  lost(call: PageCall): Promise<Response | null>;
  /**
   * Returns the body to send for a call, or a Response if it is known to be refused. Rejects if the server is
   * unreachable.
   */
  bodyOf: (call: PageCall) => Promise<Uint8Array | undefined | Response>;
  /** Stores the server's response, if allowed, while the page reads it. Must be called before the page reads it. */
  store(call: PageCall, answer: StreamedAnswer): void;
}

export interface OfflineCallsDeps {
  reading: OfflineReading;
  connection: Pick<ConnectionWatch, 'state'>;
  clock: Clock;
  /** Resolves when it is known whether anything may be stored. */
  isDecided: () => Promise<void>;
  outbox: Pick<AccountOutbox, 'takeUpload' | 'bodyOf'>;
}

/** Maximum size of an entry in bytes. */
const LARGEST = { answer: 8 * 1024 * 1024, file: 64 * 1024 * 1024 };
const STORED_HEADERS = ['content-type', 'content-disposition'];
/** Limits memory; file tokens expire after two minutes anyway. */
const REMEMBERED_TOKENS = 200;
const PARTIAL = '<PARTIAL>';
const DOWNLOAD = downloadFile.path.replace(':token', '');
const OWN_TOKEN = /^kept-([0-9a-f]{40})$/;

export function createOfflineCalls({ reading, connection, clock, isDecided, outbox }: OfflineCallsDeps): OfflineCalls {
  /** Key of the call that returned a token, by token. */
  const tokens = new Map<string, string>();
  /** Key of the call, by the name that represents it in the client's own tokens. */
  const named = new Map<string, string>();

  const readStoredFile = async (token: string): Promise<Response | null> => {
    const key = named.get(OWN_TOKEN.exec(token)?.[1] ?? '');
    const stored = key === undefined ? null : await reading.get(key);
    return stored && new Response(stored.body as BodyInit, { headers: stored.headers });
  };
  const tokenOfStoredFile = async (key: string): Promise<Response | null> => {
    const [stored, name] = [await reading.get(key), reading.nameOf(key)];
    if (!stored || name === null) return null;
    named.set(name, key);
    return answerOf(stored.at, { 'content-type': JSON_TYPE }, JSON.stringify({ result: `kept-${name}` }));
  };
  const put = (key: string, answer: StreamedAnswer, body: Uint8Array): void => {
    const headers: Record<string, string> = {};
    for (const name of STORED_HEADERS) {
      const value = answer.headers[name];
      if (value !== undefined) headers[name] = value;
    }
    const at = clock.now();
    void isDecided().then(() => reading.put(key, { at, headers, body }));
  };

  const lost = async (call: PageCall): Promise<Response | null> => {
    const copy = call.isSignedIn ? offlineCopyOf(call.method, call.path) : null;
    if (copy === null) return outbox.takeUpload(call);
    if (copy === 'file') return tokenOfStoredFile(keyOfFile(call));
    const answer = await reading.get(keyOf(call));
    return answer && answerOf(answer.at, answer.headers, answer.body);
  };

  return {
    instead: async (call) => {
      const ownToken = call.method === 'GET' && call.path.startsWith(DOWNLOAD) ? call.path.slice(DOWNLOAD.length) : '';
      if (OWN_TOKEN.test(ownToken)) return readStoredFile(ownToken);
      return connection.state() === 'online' ? null : lost(call);
    },
    lost,
    bodyOf: (call) => outbox.bodyOf(call),
    store: (call, answer) => {
      const serverNow = Date.parse(answer.headers[SERVER_TIME_HEADER] ?? '');
      // Proxies and network sign-in pages may return anything; only responses with this header come from the server.
      if (Number.isNaN(serverNow)) return;
      if (call.isSignedIn && answer.status === 401) void reading.refused(serverNow);
      if (answer.status !== 200) return;
      if (call.method === 'GET' && call.path.startsWith(DOWNLOAD)) {
        const key = tokens.get(call.path.slice(DOWNLOAD.length));
        if (key !== undefined) collect(answer, LARGEST.file, (body) => put(key, answer, body));
        return;
      }
      if (!call.isSignedIn) return;
      reading.contact();
      const copy = offlineCopyOf(call.method, call.path);
      if (copy === null || !isJson(answer)) return;
      collect(answer, LARGEST.answer, (body) => {
        if (copy === 'answer') put(keyOf(call), answer, body);
        else remember(tokens, tokenIn(body), keyOfFile(call));
      });
    },
  };
}

const JSON_TYPE = 'application/json; charset=utf-8';
const isJson = (answer: StreamedAnswer): boolean => /json/.test(answer.headers['content-type'] ?? '');

const keyOf = ({ method, path, search, body }: PageCall): string =>
  `${method} ${path}${search}\n${new TextDecoder().decode(body ?? new Uint8Array())}`;
const keyOfFile = (call: PageCall): string => `file of ${keyOf(call)}`;

function answerOf(at: number, headers: Record<string, string>, body: Uint8Array | string): Response {
  return new Response(body as BodyInit, { headers: { ...headers, [STORED_AT_HEADER]: new Date(at).toISOString() } });
}

function remember(tokens: Map<string, string>, token: string, key: string): void {
  tokens.set(token.startsWith(PARTIAL) ? token.slice(PARTIAL.length) : token, key);
  for (const old of [...tokens.keys()].slice(0, -REMEMBERED_TOKENS)) tokens.delete(old);
}

function tokenIn(body: Uint8Array): string {
  try {
    return String((JSON.parse(new TextDecoder().decode(body)) as { result?: unknown }).result);
  } catch {
    return '';
  }
}

/** Collects the bytes of a response and passes them on at its end, unless they exceed the limit. */
function collect({ content }: StreamedAnswer, largest: number, onComplete: (body: Uint8Array) => void): void {
  let parts: Uint8Array[] | null = [];
  let size = 0;
  content.on('data', (part: Uint8Array) => {
    size += part.length;
    if (size > largest) parts = null;
    parts?.push(part);
  });
  content.once('end', () => {
    if (parts) onComplete(Buffer.concat(parts));
  });
}
