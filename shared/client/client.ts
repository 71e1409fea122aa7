/**
 * Calls to a portal from programs, in Node and in browsers: each call of shared/contract with its types. Source of what calls mean: the
 * portal's own page /api/docs, which is made of the same contract.
 */
import type { Endpoint, ResultOf } from '../contract/endpoint.ts';
import { downloadFile } from '../contract/files.ts';
import {
  encodeBody,
  pathOf,
  readFailure,
  type EndpointInput,
  type LooseInput,
  type OptionalArgument,
} from './request.ts';

/** A call that was refused, failed, or had no answer. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  /** HTTP status; 0 where no answer came, and nobody knows whether the call was carried out. */
  readonly status: number;
  /** Messages by field; '' for the whole. */
  readonly modelState: Record<string, string[]>;
  /** The answer's JSON, for calls whose failures say more; undefined where there is none. */
  readonly answer: unknown;

  constructor(message: string, details: { status: number; answer?: unknown; cause?: unknown }) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.answer = details.answer;
    this.modelState = readFailure(details.answer).modelState;
  }
}

export interface ClientOptions {
  /** Of the portal, with its base path: 'https://portal.example/runsheet'. */
  address: string;
  /** An API key, or the token of a session. Null for calls that need nobody. */
  token: string | null;
  /** Instead of the platform's, for proxies and tests. */
  fetch?: typeof fetch;
}

interface CallOptions {
  signal?: AbortSignal;
  /** Beside those that every call has. */
  headers?: Readonly<Record<string, string>>;
}

export type CallInput<E> = EndpointInput<E> & CallOptions;

export interface Client {
  /** Of the portal; ends with '/'. */
  readonly address: string;
  /** Makes a call and gives its result. Throws CallFailure, or the abort of its signal. */
  call<E extends Endpoint>(endpoint: E, ...rest: OptionalArgument<CallInput<E>>): Promise<ResultOf<E>>;
  /** Sends a multipart form, and gives the bare answer. */
  upload<E extends Endpoint>(endpoint: E, form: FormData, options?: CallOptions): Promise<ResultOf<E>>;
  /** Opens the file that a token stands for: tokens last two minutes. Its name is in the header content-disposition. */
  file(token: string, options?: CallOptions): Promise<Response>;
}

/** Throws TypeError where the address is none of HTTP. */
export function createClient(options: ClientOptions): Client {
  const base = new URL(options.address.replace(/\/*$/, '/'));
  if (!/^https?:$/.test(base.protocol))
    throw new TypeError(`An address begins with http:// or https://: ${options.address}`);
  const send = async (path: string, init: RequestInit & { headers: Headers }): Promise<Response> => {
    if (options.token !== null) init.headers.set('authorization', `Bearer ${options.token}`);
    try {
      // A redirect would carry the token to wherever it leads.
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

/** Node says 'fetch failed' and keeps what it means in the cause. */
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

const SILENT: Record<number, string> = {
  401: 'The portal does not know this key or session: sign in again',
  403: 'You do not have permissions for this operation',
  404: 'There is no such thing at the portal',
};

function failureOf({ status, statusText }: Response, answer: unknown): CallFailure {
  const { message, modelState } = readFailure(answer);
  const fields = Object.entries(modelState).flatMap(([field, texts]) =>
    texts.map((text) => (field === '' ? text : `${field}: ${text}`)),
  );
  const said = [message, ...fields].filter((text, index, all) => text !== '' && all.indexOf(text) === index).join('\n');
  return new CallFailure(said || SILENT[status] || `The portal answered ${status} ${statusText}`.trim(), {
    status,
    answer,
  });
}
