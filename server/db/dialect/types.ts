import type { Readable, Writable } from 'node:stream';
import type { Knex } from 'knex';

/** The pool or one of its transactions: every query function accepts both. */
export type Db = Knex;

export type DialectName = 'pg' | 'mssql';

/** A value that can be bound; a Date is a point in time, a Buffer is bytes. */
export type SqlValue = string | number | boolean | Date | Buffer | null;

export type Row = Record<string, SqlValue | undefined>;

export interface OrderTerm {
  column: string;
  direction?: 'asc' | 'desc';
}

/** Narrows a query; receives the query builder of the table. */
export type Condition = (query: Knex.QueryBuilder) => void;

export interface ClaimOptions {
  table: string;
  /** Unique column that identifies the rows. */
  key: string;
  where: Condition;
  orderBy: OrderTerm[];
  limit: number;
  /** New values; expressions such as now() are allowed. */
  set: Record<string, SqlValue | Knex.Raw>;
  /** Columns to return for each claimed row, with their values after the change. */
  returning: string[];
}

export interface RankRange {
  pool: string;
  from: number;
  /** Exclusive upper bound of the range. */
  below: number;
}

export interface LockOptions {
  table: string;
  columns: string[];
  where: Condition;
  orderBy: OrderTerm[];
  limit?: number;
  /** Whether to wait for rows locked by another transaction or to skip them. */
  locked: 'wait' | 'skip';
}

export interface UpsertOptions {
  table: string;
  rows: Row[];
  /** Columns of the unique index that decides whether a row exists. */
  key: string[];
  /** Columns to overwrite in an existing row; if empty, the row stays unchanged. */
  update: string[];
}

export type ColumnKind = 'integer' | 'bigint' | 'float' | 'text' | 'boolean';

/** Rows to insert together with a change. */
export interface ChildRows {
  table: string;
  /** Column that receives the Id of the changed row; absent if the rows do not reference it. */
  parentColumn?: string;
  columns: Readonly<Record<string, ColumnKind>>;
  rows: readonly object[];
}

/** Changes of many rows of one kind, each with child rows. */
export interface ManyChanges {
  /** Columns of "Given", which has one row per change. */
  changeColumns: Readonly<Record<string, ColumnKind>>;
  /**
   * The table into which rows are inserted: "Given" then also contains their new Ids. If absent, "Given" must have Ids
   * among its own columns.
   */
  newIn?: string;
  /**
   * Changes or skips the row for each row of "Given", and returns the Ids of the changed rows. The statement is built
   * once, so it must bind nothing that varies.
   */
  change: (knex: Knex) => Knex.Raw | Knex.QueryBuilder;
  /** A column that `change` returns in addition to the Ids. */
  answers?: string;
}

export interface ChangedRow {
  Id: number;
  /** Value of the `answers` column. */
  Answer?: SqlValue;
}

export interface OneChange {
  values: Row;
  children: readonly ChildRows[];
}

/** Returns the changed row for each change, or undefined if none was changed. Either all changes are made or none. */
export type ChangeMany = (changes: readonly OneChange[]) => Promise<(ChangedRow | undefined)[]>;

export interface DeleteChunkOptions {
  table: string;
  key: string;
  where: Condition;
  limit: number;
}

/** The meaning of a database error, independent of the database. */
export type DatabaseFault =
  /** A unique index rejected the row. */
  | 'unique'
  /** A foreign key rejected the row or its deletion. */
  | 'foreignKey'
  /** A deadlock, serialization conflict or lock timeout: the same transaction may succeed if it is run again. */
  | 'retryable'
  /** The server went away or is not available yet. Whether a commit in progress succeeded is unknown. */
  | 'connection'
  /** The statement was cancelled or exceeded its time limit. */
  | 'cancelled'
  /** The login lacks the permission. */
  | 'denied'
  /** The database is full. Nothing was stored, and the same statement succeeds once there is space. */
  | 'full'
  | 'other';

