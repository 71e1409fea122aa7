/** The differences between databases in calling procedures. */
import type { ListedProcedure, ProcedureDescription } from '#server/base/procedure-types.ts';
import type { CallOptions, CallOutcome, CallRequest } from './types.ts';

export interface CallBounds {
  signal: AbortSignal;
  /** Milliseconds. */
  timeLimit: number;
}

/** The database-specific part. Throws driver errors. */
export interface ProcedureDatabase {
  list(bounds: CallBounds): Promise<ListedProcedure[]>;
  describe(name: string, bounds: CallBounds): Promise<ProcedureDescription | null>;
  call(
    request: CallRequest,
    bounds: CallBounds,
    options: Pick<CallOptions, 'onMessage' | 'onRows' | 'onEnd'>,
  ): Promise<CallOutcome>;
}
