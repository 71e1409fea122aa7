/** What differs between databases where procedures are called. */
import type { ListedProcedure, ProcedureDescription } from '#server/base/procedure-types.ts';
import type { CallOptions, CallOutcome, CallRequest } from './types.ts';

export interface CallBounds {
  signal: AbortSignal;
  /** Milliseconds. */
  timeLimit: number;
}

/** The part that differs between databases. Throws what drivers throw. */
export interface ProcedureDatabase {
  list(bounds: CallBounds): Promise<ListedProcedure[]>;
  describe(name: string, bounds: CallBounds): Promise<ProcedureDescription | null>;
  call(
    request: CallRequest,
    bounds: CallBounds,
    options: Pick<CallOptions, 'onMessage' | 'onRows' | 'onEnd'>,
  ): Promise<CallOutcome>;
}
