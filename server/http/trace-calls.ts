/** A span for each call of the API, below the caller's where its `traceparent` says so (W3C Trace Context). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { openSpan, type OpenSpan } from '#server/base/tracing.ts';

/** What stays open for hours, and what only asks whether the server is there. */
const UNTRACED = /^\/api\/(events|health|docs)\b/;

export function traceCalls(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, headers } = request;
    const route = routeOptions.url;
    if (route === undefined || route.includes('*') || !/^\/(api|token)/.test(route) || UNTRACED.test(route))
      return done();
    const parent = [headers['traceparent'] ?? []].flat()[0] ?? null;
    const attributes = { 'http.request.method': method, 'http.route': route };
    const span = openSpan(`${method} ${route}`, { kind: 'server', parent, attributes });
    if (!span) return done();
    spans.set(request, span);
    return span.within(done);
  });
  // What reads the body calls back from the connection, which is of no call.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.within(done);
    else done();
  });
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const span = spans.get(request);
    span?.annotate({ 'http.response.status_code': statusCode });
    if (statusCode >= 500) span?.fail(String(statusCode));
    span?.end();
    done();
  });
}
