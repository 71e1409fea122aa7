/**
 * Forwards a page's calls to its server, replacing the handle by the token, and the responses back, replacing the token
 * by the handle.
 */
import { addInToken } from '#shared/contract/add-in.ts';
import { logout, renewToken, token as signInToken, type SignInProof } from '#shared/contract/auth.ts';
import { READ_BY_PAGES, SERVER_TIME_HEADER } from '#shared/contract/headers.ts';
import { liveEvents } from '#shared/contract/live.ts';
import { redeemOtt } from '#shared/contract/sso.ts';
import type { ConnectionWatch } from '#bridge/connection.ts';
import type { OfflineCalls } from './offline-calls.ts';
import type { CallControl, PageCall } from './page-call.ts';
import { answerOf } from './network-answer.ts';
import type { StreamedAnswer, StreamingNet } from './ports.ts';
import type { SessionTokens } from './session-tokens.ts';

export interface ServerCallsDeps {
  net: Pick<StreamingNet, 'stream'>;
  /** Address of the server; ends with '/'. */
  address: string;
  tokens: SessionTokens;
  /**
   * Called when a token was received, for a new user or, after a renewal, for the same one. Awaited before the page
   * gets the response.
   */
  onToken: (userName: string | null, answer: object) => Promise<void>;
  onSignOut: () => Promise<void>;
  /** Called when a page uses a new session for the first time: the page has stored its handle by now. */
  onTaken: () => void;
  /**
   * Returns the result of a sign-in made by this program, for the one-time token that it gave to its page; null for any
   * other token.
   */
  takeSignIn(ott: string): object | null;
  /** Is notified of responses and of lost calls. */
  connection: Pick<ConnectionWatch, 'state' | 'noticed'>;
  offline: OfflineCalls;
}

/** @param url address of the request without the parameters intended for this program */
export type ServerCalls = (request: Request, url: URL, page: CallingPage) => Promise<Response>;

export interface CallingPage {
  /** Aborted when the page was left. */
  closed: AbortSignal;
  control?: CallControl | undefined;
}

/**
 * Milliseconds within which a server that was recently unreachable must start its response. A silent server would block
 * the page and the few connections that Chromium opens to it.
 */
const AWAY_MS = 5000;

/** The only headers forwarded to a server: neither the page's address nor cookies are sent. */
const SENT = /^(accept|content-type|cache-control|pragma|x-(?!forwarded)[a-z-]+)$/;
const GIVES_TOKEN = new Set([signInToken.path, renewToken.path, redeemOtt.path, addInToken.path]);

export function createServerCalls(deps: ServerCallsDeps): ServerCalls {
  let taken = '';
  return async (request, url, page) => {
    // Buffered completely: a partially sent body could not be sent again, and Chromium sends streams in chunks that
    // proxies refuse.
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    if (url.pathname === redeemOtt.path && body) {
      const own = deps.takeSignIn(ottOf(body));
      if (own) return json({ result: own });
    }
    const sent = authorized(request, deps.tokens);
    if (sent.isSignedIn && sent.handle !== taken) {
      taken = sent.handle;
      deps.onTaken();
    }
    const call: PageCall = {
      method: request.method,
      path: url.pathname,
      search: url.search,
      body,
      contentType: request.headers.get('content-type') ?? '',
      isSignedIn: sent.isSignedIn,
    };
    const instead = await deps.offline.instead(call);
    if (instead) return instead;
    const prepared = await deps.offline.bodyOf(call);
    if (prepared instanceof Response) return prepared;
    const response = await answered(deps, request, call, { url, body: prepared, headers: sent.headers, page });
    if (endsSession(call, response)) await deps.onSignOut();
    if (!response.ok || !GIVES_TOKEN.has(url.pathname)) return response;
    return withoutToken(deps, response, { path: url.pathname, name: typedName(url, body) });
  };
}

function authorized(request: Request, tokens: SessionTokens) {
  const headers: Record<string, string> = {};
  request.headers.forEach((value, name) => {
    if (SENT.test(name)) headers[name] = value;
  });
  const handle = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
  const token = handle === '' ? null : tokens.tokenOf(handle);
  // A handle whose token no longer exists is sent unchanged and refused by the server, so that the page learns that its
  // session has ended.
  if (handle !== '') headers['authorization'] = `Bearer ${token ?? handle}`;
  return { headers, handle, isSignedIn: token !== null };
}

