import type { Knex } from 'knex';
import type { BoundQuery, SqlKind } from '#shared/codecs/query-text.ts';
import type { Dialect } from '#server/db/dialect/types.ts';
import type { Procedures } from './procedures/types.ts';

/** A value of a result as a cell holds it: dates and times are serial days (without a zone), bytes and the rest are texts. */
export type ResultValue = string | number | boolean | null;

export interface ResultColumn {
  /** As the query names it; '' where it does not. */
  name: string;
  kind: 'Text' | 'Number' | 'Boolean' | 'Date';
  /** A number of floating point, which a plain conversion to text cuts to 6 digits on SQL Server. */
  isFloat?: true;
  /** Of numbers that are whole or of floating point. */
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
  /** Fewer than the connection's own. A result with more is an error, not cut off. */
  maxRows?: number;
  /** Whether rows are passed on as they come and never held together, so that their number is not limited. */
  isStreamed?: boolean;
  /** Milliseconds, fewer than the connection's own. */
  timeLimit?: number;
  /** Numbers of more than 15 digits are answered as their plain texts, with all digits. */
  exactNumbers?: boolean;
}

export interface WriteOptions {
  signal: AbortSignal;
  timeLimit?: number;
}

/** A transaction of a Write: what throws inside leaves nothing behind. */
export interface WriteTransaction {
  trx: Knex.Transaction;
  dialect: Dialect;
  /** The columns of a table ('Orders', 'sales.Orders') as the catalog spells them; none where there is no such table. */
  columnsOf: (table: string) => Promise<{ name: string; kind: ResultColumn['kind']; nullable: boolean }[]>;
}

/** A database by the name that workbooks call it. All that goes wrong throws a ConnectionError; so does what `read` yields late. */
export interface NamedConnection {
  /** As the configuration spells it. */
  readonly name: string;
  readonly kind: SqlKind;
  readonly allowWrites: boolean;
  readonly maxRows: number;
  /** Milliseconds. */
  readonly timeLimit: number;
  /** The rows as they come, in a transaction that only reads; leaving the loop early ends the statement. */
  read(query: BoundQuery, options: ReadOptions): AsyncGenerator<ResultBatch, void, void>;
  /** All rows at once, for results known to be small. */
  readAll(query: BoundQuery, options: ReadOptions): Promise<ResultBatch>;
  /**
   * All rows of each of several queries with small results, on PostgreSQL in one round trip, where later queries see all that was committed
   * when the first ones had been answered, and the definitions of the tables those read stay as they are meanwhile.
   */
  readTogether(queries: readonly BoundQuery[], options: ReadOptions): Promise<ResultBatch[]>;
  /** Throws readOnly where the configuration does not allow writes. What `work` throws is thrown on. */
  write<T>(work: (transaction: WriteTransaction) => Promise<T>, options: WriteOptions): Promise<T>;
  /** Those of the schemas that the configuration names, whether or not the connection allows writes. */
  readonly procedures: Procedures;
}

/** The named connections of the configuration. */
export interface Connections {
  readonly names: readonly string[];
  /** By its name, whatever its case; throws ConnectionError 'missing'. */
  get(name: string): NamedConnection;
  has(name: string): boolean;
  /** Warns in the log of connections that only read, but whose login may write. Those that cannot be reached are passed over. */
  warnOfWritingLogins(): Promise<void>;
  close(): Promise<void>;
}
