/** Tracing with OpenTelemetry, sent as OTLP over HTTP. Loaded only if tracing is on. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Span } from '@opentelemetry/api';
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Log } from '#server/base/log.ts';
import type { OpenSpan, SpanOptions, Tracer } from '#server/base/tracing.ts';

export interface TraceSettings {
  /** URL of the receiver, including the path. */
  url: string;
  headers: Record<string, string>;
  /** Fraction of the traces that begin here, 0 to 1, which are sampled. */
  share: number;
  version: string;
  role: string;
  log: Log;
}

export interface StartedTracer {
  tracer: Tracer;
  /** Sends the remaining spans, for a short time. */
  stop(): Promise<void>;
}

/** If the receiver is unavailable or slow, this many spans are buffered and further ones dropped. */
const MAX_BUFFERED_SPANS = 2_048;
const SEND_EVERY_MS = 2_000;
const SEND_LIMIT_MS = 5_000;
const STOP_LIMIT_MS = 2_500;
/** Minimum interval between log lines about an unavailable receiver. */
const LOG_INTERVAL_MS = 60_000;
const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT };

export function startTracer({ url, headers, share, version, role, log }: TraceSettings): StartedTracer {
  setGlobalErrorHandler(createErrorLogger(log));
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: SEND_LIMIT_MS });
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: MAX_BUFFERED_SPANS,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: SEND_LIMIT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'runsheet',
      'service.version': version,
      'service.instance.id': randomUUID(),
      'runsheet.role': role,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [processor],
  });
  return {
    tracer: createTracer(provider, version),
    stop: async () => {
      // Rejects if the receiver is unavailable, which was already logged.
      const sent = provider.shutdown().catch(() => {});
      await Promise.race([sent, pause(STOP_LIMIT_MS, undefined, { ref: false })]);
    },
  };
}

function createTracer(provider: TracerProvider, version: string): Tracer {
  const spans = provider.getTracer('runsheet', version);
  const under = new AsyncLocalStorage<Span | null>();

  const opened = (span: Span): OpenSpan => ({
    within: (work) => under.run(span, work),
    annotate: (attributes) => void span.setAttributes(attributes),
    fail: (type) => void span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', type),
    end: (at) => span.end(at),
  });
  const contextOf = (parent: string | null | undefined): Context => {
    if (parent === undefined) {
      const span = under.getStore();
      return span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT;
    }
    const remote = parent === null ? null : parseTraceParent(parent);
    return remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT;
  };
  return {
    open: (name, { kind, attributes = {}, parent, since }: SpanOptions) => {
      const options = {
        kind: kind ? KINDS[kind] : SpanKind.INTERNAL,
        attributes,
        ...(since ? { startTime: since } : {}),
      };
      return opened(spans.startSpan(name, options, contextOf(parent)));
    },
    current: () => {
      const span = under.getStore();
      return span?.isRecording() ? opened(span) : null;
    },
    traceParent: () => {
      const span = under.getStore();
      if (!span) return null;
      const { traceId, spanId, traceFlags } = span.spanContext();
      return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
    },
    outside: (work) => under.run(null, work),
  };
}

/** Logs the receiver's error, without what was sent to it or its response. */
function createErrorLogger(log: Log): (error: unknown) => void {
  let loggedAt = -Infinity;
  return (error) => {
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = performance.now();
    const { name, message, code } = error as Error & { code?: unknown };
    log.warn({ fault: { name, message, code } }, 'could not send traces; runs are not affected');
  };
}
