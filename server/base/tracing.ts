/**
 * Trace spans as seen by the parts of the program. If tracing is off, nothing is recorded or loaded, and the work is
 * simply done. Names and attributes never contain what people typed.
 */

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  kind?: 'server' | 'consumer' | 'client';
  attributes?: SpanAttributes;
  /** The parent span as a `traceparent` header; null begins a trace. If absent, the current span is the parent. */
  parent?: string | null;
  /** Start time of the span; now if absent. */
  since?: Date;
}

export interface OpenSpan {
  /** Runs the work inside the span: spans that it opens are children. */
  within<T>(work: () => T): T;
  annotate(attributes: SpanAttributes): void;
  /** @param type type of the error, never its message */
  fail(type: string): void;
  end(at?: Date): void;
}

export interface Tracer {
  open(name: string, options: SpanOptions): OpenSpan;
  /** Returns the current span; null if there is none or it is not sampled. */
  current(): OpenSpan | null;
  traceParent(): string | null;
  outside<T>(work: () => T): T;
}

/** One for the whole process, because traces cross all its parts. */
let tracer: Tracer | null = null;

/** Sets the tracer; null turns tracing off. */
export function traceWith(wanted: Tracer | null): void {
  tracer = wanted;
}

export const isTracing = (): boolean => tracer !== null;

/** Returns null if tracing is off. */
export const openSpan = (name: string, options: SpanOptions = {}): OpenSpan | null =>
  tracer?.open(name, options) ?? null;

/** Returns null if no sampled span is current: work that only serves a span can then be skipped. */
export const currentSpan = (): OpenSpan | null => tracer?.current() ?? null;

/** Returns the trace that a run stored now belongs to, or null. */
export const currentTraceParent = (): string | null => tracer?.traceParent() ?? null;

/** Runs work that serves many callers outside any trace. */
export const outsideSpans = <T>(work: () => T): T => (tracer === null ? work() : tracer.outside(work));

/** Runs the work as a span, which fails if the work fails. */
export async function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const span = openSpan(name, options);
  if (!span) return work();
  try {
    return await span.within(work);
  } catch (error) {
    span.fail(error instanceof Error ? error.name : 'unknown');
    throw error;
  } finally {
    span.end();
  }
}
