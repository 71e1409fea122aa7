/** Traces of a process, if its settings name a receiver. */
import type { Log } from '#server/base/log.ts';
import { traceWith } from '#server/base/tracing.ts';
import { VERSION } from '#server/base/version.ts';
import type { Config } from '#server/config/config-schema.ts';
import { readTraceHeaders } from '#server/config/monitoring-settings.ts';
import type { RunningParts } from '#server/background/running-parts.ts';

/** Call this first, so that parts that stop later can still be traced. */
export async function startTracing(parts: RunningParts, config: Config, log: Log): Promise<void> {
  const { tracesUrl: url, tracesHeaders, tracesShare: share, role } = config;
  if (url === '') return;
  // A process without tracing does not load these packages.
  const { startTracer } = await import('./otel-tracer.ts');
  const headers = readTraceHeaders(tracesHeaders) ?? {};
  const traces = startTracer({ url, headers, share, version: VERSION, role, log });
  traceWith(traces.tracer);
  parts.add('traces', async () => {
    traceWith(null);
    await traces.stop();
  });
}
