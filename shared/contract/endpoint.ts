/**
 * A call: method, path, who may make it, and the schemas of what goes in and comes out. The server registers its routes
 * from these objects and the renderer calls through them, so that neither can drift from the other.
 */
import { Type, type Static, type TProperties, type TSchema } from 'typebox';
import type { RightName } from './rights.ts';

/**
 * Who may make a call.
 * - public: anybody, signed in or not.
 * - token: whoever holds the short-lived token in the path (a browser's download cannot send a bearer header).
 * - signedIn: every signed-in person; the service filters what they may see.
 * - userAdmin: administrators of users (IsUserAdmin).
 * - right: the right, for All (`on: 'all'`) or for the object of the call, which the service looks up and checks (`on: 'object'`).
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'token' }
  | { kind: 'signedIn' }
  | { kind: 'userAdmin' }
  | { kind: 'right'; right: RightName; on: 'all' | 'object' };

export const publicAccess: Access = { kind: 'public' };
export const tokenAccess: Access = { kind: 'token' };
export const signedIn: Access = { kind: 'signedIn' };
export const userAdmin: Access = { kind: 'userAdmin' };
export const needs = (right: RightName): Access => ({ kind: 'right', right, on: 'all' });
export const needsOn = (right: RightName): Access => ({ kind: 'right', right, on: 'object' });

/**
 * How a call's data travels.
 * - json: JSON in; `{result}` out, or `{message, modelState?}` with a status of 400 and above.
 * - form: application/x-www-form-urlencoded in, a bare JSON object out (POST /token, as OAuth clients expect it).
 * - multipart: multipart/form-data in, a bare JSON object out, failures carry `Message`.
 * - file: a file's bytes out.
 */
export type Transport = 'json' | 'form' | 'multipart' | 'file';

/**
 * What programs on the person's computer store of a call, encrypted, to be read while the server is away, as long as the server allows it:
 * the answer, or the file that the token of the answer leads to. Only calls that show what was opened; none that changes anything.
 */
export type OfflineCopy = 'answer' | 'file';

export interface EndpointParts {
  params?: TSchema;
  query?: TSchema;
  body?: TSchema;
  result?: TSchema;
  /** The answer 202 of a JSON call that may wait, where what it waited for has not come. */
  accepted?: TSchema;
  /** The answer 409 of a JSON call, where it says more than others. */
  conflict?: TSchema;
  /** The answer 422, where it says more than others. */
  refused?: TSchema;
}

export interface Endpoint<P extends EndpointParts = EndpointParts> {
  readonly method: 'GET' | 'POST';
  /** With Fastify's placeholders: '/api/activities/status/:id'. */
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  readonly transport: Transport;
  /** Whether API keys may not make the call, whatever their scope: it is about how the person signs in. */
  readonly sessionOnly: boolean;
  readonly offline: OfflineCopy | null;
  readonly parts: P;
}

/**
 * A number that is also taken as its text, as people type it. Anything is let through, so that what is no number gets the
 * message of its field instead of one about JSON; the rules of the field read it.
 */
export const TypedNumber = Type.Unsafe<unknown>({
  description: 'A number, or the text of one; null where there is none',
});

interface EndpointOptions<P extends EndpointParts> {
  access: Access;
  summary: string;
  transport?: Transport;
  sessionOnly?: true;
  offline?: OfflineCopy;
  parts: P;
}

function define<P extends EndpointParts>(
  method: 'GET' | 'POST',
  path: string,
  options: EndpointOptions<P>,
): Endpoint<P> {
  const { access, summary, transport = 'json', sessionOnly = false, offline = null, parts } = options;
  return { method, path, access, summary, transport, sessionOnly, offline, parts };
}

export const get = <P extends EndpointParts>(path: string, options: EndpointOptions<P>): Endpoint<P> =>
  define('GET', path, options);
export const post = <P extends EndpointParts>(path: string, options: EndpointOptions<P>): Endpoint<P> =>
  define('POST', path, options);

type Part<P extends EndpointParts, K extends keyof EndpointParts> = P[K] extends TSchema ? Static<P[K]> : undefined;

/**
 * The values of each part. The compiler takes seconds to infer through TypeBox's `Static` in generic calls; it does not look for anything to
 * infer behind a property.
 */
type ValuesOf<E> = E extends Endpoint<infer P> ? { [K in keyof EndpointParts]-?: Part<P, K> } : never;

export type ParamsOf<E> = ValuesOf<E>['params'];
export type QueryOf<E> = ValuesOf<E>['query'];
export type BodyOf<E> = ValuesOf<E>['body'];
export type ResultOf<E> = ValuesOf<E>['result'];

/** An object that refuses fields it does not know. */
export const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** Fields that a body may carry and that are not looked at: the key of the schema under which they are listed. */
export const IGNORED_FIELDS = 'x-ignored-fields';

/**
 * An object that refuses fields it does not know, but takes those of the entity that a call does not need: clients may send back
 * what they were given. They are taken off before the body is validated, so that no service ever sees them.
 */
export const closedBut = <P extends TProperties>(ignored: readonly string[], properties: P) =>
  Type.Object(properties, {
    additionalProperties: false,
    [IGNORED_FIELDS]: ignored.filter((name) => !(name in properties)),
  });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A point in time, ISO 8601 in UTC. Values of inputs and outputs are serial days instead (see codecs/serial-date.ts). */
export const Timestamp = Type.String({ format: 'date-time' });

/** The largest number of a 32-bit column. The server holds every whole number of a request to it that states no maximum of its own. */
export const INTEGER_MAX = 2_147_483_647;

/** A row's number. */
export const Id = Type.Integer({ minimum: 1, maximum: INTEGER_MAX });

/** A run's number: it may pass 2^31, but stays exact in JavaScript. */
export const RunId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const IdParams = closed({ id: Id });
export const RunIdParams = closed({ id: RunId });
export const RunParams = closed({ runId: RunId });

/** What every refused or failed JSON call answers. `modelState` maps a field's name (or '') to its messages. */
export const Failure = closed({
  message: Type.String(),
  modelState: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
});
export type Failure = Static<typeof Failure>;
