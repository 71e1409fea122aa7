import type { Knex } from 'knex';
import type { BoundQuery, SqlKind } from '#shared/codecs/query-text.ts';
import type { Dialect } from '#server/db/dialect/types.ts';
import type { Procedures } from './procedures/types.ts';

/**
 * A result value as a cell value: dates and times are serial dates (without a zone), bytes and other types are texts.
 */
export type ResultValue = string | number | boolean | null;

export interface ResultColumn {
  /** Name in the query; '' if it has none. */
  name: string;
  kind: 'Text' | 'Number' | 'Boolean' | 'Date';
  /** True for a floating-point number, which a plain conversion to text on SQL Server cuts to 6 digits. */
  isFloat?: true;
  /** Set for integers and floating-point numbers. */
  bits?: 8 | 16 | 32 | 64;
}

/** Some rows of a result; an empty result is one batch without rows. */
export interface ResultBatch {
  columns: readonly ResultColumn[];
  rows: readonly (readonly ResultValue[])[];
}

export interface ReadOptions {
  /** Aborting ends the statement in the database. */
  signal: AbortSignal;
  /** Can only lower the connection's limit. A result with more rows is an error; it is not cut off. */
  maxRows?: number;
  /** True if rows are passed on as they arrive and never collected, so their number is not limited. */
  isStreamed?: boolean;
  /** Time limit in milliseconds; it can only lower that of the connection. */
  timeLimit?: number;
  /** If true, numbers with more than 15 digits are returned as plain texts with all digits. */
  exactNumbers?: boolean;
}

export interface WriteOptions {
  signal: AbortSignal;
  timeLimit?: number;
}

/** The transaction of a Write step: if the work throws, nothing is committed. */
export interface WriteTransaction {
  trx: Knex.Transaction;
  dialect: Dialect;
  /**
   * Returns the columns of a table ('Orders', 'sales.Orders') as spelled in the catalog; empty if there is no such
   * table.
   */
  columnsOf: (table: string) => Promise<{ name: string; kind: ResultColumn['kind']; nullable: boolean }[]>;
}

/**
 * A database by the name that workbooks use. All errors are ConnectionErrors, also those that `read` throws between
 * batches.
 */
export interface NamedConnection {
  /** As spelled in the configuration. */
  readonly name: string;
  readonly kind: SqlKind;
  readonly allowWrites: boolean;
  readonly maxRows: number;
  /** Milliseconds. */
  readonly timeLimit: number;
  /** Yields the rows as they arrive, in a read-only transaction; leaving the loop early ends the statement. */
  read(query: BoundQuery, options: ReadOptions): AsyncGenerator<ResultBatch, void, void>;
  /** Returns all rows at once, for results known to be small. */
  readAll(query: BoundQuery, options: ReadOptions): Promise<ResultBatch>;
  /**
   * Returns all rows of several queries with small results. On PostgreSQL this takes one round trip: later queries see
   * everything that was committed when the first ones had been answered, and the definitions of the tables that those
   * read cannot change in between.
   */
  readMany(queries: readonly BoundQuery[], options: ReadOptions): Promise<ResultBatch[]>;
  /** Throws a ConnectionError 'readOnly' if the configuration does not allow writes. Errors of `work` are rethrown. */
  write<T>(work: (transaction: WriteTransaction) => Promise<T>, options: WriteOptions): Promise<T>;
  /** The procedures of the schemas in the configuration, whether or not the connection allows writes. */
  readonly procedures: Procedures;
}

/** The named connections of the configuration. */
export interface Connections {
  readonly names: readonly string[];
  /** Finds a connection by name, ignoring case; throws ConnectionError 'missing'. */
  get(name: string): NamedConnection;
  has(name: string): boolean;
  /** Logs a warning for read-only connections whose login may write. Connections that cannot be reached are skipped. */
  warnOfWritingLogins(): Promise<void>;
  close(): Promise<void>;
}
