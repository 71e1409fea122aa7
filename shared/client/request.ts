/** How a call of the contract becomes an HTTP request: the same for the pages of the portal, the command line and programs of others. */
import type { BodyOf, Endpoint, ParamsOf, QueryOf } from '../contract/endpoint.ts';

type Needed<K extends string, T> = [T] extends [undefined] ? unknown : { [key in K]: T };
type Offered<K extends string, T> = [T] extends [undefined] ? unknown : { [key in K]?: T };

/** What a call takes: params and body where the endpoint has them, a query where it likes. */
export type EndpointInput<E> = Needed<'params', ParamsOf<E>> & Needed<'body', BodyOf<E>> & Offered<'query', QueryOf<E>>;

/** An argument that may be left out where nothing in it is needed. */
export type OptionalArgument<T> = Partial<T> extends T ? [input?: T] : [input: T];

/** The same without the types of one endpoint. */
export interface LooseInput {
  params?: Record<string, unknown>;
  query?: Record<string, string | number | boolean | null | undefined>;
  body?: unknown;
}

/** The path of a call relative to the portal's address, which ends with '/'; its placeholders are filled in. */
export function pathOf(endpoint: Endpoint, input: Pick<LooseInput, 'params' | 'query'> = {}): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input.params?.[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const tail = query.size > 0 ? `?${query.toString()}` : '';
  return path.slice(1) + tail;
}

/** The body as its transport has it; sets the type of its content. */
export function encodeBody(endpoint: Endpoint, body: unknown, headers: Headers): string | URLSearchParams | undefined {
  if (endpoint.transport === 'form') return new URLSearchParams(body as Record<string, string>);
  if (body === undefined) return undefined;
  headers.set('content-type', 'application/json');
  return JSON.stringify(body);
}

/** What a refused call says, and of which fields: calls write `message` and `modelState`, uploads `Message`. '' where it says nothing. */
export function readFailure(answer: unknown): { message: string; modelState: Record<string, string[]> } {
  if (typeof answer !== 'object' || answer === null) return { message: '', modelState: {} };
  const { message, Message, modelState } = answer as Record<string, unknown>;
  const said = typeof message === 'string' ? message : Message;
  return {
    message: typeof said === 'string' ? said : '',
    modelState: typeof modelState === 'object' && modelState !== null ? (modelState as Record<string, string[]>) : {},
  };
}
