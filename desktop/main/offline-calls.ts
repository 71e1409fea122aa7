/** What happens with a page's calls beside being passed on: answers that may be kept are, and stand in for the server while it is away. */
import { downloadFile } from '#shared/contract/files.ts';
import { KEPT_AT_HEADER, SERVER_TIME_HEADER } from '#shared/contract/headers.ts';
import type { ConnectionWatch } from '#bridge/connection.ts';
import type { AccountOutbox } from './account-outbox.ts';
import { offlineCopyOf } from './offline-endpoints.ts';
import type { OfflineReading } from './offline-reading.ts';
import type { Clock } from './ports.ts';
import type { PageCall } from './page-call.ts';

export interface OfflineCalls {
  /** What is answered without the server, as it is known to be away; null where it has to be asked. */
  instead(call: PageCall): Promise<Response | null>;
  /** The same for a call that was lost on its way. */
  lost(call: PageCall): Promise<Response | null>;
  /** What is to be sent for a call; a Response where that is known to be refused. Rejects where the server is away. */
  bodyOf: (call: PageCall) => Promise<Uint8Array | undefined | Response>;
  /** The answer of the server for the page, which is kept on its way where it may be. */
  keep(call: PageCall, response: Response): Response;
}

export interface OfflineCallsDeps {
  reading: OfflineReading;
  connection: Pick<ConnectionWatch, 'state'>;
  clock: Clock;
  /** Resolves once it is known whether anything may be kept. */
  isDecided: () => Promise<void>;
  outbox: Pick<AccountOutbox, 'takeUpload' | 'bodyOf'>;
}

/** Bytes of one entry. */
export const LARGEST = { answer: 8 * 1024 * 1024, file: 64 * 1024 * 1024 };
const KEPT_HEADERS = ['content-type', 'content-disposition'];
/** Tokens of files last two minutes. */
const REMEMBERED_TOKENS = 200;
const PARTIAL = '<PARTIAL>';
const DOWNLOAD = downloadFile.path.replace(':token', '');
const OWN_TOKEN = /^kept-([0-9a-f]{40})$/;

export function createOfflineCalls({ reading, connection, clock, isDecided, outbox }: OfflineCallsDeps): OfflineCalls {
  /** The call that gave a token, by the token. */
  const tokens = new Map<string, string>();
  /** The same by the name that stands for it in tokens of ours. */
  const named = new Map<string, string>();

  const keptFile = async (token: string): Promise<Response | null> => {
    const key = named.get(OWN_TOKEN.exec(token)?.[1] ?? '');
    const kept = key === undefined ? null : await reading.get(key);
    return kept && new Response(kept.body as BodyInit, { headers: kept.headers });
  };
  const tokenOfKept = async (key: string): Promise<Response | null> => {
    const [kept, name] = [await reading.get(key), reading.nameOf(key)];
    if (!kept || name === null) return null;
    named.set(name, key);
    return answerOf(kept.at, { 'content-type': JSON_TYPE }, JSON.stringify({ result: `kept-${name}` }));
  };
  const put = (key: string, response: Response, body: Uint8Array): void => {
    const headers: Record<string, string> = {};
    for (const name of KEPT_HEADERS) {
      const value = response.headers.get(name);
      if (value !== null) headers[name] = value;
    }
    const at = clock.now();
    void isDecided().then(() => reading.put(key, { at, headers, body }));
  };

  const lost = async (call: PageCall): Promise<Response | null> => {
    const copy = call.isSignedIn ? offlineCopyOf(call.method, call.path) : null;
    if (copy === null) return outbox.takeUpload(call);
    if (copy === 'file') return tokenOfKept(keyOfFile(call));
    const answer = await reading.get(keyOf(call));
    return answer && answerOf(answer.at, answer.headers, answer.body);
  };

  return {
    instead: async (call) => {
      const ownToken = call.method === 'GET' && call.path.startsWith(DOWNLOAD) ? call.path.slice(DOWNLOAD.length) : '';
      if (OWN_TOKEN.test(ownToken)) return keptFile(ownToken);
      return connection.state() === 'online' ? null : lost(call);
    },
    lost,
    bodyOf: (call) => outbox.bodyOf(call),
    keep: (call, response) => {
      const serverNow = Date.parse(response.headers.get(SERVER_TIME_HEADER) ?? '');
      // Proxies and sign-in pages of networks say what they like: nothing of it is the server's word.
      if (Number.isNaN(serverNow)) return response;
      if (call.isSignedIn && response.status === 401) void reading.refused(serverNow);
      if (response.status !== 200 || response.body === null) return response;
      if (call.method === 'GET' && call.path.startsWith(DOWNLOAD)) {
        const key = tokens.get(call.path.slice(DOWNLOAD.length));
        return key === undefined ? response : collecting(response, LARGEST.file, (body) => put(key, response, body));
      }
      if (!call.isSignedIn) return response;
      reading.contact();
      const copy = offlineCopyOf(call.method, call.path);
      if (copy === null || !isJson(response)) return response;
      return collecting(response, LARGEST.answer, (body) => {
        if (copy === 'answer') put(keyOf(call), response, body);
        else remember(tokens, tokenIn(body), keyOfFile(call));
      });
    },
  };
}

const JSON_TYPE = 'application/json; charset=utf-8';
const isJson = (response: Response): boolean => /json/.test(response.headers.get('content-type') ?? '');

const keyOf = ({ method, path, search, body }: PageCall): string =>
  `${method} ${path}${search}\n${new TextDecoder().decode(body ?? new Uint8Array())}`;
const keyOfFile = (call: PageCall): string => `file of ${keyOf(call)}`;

function answerOf(at: number, headers: Record<string, string>, body: Uint8Array | string): Response {
  return new Response(body as BodyInit, { headers: { ...headers, [KEPT_AT_HEADER]: new Date(at).toISOString() } });
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

/** The same answer; once the page has read it to its end, its bytes are given, unless they are too many. */
function collecting(response: Response, largest: number, onWhole: (body: Uint8Array) => void): Response {
  const reader = response.body!.getReader();
  let parts: Uint8Array[] | null = [];
  let size = 0;
  const take = (part: Uint8Array): void => {
    size += part.length;
    if (size > largest) parts = null;
    parts?.push(part);
  };
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          take(value);
          controller.enqueue(value);
          return;
        }
        controller.close();
      } catch (error) {
        controller.error(error);
        return;
      }
      if (parts) onWhole(Buffer.concat(parts));
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(stream, { status, statusText, headers });
}