/** Answers from the server or, if it turns out to be unreachable only now, from stored data. */
async function answered(deps: ServerCallsDeps, request: Request, call: PageCall, passed: Passed): Promise<Response> {
  try {
    const answer = await passOn(deps, request, passed);
    deps.offline.store(call, answer);
    return answerOf(answer, headersForPage(answer));
  } catch (error) {
    // The caller has cancelled, so the files must not be stored here as a replacement either.
    if (passed.page.control?.signal.aborted) throw error;
    if (endsSession(call, null)) await deps.onSignOut();
    const instead = await deps.offline.lost(call);
    if (instead) return instead;
    throw error;
  }
}

/**
 * Returns whether the page discards its session after this call. A sign-out by proof takes effect only if the server
 * accepts it, or no longer knows the session. After any other sign-out, the page discards its session whatever answers.
 * @param response null if the server was not reached
 */
function endsSession({ path, body }: PageCall, response: Response | null): boolean {
  if (path !== logout.path) return false;
  const sent = parse(new TextDecoder().decode(body)) as SignInProof | null;
  if (sent?.Password === undefined && sent?.Ott === undefined) return true;
  if (!response?.headers.has(SERVER_TIME_HEADER)) return false;
  return response.ok || response.status === 401;
}

interface Passed {
  url: URL;
  body: Uint8Array | undefined;
  headers: Record<string, string>;
  page: CallingPage;
}

async function passOn(
  { net, address, connection }: ServerCallsDeps,
  request: Request,
  { url, body, headers, page: { closed, control } }: Passed,
): Promise<StreamedAnswer> {
  const gone = new AbortController();
  // Other calls, such as downloads, continue after their page was left.
  const ends = [request.signal, control?.signal, url.pathname === liveEvents.path ? closed : undefined];
  for (const end of ends) {
    if (end?.aborted) gone.abort();
    end?.addEventListener('abort', () => gone.abort());
  }
  const { noticed } = connection;
  const target = address + url.pathname.slice(1) + url.search;
  const awayTimer = connection.state() !== 'online' ? setTimeout(() => gone.abort(), AWAY_MS) : undefined;
  const answer = await net
    .stream(target, { method: request.method, headers, body, signal: gone.signal, onSent: control?.onSent })
    .catch((error: unknown) => {
      if (!gone.signal.aborted) noticed(false);
      throw error;
    })
    .finally(() => clearTimeout(awayTimer));
  // A response without the server's clock comes from a proxy, and says nothing about the server behind it.
  noticed(SERVER_TIME_HEADER in answer.headers);
  answer.content.once('error', () => {
    if (!gone.signal.aborted) noticed(false);
  });
  return answer;
}

/** Passing a header takes time, and pages do not read the others. */
function headersForPage({ headers }: StreamedAnswer): Record<string, string> {
  // Downloads use it to show their progress.
  const isFile = 'content-disposition' in headers && !('content-encoding' in headers);
  const passed = isFile ? [...READ_BY_PAGES, 'content-length'] : READ_BY_PAGES;
  return Object.fromEntries(passed.flatMap((name) => (name in headers ? [[name, headers[name]!]] : [])));
}

/** Handles a new session or a renewed token. Responses without a token are passed on unchanged. */
async function withoutToken(
  deps: ServerCallsDeps,
  response: Response,
  { path, name }: { path: string; name: string | null },
): Promise<Response> {
  const text = await response.text();
  const answer = parse(text);
  const holder = holderOf(answer);
  const init = { status: response.status, statusText: response.statusText, headers: response.headers };
  if (holder === null) return new Response(text, init);
  const userName = typeof holder['UserName'] === 'string' ? holder['UserName'] : name;
  const isRenewed = path === renewToken.path;
  const handle = await deps.tokens.store(String(holder['access_token']), { isRenewed });
  await deps.onToken(userName, holder);
  const changed = { ...holder, access_token: handle };
  return new Response(JSON.stringify(holder === answer ? changed : { ...(answer as object), result: changed }), init);
}

function holderOf(answer: unknown): Record<string, unknown> | null {
  if (typeof answer !== 'object' || answer === null) return null;
  if ('access_token' in answer) return answer as Record<string, unknown>;
  return 'result' in answer ? holderOf(answer.result) : null;
}

const ottOf = (body: Uint8Array): string =>
  String((parse(new TextDecoder().decode(body)) as { Ott?: unknown } | null)?.Ott);

const typedName = (url: URL, body: Uint8Array | undefined): string | null =>
  url.pathname === signInToken.path ? new URLSearchParams(new TextDecoder().decode(body)).get('username') : null;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const json = (content: unknown, status = 200): Response =>
  new Response(JSON.stringify(content), { status, headers: { 'content-type': 'application/json; charset=utf-8' } });
