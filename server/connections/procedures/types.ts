/**
 * Stored procedures (and PostgreSQL's functions) behind a named connection: which there are, what they take and give, and calling them.
 *
 * Values are exact: what a double or a JavaScript Date would change is a text. Texts by kind, in and out:
 * - Number: '-12.50', '1e-7'; approximate types also 'NaN', 'Infinity', '-Infinity', as does PostgreSQL's numeric.
 * - Date: '2026-11-22', '2026-11-22 13:45:00' and up to 7 digits of a second ('.1234567'), with '+01:00' behind it where the type has a
 *   zone. Going in, such a type takes a time without a zone as one of the portal's time zone; a 'T' may stand for the blank. PostgreSQL's
 *   'infinity', '-infinity', '0044-03-15 BC' and years beyond 9999 are texts that are no such date.
 * - Text: as it is; times of day '13:45:00.5', arrays and composites of PostgreSQL as it writes them, JSON and XML as text, bytes that are
 *   no file (rowversion) as '0x00AB'.
 * - Boolean: true and false. File: bytes. Enum: the label. Table: rows of cells in the order of its columns.
 */

/** One value of a row, or of a parameter that is no table. */
export type ProcedureCell = string | boolean | Uint8Array | null;

export interface ProcedureTable {
  /** Cells in the order of the columns of the parameter's type. */
  rows: readonly (readonly ProcedureCell[])[];
}

export type ProcedureValue = ProcedureCell | ProcedureTable;

export type ProcedureValueKind = 'Number' | 'Text' | 'Date' | 'Boolean' | 'File' | 'Enum' | 'Table';

export interface ProcedureType {
  /** As a declaration writes it: 'decimal(18,4)', 'nvarchar(max)', 'sales.order_line[]'. */
  declared: string;
  /** The system's type below it (of a domain, an alias, an enum): 'decimal', 'int4'. */
  base: string;
  kind: ProcedureValueKind;
  /** Of texts in characters, of bytes in bytes; null where there is no bound. */
  maxLength: number | null;
  /** Digits of a Number in all; null where it has no bound, or is approximate. */
  precision: number | null;
  /** Digits of a Number behind the point, or of the second of a time; null where there is no bound. */
  scale: number | null;
  /** Of a Date: whether it is a moment, with a zone. */
  hasZone: boolean;
  /** Of an Enum, in its order. */
  labels: readonly string[];
  /** Of a Table: those that a row gives; columns that the database fills itself are none. */
  columns: readonly ProcedureColumn[];
}

export interface ProcedureColumn {
  /** '' where it has none. */
  name: string;
  type: ProcedureType;
  isNullable: boolean;
}

export interface ProcedureParameter {
  /** Without SQL Server's '@'; '$2' for a second one that PostgreSQL knows no name of. No two of a procedure are alike. */
  name: string;
  /** From 1; 0 is the value that a function of PostgreSQL returns, which is named ReturnValue and an 'out'. */
  ordinal: number;
  /** SQL Server's OUTPUT takes a value too, so is 'inout'. */
  direction: 'in' | 'out' | 'inout';
  type: ProcedureType;
  /** Whether a call may leave it out; null where nobody can say, as SQL Server's text of the procedure may not be read. */
  mayBeLeftOut: boolean | null;
  /** The default as it is written; null where there is none, or it cannot be read. */
  defaultText: string | null;
  /** A PostgreSQL cursor: its rows come as a result, and its value is null. */
  isCursor: boolean;
}

export type ProcedureKind = 'procedure' | 'function';

export interface ProcedureName {
  /** 'sales.close_month', on PostgreSQL 'sales.close_month(integer, date)', as overloads share the rest. */
  name: string;
  schema: string;
  kind: ProcedureKind;
}

export interface ProcedureDescription extends ProcedureName {
  /** By ordinal. */
  parameters: readonly ProcedureParameter[];
  /** What the catalog says of results, in their order; of one, null where it does not know the columns. */
  results: readonly (readonly ProcedureColumn[] | null)[];
  /** Whether there are no results but those; SQL Server describes the first alone. */
  resultsAreAll: boolean;
  /** Parameters and what is returned, as one text to show and to compare. */
  signature: string;
  /** SHA-256 of the definition, hexadecimal; null where it may not be read. */
  definitionHash: string | null;
  /** Why it cannot be called, each a sentence that names what is in the way; none where it can. */
  refusals: readonly string[];
}

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

/** Some rows of a result; an empty result is one batch without rows. */
export interface ProcedureRows {
  /** 1, 2, … in the order in which results come. */
  result: number;
  /** The same array for all batches of a result. */
  columns: readonly ProcedureColumn[];
  rows: readonly (readonly ProcedureCell[])[];
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
  list(signal: AbortSignal): Promise<ProcedureName[]>;
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

  constructor(
    message: string,
    said: { number: string; severity: string; procedure: string | null; line: number | null },
    cause?: unknown,
  ) {
    super(message, { cause });
    this.number = said.number;
    this.severity = said.severity;
    this.procedure = said.procedure;
    this.line = said.line;
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
