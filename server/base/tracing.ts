/**
 * Spans of traces, as the parts of the program see them. Where traces are off, nothing is kept and nothing is loaded: the work is done, and
 * that is all. Names and attributes never hold what people typed.
 */

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  kind?: 'server' | 'consumer' | 'client';
  attributes?: SpanAttributes;
  /** What it continues, as a `traceparent` header; null begins a trace. That under way where absent. */
  parent?: string | null;
  /** When it began; now where absent. */
  since?: Date;
}

export interface OpenSpan {
  /** Does the work inside the span: what it opens lies below. */
  within<T>(work: () => T): T;
  annotate(attributes: SpanAttributes): void;
  /** @param type of the fault, never its message */
  fail(type: string): void;
  end(at?: Date): void;
}

export interface Tracer {
  open(name: string, options: SpanOptions): OpenSpan;
  /** The span under way; null where there is none that is kept. */
  current(): OpenSpan | null;
  traceParent(): string | null;
  outside<T>(work: () => T): T;
}

/** Of the process, as traces cross all its parts. */
let tracer: Tracer | null = null;

/** Null turns traces off. */
export function traceWith(wanted: Tracer | null): void {
  tracer = wanted;
}

export const isTracing = (): boolean => tracer !== null;

/** Null where traces are off. */
export const openSpan = (name: string, options: SpanOptions = {}): OpenSpan | null =>
  tracer?.open(name, options) ?? null;

/** Null where there is none that is kept: what is done for a span alone need not be done then. */
export const currentSpan = (): OpenSpan | null => tracer?.current() ?? null;

/** What a run that is stored now belongs to; null for none. */
export const currentTraceParent = (): string | null => tracer?.traceParent() ?? null;

/** For work that serves many: it belongs to no trace, whoever caused it. */
export const outsideSpans = <T>(work: () => T): T => (tracer === null ? work() : tracer.outside(work));

/** The work as a span, which fails where the work does. */
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
