/** Converts calls of the contract to HTTP requests, for the portal's pages, the command line and external programs. */
import type { BodyOf, Endpoint, ParamsOf, QueryOf } from '../contract/endpoint.ts';

type Needed<K extends string, T> = [T] extends [undefined] ? unknown : { [key in K]: T };
type Offered<K extends string, T> = [T] extends [undefined] ? unknown : { [key in K]?: T };

/** Input of a call: params and body if the endpoint has them, and an optional query. */
export type EndpointInput<E> = Needed<'params', ParamsOf<E>> & Needed<'body', BodyOf<E>> & Offered<'query', QueryOf<E>>;

/** An argument that may be omitted if it has no required fields. */
export type OptionalArgument<T> = Partial<T> extends T ? [input?: T] : [input: T];

/** Input of a call without the types of a specific endpoint. */
export interface LooseInput {
  params?: Record<string, unknown>;
  query?: Record<string, string | number | boolean | null | undefined>;
  body?: unknown;
}

/**
 * Returns the path of a call with its placeholders filled in, relative to the portal's address, which ends with '/'.
 */
export function pathOf(endpoint: Endpoint, input: Pick<LooseInput, 'params' | 'query'> = {}): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input.params?.[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const tail = query.size > 0 ? `?${query.toString()}` : '';
  return path.slice(1) + tail;
}

/** Encodes the body for its transport and sets the content type. */
export function encodeBody(endpoint: Endpoint, body: unknown, headers: Headers): string | URLSearchParams | undefined {
  if (endpoint.transport === 'form') return new URLSearchParams(body as Record<string, string>);
  if (body === undefined) return undefined;
  headers.set('content-type', 'application/json');
  return JSON.stringify(body);
}

/**
 * Returns the message and field messages of a refused call. JSON calls use `message` and `modelState`, uploads
 * `Message`. The message is '' if there is none.
 */
export function readFailure(answer: unknown): { message: string; modelState: Record<string, string[]> } {
  if (typeof answer !== 'object' || answer === null) return { message: '', modelState: {} };
  const { message, Message, modelState } = answer as Record<string, unknown>;
  const said = typeof message === 'string' ? message : Message;
  return {
    message: typeof said === 'string' ? said : '',
    modelState: typeof modelState === 'object' && modelState !== null ? (modelState as Record<string, string[]>) : {},
  };
}
