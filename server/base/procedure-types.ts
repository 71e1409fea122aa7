/**
 * Stored procedures (and PostgreSQL functions) as both connections and executors see them: their inputs and outputs.
 *
 * Values are exact: a value that a double or a JavaScript Date would change is a text. Text formats by kind, in both
 * directions:
 * - Number: '-12.50', '1e-7'; approximate types and PostgreSQL's numeric also 'NaN', 'Infinity', '-Infinity'.
 * - Date: '2026-11-22', '2026-11-22 13:45:00' with up to 7 digits of a second ('.1234567'), followed by '+01:00' if the
 *   type has a zone. As input, such a type takes a time without a zone as a time in the portal's time zone; 'T' may
 *   replace the blank. PostgreSQL's 'infinity', '-infinity', '0044-03-15 BC' and years beyond 9999 are texts in other
 *   formats.
 * - Text: unchanged; times of day '13:45:00.5', arrays and composites of PostgreSQL in its notation, JSON and XML as
 *   text, bytes that are not a file (rowversion) as '0x00AB'.
 * - Boolean: true and false. File: bytes. Enum: the label. Table: rows of cells in the order of its columns.
 */

/** A single value of a row, or of a parameter that is not a table. */
export type ProcedureCell = string | boolean | Uint8Array | null;

export interface ProcedureTable {
  /** Cells in the order of the columns of the parameter's type. */
  rows: readonly (readonly ProcedureCell[])[];
}

export type ProcedureValue = ProcedureCell | ProcedureTable;

export type ProcedureValueKind = 'Number' | 'Text' | 'Date' | 'Boolean' | 'File' | 'Enum' | 'Table';

export interface ProcedureType {
  /** As in a declaration: 'decimal(18,4)', 'nvarchar(max)', 'sales.order_line[]'. */
  declared: string;
  /** The underlying system type (of a domain, an alias or an enum): 'decimal', 'int4'. */
  base: string;
  kind: ProcedureValueKind;
  /** In characters for texts, in bytes for bytes; null if unlimited. */
  maxLength: number | null;
  /** Total number of digits of a Number; null if unlimited or approximate. */
  precision: number | null;
  /** Number of decimals of a Number, or of the seconds of a time; null if unlimited. */
  scale: number | null;
  /** For a Date: true if it is a point in time, with a zone. */
  hasZone: boolean;
  /** Labels of an Enum, in its order. */
  labels: readonly string[];
  /** Columns of a Table for which a row provides values; excludes columns that the database fills itself. */
  columns: readonly ProcedureColumn[];
}

/** Returns the type of texts of any length. */
export const unlimitedText = (declared: string, base: string): ProcedureType => ({
  declared,
  base,
  kind: 'Text',
  maxLength: null,
  precision: null,
  scale: null,
  hasZone: false,
  labels: [],
  columns: [],
});

export interface ProcedureColumn {
  /** '' if it has no name. */
  name: string;
  type: ProcedureType;
  isNullable: boolean;
}

export interface ProcedureParameter {
  /** Without SQL Server's '@'; '$2' for a second parameter without a name on PostgreSQL. Unique within a procedure. */
  name: string;
  /** From 1; 0 is the return value of a PostgreSQL function, which is an 'out' parameter named ReturnValue. */
  ordinal: number;
  /** SQL Server's OUTPUT also takes a value, so it is 'inout'. */
  direction: 'in' | 'out' | 'inout';
  type: ProcedureType;
  /** True if a call may leave it out; null if unknown because the procedure's text on SQL Server may not be read. */
  mayBeLeftOut: boolean | null;
  /** The default as written; null if there is none or it cannot be read. */
  defaultText: string | null;
  /** A PostgreSQL cursor: its rows are returned as a result, and its value is null. */
  isCursor: boolean;
}

export type ProcedureKind = 'procedure' | 'function';

export interface ProcedureName {
  /** 'sales.close_month'; on PostgreSQL 'sales.close_month(integer, date)', because overloads share the name. */
  name: string;
  schema: string;
  kind: ProcedureKind;
}

export interface ListedProcedure extends ProcedureName {
  /** Why it cannot be called or filled in: the refusals of a description, plus columns that take no values. */
  refusals: readonly string[];
}

export interface ProcedureDescription extends ProcedureName {
  /** Sorted by ordinal. */
  parameters: readonly ProcedureParameter[];
  /** The results known from the catalog, in order; null for a result whose columns it does not know. */
  results: readonly (readonly ProcedureColumn[] | null)[];
  /** True if there are no other results; SQL Server describes only the first one. */
  resultsAreAll: boolean;
  /** Parameters and return value as a single text, for display and comparison. */
  signature: string;
  /** SHA-256 of the definition, hexadecimal; null if it may not be read. */
  definitionHash: string | null;
  /** Why it cannot be called, as sentences that each name an obstacle; empty if it can. */
  refusals: readonly string[];
}

/** Some rows of a result; an empty result is one batch without rows. */
export interface ProcedureRows {
  /** 1, 2, … in the order in which results arrive. */
  result: number;
  /** The same array for all batches of a result. */
  columns: readonly ProcedureColumn[];
  rows: readonly (readonly ProcedureCell[])[];
}
