import type { Readable, Writable } from 'node:stream';
import type { Knex } from 'knex';

/** The pool itself, or a transaction on it: every query function takes either. */
export type Db = Knex;

export type DialectName = 'pg' | 'mssql';

/** A value that can be bound; Date is a moment, Buffer is bytes. */
export type SqlValue = string | number | boolean | Date | Buffer | null;

export type Row = Record<string, SqlValue | undefined>;

export interface OrderTerm {
  column: string;
  direction?: 'asc' | 'desc';
}

/** Narrows a query; gets the builder of the rows' table. */
export type Condition = (query: Knex.QueryBuilder) => void;

export interface ClaimOptions {
  table: string;
  /** Column that tells the rows apart. */
  key: string;
  where: Condition;
  orderBy: OrderTerm[];
  limit: number;
  /** New values; expressions such as now() are allowed. */
  set: Record<string, SqlValue | Knex.Raw>;
  /** Columns answered of each claimed row, as they are after the change. */
  returning: string[];
}

export interface TurnRange {
  pool: string;
  from: number;
  /** The first turn that is no more in it. */
  below: number;
}

export interface LockOptions {
  table: string;
  columns: string[];
  where: Condition;
  orderBy: OrderTerm[];
  limit?: number;
  /** Whether rows that another transaction has locked are waited for, or passed over. */
  locked: 'wait' | 'skip';
}

export interface UpsertOptions {
  table: string;
  rows: Row[];
  /** Columns of the unique index that decides whether a row is there. */
  key: string[];
  /** Columns overwritten in a row that is there; none leaves it as it is. */
  update: string[];
}

export type ColumnKind = 'integer' | 'bigint' | 'float' | 'text' | 'boolean';

/** Rows to be inserted along with a change. */
export interface ChildRows {
  table: string;
  /** Column that takes the Id of the changed row; none where the rows do not name it. */
  parentColumn?: string;
  columns: Readonly<Record<string, ColumnKind>>;
  rows: readonly object[];
}

/** Changes of many rows of a kind, each with rows that belong to it. */
export interface ManyChanges {
  /** Columns of "Given", which has a row for each change. */
  given: Readonly<Record<string, ColumnKind>>;
  /** The table of rows that are made: "Given" has their Ids as well. Where none are made, it has Ids among its own columns. */
  newIn?: string;
  /** Changes the row of each of "Given", or leaves it, and answers the Ids of those changed. Made once: it binds nothing that varies. */
  change: (knex: Knex) => Knex.Raw | Knex.QueryBuilder;
  /** A column that `change` answers beside the Ids. */
  answers?: string;
}

export interface ChangedRow {
  Id: number;
  /** Of the column that was to be answered. */
  Answer?: SqlValue;
}

export interface OneChange {
  given: Row;
  children: readonly ChildRows[];
}

/** Answers of each the row it changed, or undefined. All of it or nothing. */
export type ChangeMany = (changes: readonly OneChange[]) => Promise<(ChangedRow | undefined)[]>;

export interface DeleteChunkOptions {
  table: string;
  key: string;
  where: Condition;
  limit: number;
}

/** What an error of the database means, whichever of the two it is. */
export type DatabaseFault =
  /** A unique index refused the row. */
  | 'unique'
  /** A foreign key refused the row, or its deletion. */
  | 'foreignKey'
  /** A deadlock, serialisation conflict or lock time-out: the same transaction may well succeed when run again. */
  | 'retryable'
  /** The server went away, or is not up yet. Whether a commit under way took place is unknown. */
  | 'connection'
  /** The statement was cancelled, or ran out of time. */
  | 'cancelled'
  /** The login has no right to do that. */
  | 'denied'
  /** It has no room left. Nothing was stored, and the same will succeed once there is. */
  | 'full'
  | 'other';

export interface ClassifiedError {
  fault: DatabaseFault;
  /** Name of the index or constraint that refused, where the database tells it. */
  constraint?: string;
  /** Of 'connection': the server answered, but changes nothing. It has become a standby, or the transaction only reads. */
  isReadOnly?: true;
}

/** Ends a listen(). */
export interface Listening {
  close(): Promise<void>;
}

/** A table whose rows are copied as text, one row a line. */
export interface CopiedTable {
  name: string;
  columns: string[];
}

/** Where the numbers of a table's rows have come to. */
export interface Sequence {
  name: string;
  last: string;
  called: boolean;
}

/** All rows as they were at one moment. Only one of its tables is read at a time. */
export interface Snapshot {
  /** For queries of the same moment. */
  db: Db;
  tables: CopiedTable[];
  sequences(): Promise<Sequence[]>;
  read(table: CopiedTable): Readable;
}

/** An empty database that is being filled. Only one of its tables is written at a time. */
export interface Loading {
  tables: CopiedTable[];
  write(table: CopiedTable): Writable;
  setSequence(sequence: Sequence): Promise<void>;
}

/** See Dialect.snapshots. */
export interface Snapshots {
  listTables(knex: Knex): Promise<string[]>;
  take<T>(knex: Knex, work: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /** In one transaction, in place of all rows that are there. */
  load(knex: Knex, work: (loading: Loading) => Promise<void>): Promise<void>;
}

/**
 * All that differs between PostgreSQL and SQL Server. Nothing outside this folder asks which database it is.
 *
 * Two things no function here can mend, for SQL Server's sake: run the statements of one transaction one after the other, and
 * never bind null for a binary column (leave the column out, or use nullBytes()).
 */
export interface Dialect {
  readonly name: DialectName;

