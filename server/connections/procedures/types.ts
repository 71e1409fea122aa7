/** Stored procedures (and PostgreSQL functions) of a named connection: listing, describing and calling them. */
import type {
  ListedProcedure,
  ProcedureDescription,
  ProcedureRows,
  ProcedureValue,
} from '#server/base/procedure-types.ts';

export interface ProcedureMessage {
  text: string;
  /** 'NOTICE', 'WARNING' or 'INFO' on PostgreSQL; '0' to '10' on SQL Server. */
  severity: string;
  /** SQLSTATE, or the number of SQL Server's message; null if it has none. */
  number: string | null;
  /** Null if it does not come from a procedure. */
  procedure: string | null;
  line: number | null;
}

/**
 * How transactions are handled:
 * - transaction: one transaction around the call, committed if it succeeds and rolled back otherwise. If the procedure
 *   commits or rolls back itself, this is an error, and nothing is committed.
 * - own: the procedure begins and commits its own transactions; what it committed before an error stays. Functions
 *   cannot do this, and have a transaction around them.
 * - trial: like transaction, but always rolled back.
 */
export type CallMode = 'transaction' | 'own' | 'trial';

export interface CallRequest {
  /** The very object that describe() of the same connection returned: names and types in it become SQL. */
  procedure: ProcedureDescription;
  /** By parameter name; parameters without an entry are skipped. */
  arguments: ReadonlyMap<string, ProcedureValue>;
  mode: CallMode;
}

export interface CallOptions {
  /** Aborting ends the call in the database. */
  signal: AbortSignal;
  /** Time limit in milliseconds; it can only lower that of the connection. */
  timeLimit?: number;
  /** Called as messages arrive. It must not throw. */
  onMessage?: (message: ProcedureMessage) => void;
  /**
   * Called as rows arrive; the database waits until it is done. If it throws, the call ends and is rolled back, and the
   * error is rethrown.
   */
  onRows?: (rows: ProcedureRows) => void | Promise<void>;
  /**
   * Called when everything has arrived, before the commit. If it throws, the call is rolled back and the error is
   * rethrown.
   */
  onEnd?: (outcome: CallOutcome) => void | Promise<void>;
}

export interface CallOutcome {
  /** Null on PostgreSQL. */
  returnCode: number | null;
  /** Values of 'out' and 'inout' parameters, by name. */
  outputs: ReadonlyMap<string, ProcedureValue>;
  /** Number of results that arrived. */
  results: number;
}

/** All methods throw ConnectionError; `call` also throws ProcedureError and ArgumentError. */
export interface Procedures {
  /**
   * Lists the procedures of the schemas in the settings that the login may execute; none of a database that contains a
   * portal's tables.
   */
  list(signal: AbortSignal): Promise<ListedProcedure[]>;
  /** Returns null if list() would not contain it. */
  describe(name: string, signal: AbortSignal): Promise<ProcedureDescription | null>;
  call(request: CallRequest, options: CallOptions): Promise<CallOutcome>;
}

/** The procedure, or the database while it ran, raised an error. The message is the database's. */
export class ProcedureError extends Error {
  override readonly name = 'ProcedureError';
  /** SQLSTATE, or SQL Server's error number. */
  readonly number: string;
  /** 'ERROR', or SQL Server's level from '11' to '25'. */
  readonly severity: string;
  /** Where it was raised; null if the database does not report it. */
  readonly procedure: string | null;
  readonly line: number | null;
  /** True if the procedure cannot work the way it is called: a retry does not fix that. */
  readonly isOfSetup: boolean;

  constructor(
    message: string,
    said: { number: string; severity: string; procedure: string | null; line: number | null; isOfSetup?: boolean },
    cause?: unknown,
  ) {
    super(message, { cause });
    this.number = said.number;
    this.severity = said.severity;
    this.procedure = said.procedure;
    this.line = said.line;
    this.isOfSetup = said.isOfSetup ?? false;
  }
}

/** A value that the parameter's type cannot hold exactly, or a missing value; nothing was called. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
  readonly parameter: string;

  constructor(parameter: string, message: string) {
    super(message);
    this.parameter = parameter;
  }
}
