import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingAsyncHookHandler,
  RouteShorthandOptions,
} from 'fastify';
import { Type, type TSchema } from 'typebox';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { closed, Failure } from '#shared/contract/endpoint.ts';
import type {
  BodyOf,
  Endpoint,
  EndpointParts,
  ParamsOf,
  QueryOf,
  ResultOf,
  Transport,
} from '#shared/contract/endpoint.ts';
import { UploadFailure } from '#shared/contract/versions.ts';
import { TokenFailure } from '#shared/contract/auth.ts';
import { NO_PERMISSION } from './access.ts';
import { ignoreFields } from './ignored-fields.ts';
import './fastify-types.ts';

/** The arguments of a handler. All of them have passed the contract's schemas. */
export interface Call<P extends EndpointParts> {
  params: ParamsOf<Endpoint<P>>;
  query: QueryOf<Endpoint<P>>;
  body: BodyOf<Endpoint<P>>;
  person: Person;
  /** For multipart parts, the caller's address and the log; everything else is above. */
  request: FastifyRequest;
  /** For headers and files; the response itself is what the handler returns. */
  reply: FastifyReply;
}

export type PublicCall<P extends EndpointParts> = Omit<Call<P>, 'person'>;

type Answer<P extends EndpointParts> = P['result'] extends TSchema ? ResultOf<Endpoint<P>> : unknown;
export type Handler<P extends EndpointParts, C = Call<P>> = (call: C) => Answer<P> | Promise<Answer<P>>;

export interface RouteOptions {
  /** Maximum number of bytes of a JSON body; the server's limit if absent. */
  bodyLimit?: number;
  /** Maximum number of calls per minute from one address. */
  callsPerMinute?: number;
  /** Runs before the body is read, and refuses the call by throwing an AppError. */
  beforeBody?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

/**
 * Registers a route for a contract's endpoint that requires a signed-in person. P is inferred only from the endpoint:
 * inferring it from handlers too costs the compiler seconds.
 */
export function registerEndpoint<P extends EndpointParts>(
  app: FastifyInstance,
  endpoint: Endpoint<P>,
  handler: NoInfer<Handler<P>>,
  options: RouteOptions = {},
): void {
  if (isOpen(endpoint)) throw new Error(`${endpoint.path} is open: register it with registerPublicEndpoint`);
  addRoute(app, endpoint, options, (request, reply) => {
    if (!request.person) throw new AppError('notSignedIn', 401, NO_PERMISSION);
    return handler({ ...inputOf<P>(request), person: request.person, request, reply });
  });
}

/** Registers a route for an endpoint that anybody may call, or anyone with the token in its path. */
export function registerPublicEndpoint<P extends EndpointParts>(
  app: FastifyInstance,
  endpoint: Endpoint<P>,
  handler: NoInfer<Handler<P, PublicCall<P>>>,
  options: RouteOptions = {},
): void {
  if (!isOpen(endpoint)) throw new Error(`${endpoint.path} needs a person: register it with registerEndpoint`);
  addRoute(app, endpoint, options, (request, reply) => handler({ ...inputOf<P>(request), request, reply }));
}

function isOpen({ access }: Endpoint): boolean {
  return access.kind === 'public' || access.kind === 'token';
}

function inputOf<P extends EndpointParts>(request: FastifyRequest) {
  return {
    params: request.params as ParamsOf<Endpoint<P>>,
    query: request.query as QueryOf<Endpoint<P>>,
    body: request.body as BodyOf<Endpoint<P>>,
  };
}

function addRoute(
  app: FastifyInstance,
  endpoint: Endpoint,
  options: RouteOptions,
  handle: (request: FastifyRequest, reply: FastifyReply) => unknown,
): void {
  const { method, path, access, transport, sessionOnly } = endpoint;
  app.route({
    method,
    url: path,
    schema: routeSchema(endpoint),
    config: { access, transport, sessionOnly, ...rateLimit(options) },
    ...ignoreFields(endpoint.parts.body),
    ...(options.bodyLimit === undefined ? {} : { bodyLimit: options.bodyLimit }),
    ...beforeBody(options),
    handler: async (request, reply) => {
      const answer = await handle(request, reply);
      // `await` on a reply does not return the reply, so a sent reply is recognized by `sent`. Nothing is sent either
      // if the client has disconnected in the meantime.
      if (reply.sent || answer === reply || reply.raw.destroyed) return reply;
      return transport === 'json' ? { result: answer } : answer;
    },
  });
}

/** After the limit of calls, which is checked when a request arrives. */
function beforeBody({ beforeBody: check }: RouteOptions): { preParsing?: preParsingAsyncHookHandler } {
  if (check === undefined) return {};
  return {
    preParsing: async (request, reply) => {
      await check(request, reply);
    },
  };
}

function rateLimit({ callsPerMinute }: RouteOptions): object {
  return callsPerMinute === undefined ? {} : { rateLimit: { max: callsPerMinute, timeWindow: '1 minute' } };
}

/** For endpoints without a body; clients send null, {} or nothing at all. */
const NoBody = Type.Union([Type.Null(), closed({})]);
const NoFields = closed({});

const FAILURES: Record<Transport, TSchema> = {
  json: Failure,
  file: Failure,
  form: TokenFailure,
  multipart: UploadFailure,
};

function routeSchema({ parts, transport, method, summary, access, path }: Endpoint): RouteShorthandOptions['schema'] {
  const { params, query, body, result, accepted, conflict, refused } = parts;
  return {
    summary,
    tags: [tagOf(path)],
    security: access.kind === 'public' || access.kind === 'token' ? [] : [{ bearer: [] }],
    params: params ?? NoFields,
    querystring: query ?? NoFields,
    ...(method === 'POST' && transport !== 'multipart' ? { body: body ?? NoBody } : {}),
    ...(transport === 'multipart' ? { consumes: ['multipart/form-data'] } : {}),
    ...(transport === 'form' ? { consumes: ['application/x-www-form-urlencoded'] } : {}),
    response: {
      ...(result ? { 200: transport === 'json' ? closed({ result }) : result } : {}),
      ...(accepted ? { 202: closed({ result: accepted }) } : {}),
      ...(conflict ? { 409: conflict } : {}),
      ...(refused ? { 422: refused } : {}),
      '4xx': FAILURES[transport],
      '5xx': FAILURES[transport],
    },
  } as RouteShorthandOptions['schema'];
}

/** Returns the feature of a path, by which the API pages group it. */
function tagOf(path: string): string {
  const [, , feature = ''] = path.split('/');
  return ['', 'sso', 'renewtoken', 'logout'].includes(feature) ? 'session' : feature;
}
