/** Stored procedures (and PostgreSQL's functions) behind a named connection: which there are, what they take and give, and calling them. */
import type {
  ListedProcedure,
  ProcedureDescription,
  ProcedureRows,
  ProcedureValue,
} from '#server/base/procedure-types.ts';

export interface ProcedureMessage {
  text: string;
  /** PostgreSQL: 'NOTICE', 'WARNING', 'INFO'. SQL Server: '0' to '10'. */
  severity: string;
  /** SQLSTATE, or the number of SQL Server's message; null where it has none. */
  number: string | null;
  /** null where it comes from none. */
  procedure: string | null;
  line: number | null;
}

/**
 * - transaction: one around the call, kept when all went well and taken back otherwise. A procedure that commits or rolls back by itself
 *   is an error there, and nothing of it is kept.
 * - own: the procedure begins and commits by itself; what it committed before an error stays. Functions cannot, and have one around.
 * - trial: as transaction, but always taken back.
 */
export type CallMode = 'transaction' | 'own' | 'trial';

export interface CallRequest {
  /** As describe() of the same connection answered it, that very object: names and types in it become SQL. */
  procedure: ProcedureDescription;
  /** By the name of the parameter; one that is not there is left out. */
  arguments: ReadonlyMap<string, ProcedureValue>;
  mode: CallMode;
}

export interface CallOptions {
  /** Aborting ends the call in the database. */
  signal: AbortSignal;
  /** Milliseconds, fewer than the connection's own. */
  timeLimit?: number;
  /** As messages arrive. It must not throw. */
  onMessage?: (message: ProcedureMessage) => void;
  /** As rows arrive; the database waits until it is done. What it throws ends the call, takes it back, and is thrown on. */
  onRows?: (rows: ProcedureRows) => void | Promise<void>;
  /** When all has come, before the transaction is committed: what it throws takes the call back, and is thrown on. */
  onEnd?: (outcome: CallOutcome) => void | Promise<void>;
}

export interface CallOutcome {
  /** null on PostgreSQL. */
  returnCode: number | null;
  /** Of the parameters 'out' and 'inout', by name. */
  outputs: ReadonlyMap<string, ProcedureValue>;
  /** How many results came. */
  results: number;
}

/** All of it throws ConnectionError; `call` also ProcedureError and ArgumentError. */
export interface Procedures {
  /** Those of the schemas that the settings name, which the login may execute; none of a database that holds a portal's tables. */
  list(signal: AbortSignal): Promise<ListedProcedure[]>;
  /** null where list() would not name it. */
  describe(name: string, signal: AbortSignal): Promise<ProcedureDescription | null>;
  call(request: CallRequest, options: CallOptions): Promise<CallOutcome>;
}

/** The procedure raised an error, or the database did while it ran. The message is the database's. */
export class ProcedureError extends Error {
  override readonly name = 'ProcedureError';
  /** SQLSTATE, or the number of SQL Server's error. */
  readonly number: string;
  /** 'ERROR', or SQL Server's level, '11' to '25'. */
  readonly severity: string;
  /** Where it was raised; null where the database does not say. */
  readonly procedure: string | null;
  readonly line: number | null;
  /** Whether it is called as it cannot work: trying again does not mend that. */
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

/** A value that the parameter's type does not hold as it is, or one that is missing; nothing was called. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
  readonly parameter: string;

  constructor(parameter: string, message: string) {
    super(message);
    this.parameter = parameter;
  }
}
