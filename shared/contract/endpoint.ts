/**
 * An endpoint: method, path, access rule, and the schemas of its inputs and results. The server registers its routes
 * from these objects and the renderer calls through them, so the two cannot diverge.
 */
import { Type, type Static, type TProperties, type TSchema } from 'typebox';
import type { RightName } from './rights.ts';

/**
 * Who may make a call.
 * - public: anyone, signed in or not.
 * - token: anyone who holds the short-lived token in the path (a browser's download cannot send a bearer header).
 * - signedIn: every signed-in user; the service filters what they may see.
 * - userAdmin: administrators of users (IsUserAdmin).
 * - right: holders of the right, either for All (`on: 'all'`) or for the object of the call, which the service looks up
 * and checks (`on: 'object'`).
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
 * How a call transfers its data.
 * - json: JSON in; `{result}` out, or `{message, modelState?}` with a status of 400 and above.
 * - form: application/x-www-form-urlencoded in, a bare JSON object out (POST /token, as OAuth clients expect it).
 * - multipart: multipart/form-data in, a bare JSON object out, failures contain `Message`.
 * - file: a file's bytes out.
 */
export type Transport = 'json' | 'form' | 'multipart' | 'file';

/**
 * What desktop clients store of a call, encrypted, to show it while the server is unreachable, for as long as the
 * server allows. Either the result, or the file that the token in the result leads to. Only for calls that display
 * something; never for calls that change anything.
 */
export type OfflineCopy = 'answer' | 'file';

export interface EndpointParts {
  params?: TSchema;
  query?: TSchema;
  body?: TSchema;
  result?: TSchema;
  /** Result of a JSON call that may wait, sent with status 202 if the awaited event did not occur in time. */
  accepted?: TSchema;
  /** Body of status 409, if it contains more than the usual failure. */
  conflict?: TSchema;
  /** Body of status 422, if it contains more than the usual failure. */
  refused?: TSchema;
}

export interface Endpoint<P extends EndpointParts = EndpointParts> {
  readonly method: 'GET' | 'POST';
  /** With Fastify's placeholders: '/api/activities/status/:id'. */
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  readonly transport: Transport;
  /** True if API keys may not make the call, whatever their scope, because it concerns how the user signs in. */
  readonly sessionOnly: boolean;
  readonly offline: OfflineCopy | null;
  readonly parts: P;
}

/**
 * A number, or its text as users type it. The schema accepts any value, so that the field's own rules report an invalid
 * number in place of a generic JSON error.
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
 * The value type of each part. Inferring through TypeBox's `Static` in generic calls takes the compiler seconds; it
 * does not attempt this inference behind a property.
 */
type ValuesOf<E> = E extends Endpoint<infer P> ? { [K in keyof EndpointParts]-?: Part<P, K> } : never;

export type ParamsOf<E> = ValuesOf<E>['params'];
export type QueryOf<E> = ValuesOf<E>['query'];
export type BodyOf<E> = ValuesOf<E>['body'];
export type ResultOf<E> = ValuesOf<E>['result'];

/** An object schema that rejects unknown fields. */
export const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** Schema key that lists the fields which a body may contain and which are ignored. */
export const IGNORED_FIELDS = 'x-ignored-fields';

/**
 * An object schema that rejects unknown fields, except for the listed fields of the entity. Clients may thus send back
 * an object as they received it. The listed fields are removed before the body is validated, so no service sees them.
 */
export const closedBut = <P extends TProperties>(ignored: readonly string[], properties: P) =>
  Type.Object(properties, {
    additionalProperties: false,
    [IGNORED_FIELDS]: ignored.filter((name) => !(name in properties)),
  });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A point in time, ISO 8601 in UTC. Values of inputs and outputs are serial days instead (see codecs/serial-date.ts). */
export const Timestamp = Type.String({ format: 'date-time' });

/** Maximum of a 32-bit column. The server applies it to every integer in a request whose schema states no maximum. */
export const INTEGER_MAX = 2_147_483_647;

/** Id of a database row. */
export const Id = Type.Integer({ minimum: 1, maximum: INTEGER_MAX });

/** Id of a run. It may exceed 2^31 but stays exact in JavaScript. */
export const RunId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const IdParams = closed({ id: Id });
export const RunIdParams = closed({ id: RunId });
export const RunParams = closed({ runId: RunId });

/** Changes whenever anything that an editor sees of a thing changes. 0 if it was never saved, or not since an update. */
export const Revision = Type.Integer({ minimum: 0, maximum: INTEGER_MAX });

/**
 * The Revision on which an edit is based. If it is no longer current, nothing is saved. If absent, the last save wins.
 */
export const EditedRevision = Type.Optional(nullable(Revision));

/** The change that an edit based on an earlier Revision would have overwritten. */
export const OtherEdit = closed({ Revision, UserFullName: Type.String(), Time: Timestamp });
export type OtherEdit = Static<typeof OtherEdit>;

/** Body of every refused or failed JSON call. `modelState` maps a field's name (or '') to its messages. */
export const Failure = closed({
  message: Type.String(),
  modelState: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  /** With status 409, if the call named a Revision that is no longer current. */
  OtherEdit: Type.Optional(OtherEdit),
});
export type Failure = Static<typeof Failure>;
