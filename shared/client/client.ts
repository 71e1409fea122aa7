/**
 * Client for programs that call a portal, for Node and browsers: every call in shared/contract, with its types. For the
 * meaning of the calls, see the portal's page /api/docs, which is generated from the same contract.
 */
import type { Endpoint, ResultOf } from '../contract/endpoint.ts';
import { downloadFile } from '../contract/files.ts';
import { SERVER_TIME_HEADER } from '../contract/headers.ts';
import {
  encodeBody,
  pathOf,
  readFailure,
  type EndpointInput,
  type LooseInput,
  type OptionalArgument,
} from './request.ts';

/** A call was refused, failed, or got no response. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  /** HTTP status; 0 if no response arrived, so it is unknown whether the call was executed. */
  readonly status: number;
  /** Messages by field; '' for the call as a whole. */
  readonly modelState: Record<string, string[]>;
  /** JSON of the response, for calls whose failures contain more; undefined if there is none. */
  readonly answer: unknown;

  constructor(message: string, details: { status: number; answer?: unknown; cause?: unknown }) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.answer = details.answer;
    this.modelState = readFailure(details.answer).modelState;
  }
}

export interface ClientOptions {
  /** Address of the portal with its base path: 'https://portal.example/runsheet'. */
  address: string;
  /** An API key or a session token; null for calls that need no authentication. */
  token: string | null;
  /** Replaces the platform's fetch, for proxies and tests. */
  fetch?: typeof fetch;
}

interface CallOptions {
  signal?: AbortSignal;
  /** Added to the headers of every call. */
  headers?: Readonly<Record<string, string>>;
}

export type CallInput<E> = EndpointInput<E> & CallOptions;

export interface Client {
  /** Address of the portal; ends with '/'. */
  readonly address: string;
  /** Makes a call and returns its result. Throws CallFailure, or the abort reason of its signal. */
  call<E extends Endpoint>(endpoint: E, ...rest: OptionalArgument<CallInput<E>>): Promise<ResultOf<E>>;
  /** Makes a call that answers in lines of JSON, and yields each as it arrives. `accept` is their media type. */
  lines<E extends Endpoint>(endpoint: E, input: CallInput<E> & { accept: string }): AsyncGenerator;
  /** Sends a multipart form and returns the bare JSON result. */
  upload<E extends Endpoint>(endpoint: E, form: FormData, options?: CallOptions): Promise<ResultOf<E>>;
  /**
   * Opens the file of a token; tokens are valid for two minutes. The file's name is in the content-disposition header.
   */
  file(token: string, options?: CallOptions): Promise<Response>;
}

/** Throws TypeError if the address is not an HTTP address. */
export function createClient(options: ClientOptions): Client {
  const base = new URL(options.address.replace(/\/*$/, '/'));
  if (!/^https?:$/.test(base.protocol))
    throw new TypeError(`An address begins with http:// or https://: ${options.address}`);
  const send = async (path: string, init: RequestInit & { headers: Headers }): Promise<Response> => {
    if (options.token !== null) init.headers.set('authorization', `Bearer ${options.token}`);
    try {
      // A redirect could send the token to another host.
      return await (options.fetch ?? fetch)(new URL(path, base), { ...init, redirect: 'error', cache: 'no-store' });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new CallFailure(`The portal cannot be reached at ${base.href}${reasonOf(error)}`, {
        status: 0,
        cause: error,
      });
    }
  };
  return {
    address: base.href,
    async call(endpoint, ...rest) {
      const input = (rest[0] ?? {}) as LooseInput & CallOptions;
      const headers = new Headers({ ...input.headers, accept: 'application/json' });
      const body = encodeBody(endpoint, input.body, headers);
      const response = await send(pathOf(endpoint, input), {
        method: endpoint.method,
        headers,
        body,
        signal: input.signal,
      });
      const answer = await readAnswer(response);
      return (endpoint.transport === 'json' ? (answer as { result: unknown }).result : answer) as ResultOf<
        typeof endpoint
      >;
    },
    async *lines(endpoint, input) {
      const own = input as LooseInput & CallOptions & { accept: string };
      const headers = new Headers({ ...own.headers, accept: own.accept });
      const body = encodeBody(endpoint, own.body, headers);
      const { method } = endpoint;
      const response = await send(pathOf(endpoint, own), { method, headers, body, signal: own.signal });
      if (!response.ok) throw failureOf(response, await response.json().catch(() => undefined));
      yield* readLines(response, base.href);
    },
    async upload(endpoint, form, { headers, signal } = {}) {
      const sent = new Headers({ ...headers, accept: 'application/json' });
      return (await readAnswer(
        await send(pathOf(endpoint), { method: 'POST', headers: sent, body: form, signal }),
      )) as ResultOf<typeof endpoint>;
    },
    async file(token, { headers, signal } = {}) {
      const path = pathOf(downloadFile, { params: { token: token.replace(/^<PARTIAL>/, '') } });
      const response = await send(path, { method: 'GET', headers: new Headers(headers), signal });
      if (!response.ok) throw failureOf(response, await response.json().catch(() => undefined));
      return response;
    },
  };
}

/** Node reports only 'fetch failed' and puts the reason in the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const said = cause instanceof Error && cause.message !== '' ? cause.message : message;
  return said && !/^(fetch failed|failed to fetch)$/i.test(said) ? `: ${said}` : '';
}

async function readAnswer(response: Response): Promise<unknown> {
  let answer: unknown;
  try {
    answer = await response.json();
  } catch (cause) {
    if (cause instanceof DOMException) throw cause;
    if (!response.ok) throw failureOf(response, undefined);
    throw new CallFailure('The portal answered something that is no answer of Runsheet', {
      status: response.status,
      cause,
    });
  }
  if (!response.ok) throw failureOf(response, answer);
  return answer;
}

/** Throws CallFailure if the connection ends in the middle. */
async function* readLines(response: Response, address: string): AsyncGenerator {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of response.body ?? []) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as unknown;
    }
  } catch (cause) {
    if (cause instanceof DOMException) throw cause;
    const message = `The answer of the portal at ${address} ended too early${reasonOf(cause)}`;
    throw new CallFailure(message, { status: 0, cause });
  }
}

const SILENT: Record<number, string> = {
  401: 'The portal does not know this key or session: sign in again',
  403: 'You do not have permissions for this operation',
  404: 'There is no such thing at the portal',
};

function failureOf({ status, statusText, headers }: Response, answer: unknown): CallFailure {
  const { message, modelState } = readFailure(answer);
  const fields = Object.entries(modelState).flatMap(([field, texts]) =>
    texts.map((text) => (field === '' ? text : `${field}: ${text}`)),
  );
  const said = [message, ...fields].filter((text, index, all) => text !== '' && all.indexOf(text) === index).join('\n');
  const named = `${status} ${statusText}`.trim();
  // Without the server's time, a proxy has answered: its 401 says nothing about the session, its 404 nothing about data.
  const silent = headers.has(SERVER_TIME_HEADER)
    ? (SILENT[status] ?? `The portal answered ${named}`)
    : `Something other than the portal answered: ${named}`;
  return new CallFailure(said || silent, { status, answer });
}
