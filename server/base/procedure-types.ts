/**
 * Stored procedures (and PostgreSQL's functions) as both connections and executors know them: what they take and give.
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

export interface ListedProcedure extends ProcedureName {
  /** Why it cannot be called, or filled in: as of a description, and its columns that take no values. */
  refusals: readonly string[];
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

/** Some rows of a result; an empty result is one batch without rows. */
export interface ProcedureRows {
  /** 1, 2, … in the order in which results come. */
  result: number;
  /** The same array for all batches of a result. */
  columns: readonly ProcedureColumn[];
  rows: readonly (readonly ProcedureCell[])[];
}
