/** The interface to the server for running a stored procedure. */
import type { ProcedureRows, ProcedureValue } from '#server/base/procedure-types.ts';
import type { RunLogLine, RunRequest } from './executor.ts';

export interface ProcedureMessage {
  text: string;
  severity: string;
}

export interface ProcedureListener {
  onMessage(message: ProcedureMessage): void;
  onRows(rows: ProcedureRows): void | Promise<void>;
  /**
   * Called before the procedure's changes are committed. If it throws, they are rolled back and the error is rethrown.
   */
  onEnd(outcome: ProcedureOutcome): void | Promise<void>;
}

export interface ProcedureOutcome {
  returnCode: number | null;
  outputs: ReadonlyMap<string, ProcedureValue>;
  /** Number of result sets received. */
  results: number;
}

/** A failed call, with a reason that users can understand. */
export class ProcedureRefused extends Error {
  override readonly name = 'ProcedureRefused';
  readonly status: 'Failed' | 'LogicError';
  readonly line: RunLogLine;

  constructor(status: 'Failed' | 'LogicError', line: RunLogLine, cause?: unknown) {
    super(line.Message, { cause });
    this.status = status;
    this.line = line;
  }
}

export interface ProcedureCaller {
  /**
   * Calls the procedure with values by parameter name; parameters missing from `args` are omitted. Throws
   * ProcedureRefused, or the reason of the run's signal.
   */
  call(args: ReadonlyMap<string, ProcedureValue>, listener: ProcedureListener): Promise<void>;
}

export type ProcedureRequest = Pick<RunRequest, 'definition' | 'inputs' | 'onLog' | 'onProgress'> & {
  caller: ProcedureCaller;
};
