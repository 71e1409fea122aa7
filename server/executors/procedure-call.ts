/** What the run of a stored procedure asks of the server. */
import type { ProcedureRows, ProcedureValue } from '#server/base/procedure-types.ts';
import type { RunLogLine, RunRequest } from './executor.ts';

export interface ProcedureMessage {
  text: string;
  severity: string;
}

export interface ProcedureListener {
  onMessage(message: ProcedureMessage): void;
  onRows(rows: ProcedureRows): void | Promise<void>;
  /** Before what the procedure did is kept: what it throws takes that back, and is thrown on. */
  onEnd(outcome: ProcedureOutcome): void | Promise<void>;
}

export interface ProcedureOutcome {
  returnCode: number | null;
  outputs: ReadonlyMap<string, ProcedureValue>;
  /** How many result sets came. */
  results: number;
}

/** A call that did not come to its end, for a reason that people can understand. */
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
   * Calls it with the values by the names of its parameters; one that is not there is left out. Throws ProcedureRefused, or the reason of
   * the run's signal.
   */
  call(args: ReadonlyMap<string, ProcedureValue>, listener: ProcedureListener): Promise<void>;
}

export type ProcedureRequest = Pick<RunRequest, 'definition' | 'inputs' | 'onLog' | 'onProgress'> & {
  caller: ProcedureCaller;
};
