import {
  encodeBody,
  pathOf,
  type EndpointInput,
  type LooseInput,
  type OptionalArgument,
} from '#shared/client/request.ts';
import type { Endpoint, ResultOf } from '#shared/contract/endpoint.ts';
import { STORED_AT_HEADER, UNATTENDED_HEADER } from '#shared/contract/headers.ts';
import { noteAnswerTime } from './answer-times.ts';
import { AppFailure, failureOfAnswer, isAbort, toFailure } from './app-failure.ts';
import { bridge } from './bridge.ts';
import { failureOfProxy, isOfServer } from './proxy-answer.ts';
import { sendForm, type FormReply, type SendOptions } from './send-form.ts';

export type { UploadProgress } from './send-form.ts';

/** Input of a call: params and body if the endpoint has them, and an optional query. */
export type CallInput<E> = EndpointInput<E> & CallOptions;

interface CallOptions {
  signal?: AbortSignal;
  /** True for periodic calls by the screen itself, which are not user activity. */
  polls?: boolean;
  /** Added to the headers of every call. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * The interface between the session and this client. It is set once, by app/session.ts, so that the two modules do not
 * have to import each other.
 */
export interface SessionPort {
  token: () => string | null;
  /** Called after a 401 of the server. Returns true if a newer token is available and the call should be repeated. */
  onUnauthorized: (tokenUsed: string | null) => Promise<boolean>;
  /** Called after a successful call. `polled` is true if the user did not cause it. */
  onAnswer: (endpoint: Endpoint, headers: Headers, polled: boolean) => void;
  /** Returns whether the user has been inactive for a while. */
  isUnattended: () => boolean;
}

let session: SessionPort = {
  token: () => null,
  onUnauthorized: async () => false,
  onAnswer: () => undefined,
  isUnattended: () => false,
};

export function connectSession(port: SessionPort): void {
  session = port;
}

/** Makes a call and returns its result; throws AppFailure, or the abort reason of its signal. */
export async function call<E extends Endpoint>(
  endpoint: E,
  ...rest: OptionalArgument<CallInput<E>>
): Promise<ResultOf<E>> {
  return (await callWithHeaders(endpoint, ...rest)).result;
}

/** Works like call, and also returns the response headers. */
export async function callWithHeaders<E extends Endpoint>(
  endpoint: E,
  ...rest: OptionalArgument<CallInput<E>>
): Promise<{ result: ResultOf<E>; headers: Headers }> {
  const input = (rest[0] ?? {}) as LooseInput & CallOptions;
  const tokenUsed = session.token();
  let response = await send(endpoint, input, tokenUsed);
  if (isRefusal(response) && (await session.onUnauthorized(tokenUsed))) {
    response = await send(endpoint, input, session.token());
  }
  if (!response.ok) throw await failureOfResponse(response);
  const answer = await readJson(response);
  session.onAnswer(endpoint, response.headers, input.polls === true);
  const result = readResult(endpoint, answer) as ResultOf<E>;
  noteAnswerTime(result, response.headers.get(STORED_AT_HEADER));
  return { result, headers: response.headers };
}

async function send(endpoint: Endpoint, input: LooseInput & CallOptions, token: string | null): Promise<Response> {
  const headers = new Headers({
    ...input.headers,
    accept: 'application/json',
    'cache-control': 'no-cache',
    pragma: 'no-cache',
  });
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  // While a user types, only these calls happen. They then count as activity, because typing causes no other call.
  if (input.polls && session.isUnattended()) headers.set(UNATTENDED_HEADER, '1');
  try {
    const response = await fetch(addressOf(endpoint, input), {
      method: endpoint.method,
      headers,
      body: encodeBody(endpoint, input.body, headers),
      signal: input.signal,
      cache: 'no-store',
      credentials: 'same-origin',
    });
    noticeAnswer(response);
    return response;
  } catch (error) {
    if (isAbort(error)) throw error;
    bridge.connection.noticed(false);
    if (bridge.connection.isReadable() && endpoint.offline !== null)
      throw new AppFailure(NEVER_OPENED, { cause: error });
    throw toFailure(error);
  }
}

const NEVER_OPENED = 'Network error: The server cannot be reached, and this content has not been opened before.';

/** A failure that is not the server's comes from a proxy, which says nothing about the server behind it. */
function noticeAnswer({ headers, status }: Response): void {
  if (isOfServer(headers)) bridge.connection.noticed(true);
  else if (status >= 502) bridge.connection.noticed(false);
}

/** Returns whether the server no longer accepts the session. A 401 of a proxy says nothing about the session. */
const isRefusal = ({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean =>
  status === 401 && isOfServer(headers);

/**
 * Opens an event stream as the signed-in user; it does not count as activity. Throws AppFailure, or the abort reason of
 * its signal.
 */
export async function openStream(
  endpoint: Endpoint,
  input: Pick<LooseInput & CallOptions, 'query' | 'signal'>,
): Promise<ReadableStream<Uint8Array>> {
  const token = session.token();
  const response = await fetch(addressOf(endpoint, input), {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token ?? ''}`, [UNATTENDED_HEADER]: '1' },
    signal: input.signal,
    cache: 'no-store',
    credentials: 'same-origin',
  });
  // A page that only displays events may make no other call that would reveal the end of the session.
  if (isRefusal(response)) await session.onUnauthorized(token);
  if (!response.ok || !response.body) throw new AppFailure('Unexpected error', { status: response.status });
  return response.body;
}

const addressOf = (endpoint: Endpoint, input?: Pick<LooseInput, 'params' | 'query'>): string =>
  bridge.addressOf(pathOf(endpoint, input));

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new AppFailure('Unexpected error', { status: response.status, cause: error });
  }
}

async function failureOfResponse(response: Response): Promise<AppFailure> {
  const { status, statusText, headers } = response;
  const text = await response.text().catch((error: unknown) => {
    if (isAbort(error)) throw error;
    return '';
  });
  const answer = parseJson(text) ?? null;
  return failureOfProxy({ status, statusText, headers, text, answer }) ?? failureOfAnswer(status, answer);
}

function readResult(endpoint: Endpoint, answer: unknown): unknown {
  if (endpoint.transport !== 'json') return answer;
  if (typeof answer === 'object' && answer !== null && 'result' in answer) return answer.result;
  throw new AppFailure('Unexpected error', { answer });
}

export interface UploadOptions extends SendOptions {
  /** Values of the path's placeholders, if it has any. */
  params?: Readonly<Record<string, string | number>>;
  query?: LooseInput['query'];
}

/**
 * Sends a multipart form and reports progress, which fetch cannot do. Throws AppFailure, with the server's whole
 * response in `answer`. A refusal by a network or proxy that mentions denied authorization is treated as a 401.
 */
export async function upload<E extends Endpoint>(
  endpoint: E,
  form: FormData,
  options: UploadOptions = {},
): Promise<ResultOf<E>> {
  const tokenUsed = session.token();
  const address = addressOf(endpoint, { params: options.params, query: options.query });
  let reply = await sendForm(address, form, tokenUsed, options);
  if (isDenied(reply) && (await session.onUnauthorized(tokenUsed))) {
    reply = await sendForm(address, form, session.token(), options);
  }
  const answer = parseJson(reply.text);
  if (reply.status >= 200 && reply.status < 300 && answer !== undefined) {
    session.onAnswer(endpoint, reply.headers, false);
    return answer as ResultOf<E>;
  }
  const proxyFailure = failureOfProxy({ ...reply, answer });
  if (proxyFailure) throw proxyFailure;
  const failure = failureOfAnswer(reply.status, answer);
  const message = failure.message === 'Unexpected error' ? 'Unknown error' : failure.message;
  throw new AppFailure(message, { status: reply.status, modelState: failure.modelState, answer });
}

const isDenied = (reply: FormReply): boolean =>
  isRefusal(reply) || (reply.status >= 400 && /authorization/i.test(reply.text) && /denied/i.test(reply.text));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