export interface ClassifiedError {
  fault: DatabaseFault;
  /** Name of the index or constraint that rejected the row, if the database reports it. */
  constraint?: string;
  /**
   * Set for 'connection' if the server responded but accepts no changes: it has become a standby, or the transaction is
   * read-only.
   */
  isReadOnly?: true;
}

/** The handle to end a listen(). */
export interface Listening {
  close(): Promise<void>;
}

/** A table whose rows are copied as text, one row per line. */
export interface CopiedTable {
  name: string;
  columns: string[];
}

/** The current state of a table's id sequence. */
export interface Sequence {
  name: string;
  last: string;
  called: boolean;
}

/** All rows as of one point in time. Only one table may be read at a time. */
export interface Snapshot {
  /** For queries as of the same point in time. */
  db: Db;
  tables: CopiedTable[];
  sequences(): Promise<Sequence[]>;
  read(table: CopiedTable): Readable;
}

/** An empty database that is being filled. Only one table may be written at a time. */
export interface Loading {
  tables: CopiedTable[];
  write(table: CopiedTable): Writable;
  setSequence(sequence: Sequence): Promise<void>;
}

/** See Dialect.snapshots. */
export interface Snapshots {
  listTables(knex: Knex): Promise<string[]>;
  take<T>(knex: Knex, work: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /** Loads all rows in one transaction, and replaces the existing ones. */
  load(knex: Knex, work: (loading: Loading) => Promise<void>): Promise<void>;
}

/**
 * Everything that differs between PostgreSQL and SQL Server. Nothing outside this folder checks which database it is.
 *
 * No function here can hide two restrictions of SQL Server: run the statements of one transaction one after the other,
 * and never bind null for a binary column (leave the column out, or use nullBytes()).
 */
export interface Dialect {
  readonly name: DialectName;
  /** Name of the database product, as people know it. */
  readonly product: string;

  /** Maximum number of values that one statement may bind. */
  readonly maxBindings: number;
  /** Maximum number of rows in one VALUES list. */
  readonly maxRows: number;

  // Column types for specificType() in migrations.
  readonly types: {
    /** A point in time with milliseconds, stored in UTC. */
    timestamp: string;
    /** Text of any length. Also used for JSON, which both databases store as text here. */
    longText: string;
    bytes: string;
  };

  /**
   * Sets the options that the database as a whole needs, before its tables are created. Throws a StartError if they
   * must be set by hand.
   */
  prepareDatabase(db: Db): Promise<void>;

  /** Returns the version of the database server. */
  serverVersion(db: Db): Knex.Raw;

  /** Returns the database time; the same value throughout one statement. Also usable as a column default. */
  now(db: Db): Knex.Raw;
  /** Returns the database time plus a number of seconds (negative for the past; fractions down to milliseconds). */
  nowPlus(db: Db, seconds: number): Knex.Raw;
  /** Returns a column's time plus a number of seconds. */
  plusSeconds(db: Db, column: string, seconds: number): Knex.Raw;
  /** Returns the seconds from a column's time until the database time, with milliseconds. */
  secondsSince(db: Db, column: string): Knex.Raw;
  /**
   * Returns the number of the period that contains a column's time. Periods have the given length in seconds and are
   * counted from 1970.
   */
  periodOf(db: Db, column: string, seconds: number): Knex.Raw;
  nullBytes(db: Db): Knex.Raw;

  /** Returns the text at a path of a JSON column, such as ['Layout', 'Width']; null if there is none. Scalars only. */
  jsonText(db: Db, column: string, path: string[]): Knex.Raw;

  /** Returns the number of bytes of a text column; null if it is null. */
  byteLength(db: Db, column: string): Knex.Raw;

