import { randomBytes } from 'node:crypto';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import { fastify, LogController, type FastifyInstance, type FastifyRequest } from 'fastify';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { isTracing } from '#server/base/tracing.ts';
import { checkAccess, type Guard } from './access.ts';
import { addAnswerHeaders } from './answer-headers.ts';
import { answerErrors, type OutageTest } from './error-answers.ts';
import { compressAnswers } from './compress-answers.ts';
import { describeApi } from './open-api.ts';
import { refuseNul } from './refuse-nul.ts';
import { refuseTwoHosts } from './refuse-two-hosts.ts';
import { serveRenderer } from './renderer-files.ts';
import { useSchemas } from './schema-compilers.ts';
import { traceCalls } from './trace-calls.ts';

export interface HttpOptions {
  log: Logger;
  guard: Guard;
  outageOf: OutageTest;
  version: string;
  /** Path of the portal on its host: '/' or '/runsheet'. */
  basePath: string;
  /** Addresses and networks of proxies whose X-Forwarded-* headers are trusted. */
  trustedProxies: readonly string[];
  /** True if browsers reach the portal only over https. */
  secure: boolean;
  /** Maximum size of an uploaded file. */
  maxUploadBytes: number;
  /** Maximum number of calls per minute from one address, for all routes together. */
  callsPerMinute: number;
  /** Folder of the built renderer; no pages are served if it is empty. */
  rendererFolder: string;
  /** Settings that every page of the renderer contains as JSON. */
  pageSettings: { title: string };
  /** Origins that pages may show in frames. */
  frameOrigins: readonly string[];
  /** Called for every answered call. */
  onAnswered?: (call: AnsweredCall) => void;
}

export interface AnsweredCall {
  method: string;
  /** The declared path, without the values of its placeholders; 'none' if no route matches. */
  route: string;
  status: number;
  seconds: number;
}

/** For JSON bodies. The inputs of a start may be tables, so routes that take them raise this limit. */
const BODY_LIMIT = 1024 * 1024;
const FIELD_LIMIT = 1024 * 1024;
/**
 * Returns how long a request, including its body, may take to arrive: a quarter of an hour, or the largest upload at
 * 128 KB per second. Fastify has no limit by default, so a client that sends a byte now and then could hold its
 * connection forever.
 */
const arrivalMs = (maxUploadBytes: number): number => Math.max(15 * 60_000, maxUploadBytes / 128);

/**
 * Creates Fastify as this program needs it. Routes are registered on the result; `close()` lets current calls finish.
 */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const { log, guard, outageOf, version, trustedProxies } = options;
  const basePath = options.basePath.replace(/\/*$/, '/');
  const app: FastifyInstance = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    requestTimeout: arrivalMs(options.maxUploadBytes),
    forceCloseConnections: 'idle',
    genReqId: () => randomBytes(9).toString('base64url'),
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 200 },
    // Routes and renderer do not know the base path: it is removed here, whether a proxy has already done so or not.
    rewriteUrl: (request) => withoutBasePath(request.url ?? '/', basePath),
  }) as unknown as FastifyInstance;

  // First, so that everything that follows is inside the span.
  if (isTracing()) traceCalls(app);
  addAnswerHeaders(app, version);
  compressAnswers(app);
  logRequests(app, options.onAnswered);
  answerErrors(app, outageOf);
  useSchemas(app);
  takeEmptyJson(app);
  refuseTwoHosts(app);
  refuseNul(app);
  addHelmet(app, helmet(helmetOptions(options.secure, options.frameOrigins)));
  await app.register(rateLimit, {
    max: options.callsPerMinute,
    timeWindow: '1 minute',
    // Sent only when a limit is exceeded, not with every response.
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  });
  // No CORS: pages of other sites may not call.
  checkAccess(app, guard);
  await app.register(formbody, { bodyLimit: 64 * 1024 });
  await app.register(multipart, {
    limits: { fileSize: options.maxUploadBytes, fieldSize: FIELD_LIMIT, fields: 50, files: 50, parts: 100 },
  });
  await describeApi(app, { version, basePath });
  await serveRenderer(app, { folder: options.rendererFolder, basePath, settings: options.pageSettings });
  return app;
}

function withoutBasePath(url: string, basePath: string): string {
  if (basePath === '/') return url;
  if (url.startsWith(basePath)) return url.slice(basePath.length - 1);
  return url === basePath.slice(0, -1) ? '/' : url;
}

/** Logs one line per call when it is answered. Assets and health checks are not logged. */
function logRequests(app: FastifyInstance, onAnswered: HttpOptions['onAnswered']): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, ip, person } = request;
    const { statusCode: status, elapsedTime } = reply;
    onAnswered?.({ method, route: request.routeOptions.url ?? 'none', status, seconds: elapsedTime / 1000 });
    const line = { method, path: pathWithoutSecrets(request), status, ip, ms: Math.round(elapsedTime) };
    const logged = person ? { ...line, user: person.UserName } : line;
    if (status === 403) request.log.warn(logged, 'refused: the user lacks a right');
    else request.log.debug(logged, 'answered');
  });
}

/** Paths contain tokens of downloads and API keys, which must not be logged. */
const SECRET_PARAMS = new Set(['token', 'key']);
/** Typed by people who are not signed in, who may type passwords instead of names. */
const TYPED_PARAMS = new Set(['name']);

function pathWithoutSecrets({ routeOptions: { url }, params, url: asked, person }: FastifyRequest): string {
  const pathParams = (params ?? {}) as Record<string, string>;
  const [path = ''] = asked.split('?');
  if (url === undefined || url.endsWith('*')) return path;
  return url.replaceAll(/:(\w+)/g, (_, name: string) =>
    SECRET_PARAMS.has(name) || (person === null && TYPED_PARAMS.has(name))
      ? '…'
      : encodeURIComponent(pathParams[name] ?? ''),
  );
}

/** Accepts an empty body: clients that post nothing still declare it as JSON. */
function takeEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body.trim() === '') done(null, null);
    else void parse(request, body, done);
  });
}

/** Sets the headers directly, because the Fastify plugin computes the same headers again for every call. */
function addHelmet(app: FastifyInstance, setHeaders: ReturnType<typeof helmet>): void {
  app.addHook('onRequest', (request, reply, done) =>
    setHeaders(request.raw, reply.raw, (error) => done(error as Error)),
  );
}

/**
 * Scripts come only from this server, never inline. Styles that a script sets on an element (Blueprint's popovers and
 * tables, plots) are attributes; style elements are not needed.
 */
function helmetOptions(secure: boolean, frameOrigins: readonly string[]) {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'"],
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        frameSrc: frameOrigins.length > 0 ? [...frameOrigins] : ["'none'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    crossOriginOpenerPolicy: secure ? { policy: 'same-origin' as const } : false,
    originAgentCluster: secure,
    xFrameOptions: { action: 'deny' as const },
    referrerPolicy: { policy: 'same-origin' as const },
  };
}