  /** Most values that one statement may bind. */
  readonly maxBindings: number;
  /** Most rows that one VALUES list may hold. */
  readonly maxRows: number;

  // Types of columns, for specificType() in migrations.
  readonly types: {
    /** A moment to the millisecond, kept in UTC. */
    timestamp: string;
    /** Text of any length; also JSON, which is kept as text on both. */
    longText: string;
    bytes: string;
  };

  /** Sets what the database as a whole needs; before its tables are made. Throws a StartError where that has to be done by hand. */
  prepareDatabase(db: Db): Promise<void>;

  /** Database time; the same moment throughout one statement. Also a column's default. */
  now(db: Db): Knex.Raw;
  /** Database time, moved by a number of seconds (negative: into the past; fractions down to milliseconds). */
  nowPlus(db: Db, seconds: number): Knex.Raw;
  /** A column's moment, moved by a number of seconds. */
  plusSeconds(db: Db, column: string, seconds: number): Knex.Raw;
  /** Seconds from a column's moment until database time, with milliseconds. */
  secondsSince(db: Db, column: string): Knex.Raw;
  /** Number of the period of so many seconds, counted from 1970 on, in which a column's moment lies. */
  periodOf(db: Db, column: string, seconds: number): Knex.Raw;
  nullBytes(db: Db): Knex.Raw;

  /** Text at a path of a JSON column, such as ['Layout', 'Width']; null where there is none. Scalars only. */
  jsonText(db: Db, column: string, path: string[]): Knex.Raw;

  /** Bytes that the text of a column takes; null where there is none. */
  byteLength(db: Db, column: string): Knex.Raw;

  /** Compares without regard to case, in the middle of the text or at its start. The text is literal: % and _ mean themselves. */
  contains(db: Db, column: string, text: string): Knex.Raw;
  startsWith(db: Db, column: string, text: string): Knex.Raw;
  /** The text in lower case as the columns of text have theirs, whatever language the database is set to. */
  lower(db: Db, text: string): Knex.Raw;
  /** The text in a list of values that columns of text are compared with. */
  listedText(db: Db, text: string): Knex.Raw;
  /** For a column kept in lower case and ordered by an index; letter case of the text does not matter, and it is literal. */
  beginsWith(db: Db, column: string, text: string): Knex.Raw;
  /** Order for people: without regard to case. */
  orderIgnoringCase(db: Db, column: string, direction?: 'asc' | 'desc'): Knex.Raw;

  /**
   * Joins to each row the rows of a query that may name that row's columns, such as its newest run; a row without any stays.
   * The query runs once a row, so it must be one look into an index.
   */
  leftJoinEach(query: Knex.QueryBuilder, each: Knex.QueryBuilder, alias: string): void;

  /**
   * Of changeWithChildren() the way in one statement; `change` answers the Id of the one row it concerns. Absent where the
   * database has none.
   */
  readonly changeInOneStatement?: (
    knex: Knex,
    change: Knex.QueryBuilder,
    children: readonly ChildRows[],
  ) => Promise<number | undefined>;

  /** Many such changes in one statement, which is made once. Absent where the database has none. */
  readonly many?: {
    inOneStatement(knex: Knex, many: ManyChanges): ChangeMany;
    /** Database time, so many seconds ago as the column says; null where it is null. */
    ago(db: Db, column: string): Knex.Raw;
  };

  /** Changes up to `limit` rows that no other transaction holds, first come first, and answers them in that order. */
  claimRows<T>(db: Db, options: ClaimOptions): Promise<T[]>;
  /** Reads rows and keeps others from changing them until the transaction ends. */
  lockRows<T>(trx: Knex.Transaction, options: LockOptions): Promise<T[]>;
  /** Inserts rows, or updates those whose key is there. Safe when several do so at once. */
  upsert(db: Db, options: UpsertOptions): Promise<void>;
  /** Deletes up to `limit` rows, passing over locked ones; answers how many. Repeat until 0. */
  deleteChunk(db: Db, options: DeleteChunkOptions): Promise<number>;

  /**
   * The highest Turn within some among the runs of an owner in a pool that wait or run; null where there are none. Of starts of one owner at once each
   * sees the one before, as the others wait until it is stored. The owner may be a column of the row that is changed.
   */
  lastTurnOf(db: Db, owner: string | Knex.Raw, within: TurnRange): Knex.Raw;

  /** Waits for a lock of that name, held until the transaction ends. */
  lock(trx: Knex.Transaction, name: string): Promise<void>;
  /** Takes the lock of that name if it is free; says whether it did. */
  tryLock(trx: Knex.Transaction, name: string): Promise<boolean>;
  /** How long statements of a transaction wait for a lock before they end as retryable; null: as long as the database lets them. */
  limitLockWait(trx: Db, milliseconds: number | null): Promise<void>;

  /** Tells all listeners of a channel. In a transaction: when it commits. Does nothing where the database cannot. */
  notify(db: Db, channel: string, payload: string): Promise<void>;
  /**
   * Calls `onMessage` for every notify() on the channel, and `reconnected` after a lost connection is back, when something may have
   * been missed. Answers undefined where the database cannot tell: then poll.
   */
  listen(
    url: string,
    channel: string,
    onMessage: (payload: string) => void,
    reconnected: () => void,
  ): Promise<Listening | undefined>;

  /** Copies of the whole database. Absent where it makes consistent copies by itself alone, as SQL Server does by BACKUP DATABASE. */
  readonly snapshots?: Snapshots;

  classify(error: unknown): ClassifiedError;
}