  /**
   * Case-insensitive search for literal text anywhere in the column, or at its start. The characters % and _ have no
   * special meaning.
   */
  contains(db: Db, column: string, text: string): Knex.Raw;
  startsWith(db: Db, column: string, text: string): Knex.Raw;
  /** Converts the text to lower case by the rules of the text columns, whatever the language of the database. */
  lower(db: Db, text: string): Knex.Raw;
  /** Returns the text for a list of values that is compared with text columns. */
  listedText(db: Db, text: string): Knex.Raw;
  /**
   * Tests the start of a column that is stored in lower case and has an index. The text is literal, and its case does
   * not matter.
   */
  beginsWith(db: Db, column: string, text: string): Knex.Raw;
  /** Sort order for people: ignores case. */
  orderIgnoringCase(db: Db, column: string, direction?: 'asc' | 'desc'): Knex.Raw;

  /**
   * Left-joins to each row the rows of a query that may reference that row's columns, such as its newest run. The query
   * runs once per row, so it must be a single index lookup.
   */
  leftJoinEach(query: Knex.QueryBuilder, each: Knex.QueryBuilder, alias: string): void;

  /**
   * Single-statement version of changeWithChildren(); `change` returns the Id of the single changed row. Absent if the
   * database does not support it.
   */
  readonly changeInOneStatement?: (
    knex: Knex,
    change: Knex.QueryBuilder,
    children: readonly ChildRows[],
  ) => Promise<number | undefined>;

  /** Makes many such changes in one statement, whose text is built once. Absent if the database does not support it. */
  readonly many?: {
    inOneStatement(knex: Knex, many: ManyChanges): ChangeMany;
    /** Returns the database time minus the column's number of seconds; null if the column is null. */
    ago(db: Db, column: string): Knex.Raw;
  };

  /**
   * Changes up to `limit` rows that no other transaction has locked, in the given order, and returns them in that
   * order.
   */
  claimRows<T>(db: Db, options: ClaimOptions): Promise<T[]>;
  /** Reads rows and locks them against changes until the transaction ends. */
  lockRows<T>(trx: Knex.Transaction, options: LockOptions): Promise<T[]>;
  /** Inserts rows, or updates existing ones with the same key. Safe for concurrent calls. */
  upsert(db: Db, options: UpsertOptions): Promise<void>;
  /** Deletes up to `limit` rows, skips locked ones, and returns the number of deleted rows. Repeat until 0. */
  deleteChunk(db: Db, options: DeleteChunkOptions): Promise<number>;

  /**
   * Returns the highest Turn within a range among an owner's waiting and executing runs in a pool; null if there are
   * none. Concurrent starts of one owner wait for each other, so each sees the one before. The owner may be a column of
   * the changed row.
   */
  lastRankOf(db: Db, owner: string | Knex.Raw, within: RankRange): Knex.Raw;

  /** Waits for a named lock and holds it until the transaction ends. */
  lock(trx: Knex.Transaction, name: string): Promise<void>;
  /** Takes a named lock if it is free; returns true if it did. */
  tryLock(trx: Knex.Transaction, name: string): Promise<boolean>;
  /**
   * Sets how long statements of a transaction wait for a lock before they fail as retryable; null resets this to the
   * default of the database.
   */
  limitLockWait(trx: Db, milliseconds: number | null): Promise<void>;

  /**
   * Notifies all listeners of a channel; within a transaction, when it commits. Does nothing if the database does not
   * support it.
   */
  notify(db: Db, channel: string, payload: string): Promise<void>;
  /**
   * Calls `onMessage` for every notify() on the channel. Calls `reconnected` after a lost connection is restored,
   * because messages may have been missed. Returns undefined if the database does not support notifications: then poll.
   */
  listen(
    url: string,
    channel: string,
    onMessage: (payload: string) => void,
    reconnected: () => void,
  ): Promise<Listening | undefined>;

  /**
   * Copies of the whole database. Absent if only the database's own tools make consistent copies, such as BACKUP
   * DATABASE of SQL Server.
   */
  readonly snapshots?: Snapshots;

  classify(error: unknown): ClassifiedError;
}
