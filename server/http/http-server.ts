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
  /** Where the portal lies on its host: '/' or '/runsheet'. */
  basePath: string;
  /** Proxies whose X-Forwarded-* headers are believed: addresses and networks. */
  trustedProxies: readonly string[];
  /** Whether browsers reach the portal by https alone. */
  secure: boolean;
  /** Most bytes of one uploaded file. */
  maxUploadBytes: number;
  /** Calls one address may make in a minute, all routes together. */
  callsPerMinute: number;
  /** The built renderer; no pages are served where the folder holds none. */
  rendererFolder: string;
  /** What every page of the renderer is told with its first bytes, as JSON. */
  pageSettings: { title: string };
  /** Origins that pages may show in frames. */
  frameOrigins: readonly string[];
  /** Told of every call that was answered. */
  onAnswered?: (call: AnsweredCall) => void;
}

export interface AnsweredCall {
  method: string;
  /** As it was declared, without what stands in its place holders; 'none' where no route fits. */
  route: string;
  status: number;
  seconds: number;
}

/** JSON bodies: the inputs of a start may be tables; routes that take them raise this. */
const BODY_LIMIT = 1024 * 1024;
const FIELD_LIMIT = 1024 * 1024;
/**
 * How long a request may take to arrive, body included: a quarter of an hour, or the largest upload at 128 KB a second. Fastify's own is
 * for ever, and a client that sends a byte now and then would hold its connection as long.
 */
const arrivalMs = (maxUploadBytes: number): number => Math.max(15 * 60_000, maxUploadBytes / 128);

/** Fastify as this program wants it. Routes are registered on the answer; `close()` lets calls in flight finish. */
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
    // Routes and renderer know nothing of the base path: it is taken off here, whether a proxy already has or not.
    rewriteUrl: (request) => withoutBasePath(request.url ?? '/', basePath),
  }) as unknown as FastifyInstance;

  // First, so that all that follows is inside.
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
    // Told when it matters, not with every answer.
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  });
  // No CORS: other sites' pages may not call.
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

/** One line a call, when it is answered. Assets and the poll of health are not worth one. */
function logRequests(app: FastifyInstance, onAnswered: HttpOptions['onAnswered']): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, ip, person } = request;
    const { statusCode: status, elapsedTime } = reply;
    onAnswered?.({ method, route: request.routeOptions.url ?? 'none', status, seconds: elapsedTime / 1000 });
    const line = { method, path: pathWithoutSecrets(request), status, ip, ms: Math.round(elapsedTime) };
    const told = person ? { ...line, user: person.UserName } : line;
    if (status === 403) request.log.warn(told, 'refused for want of a right');
    else request.log.debug(told, 'answered');
  });
}

/** Tokens of downloads and API keys stand in paths, and must not stand in the log. */
const SECRET_PARAMS = new Set(['token', 'key']);
/** Typed by somebody who is not signed in: people type passwords where names belong. */
const TYPED_PARAMS = new Set(['name']);

function pathWithoutSecrets({ routeOptions: { url }, params, url: asked, person }: FastifyRequest): string {
  const given = (params ?? {}) as Record<string, string>;
  const [path = ''] = asked.split('?');
  if (url === undefined || url.endsWith('*')) return path;
  return url.replaceAll(/:(\w+)/g, (_, name: string) =>
    SECRET_PARAMS.has(name) || (person === null && TYPED_PARAMS.has(name))
      ? '…'
      : encodeURIComponent(given[name] ?? ''),
  );
}

/** Clients that post nothing still call it JSON. */
function takeEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body.trim() === '') done(null, null);
    else void parse(request, body, done);
  });
}

/** The plugin for Fastify works the same headers out anew for every call. */
function addHelmet(app: FastifyInstance, setHeaders: ReturnType<typeof helmet>): void {
  app.addHook('onRequest', (request, reply, done) =>
    setHeaders(request.raw, reply.raw, (error) => done(error as Error)),
  );
}

/**
 * Scripts come from us alone, never inline. Styles set by script on an element (Blueprint's popovers and tables, plots) are
 * attributes; style elements are not needed.
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
