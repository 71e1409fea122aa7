/**
 * Creates a span for each API call, as a child of the caller's span if its `traceparent` says so (W3C Trace Context).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { openSpan, type OpenSpan } from '#server/base/tracing.ts';

/** Streams that stay open for hours, health checks and API pages. */
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
  // The code that reads the body calls back from the connection, outside of any call's span.
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
