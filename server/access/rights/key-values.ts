import type { Db } from '#server/db/dialect/types.ts';
import type { ObjectKeys } from './grants.ts';

/** A value that a right can be restricted to, and how it is displayed. */
export interface KeyValue {
  value: string;
  /** For example 'Name : Loan schedule'; both fields are empty if the value is self-explanatory. */
  DisplayColumnName: string;
  DisplayColumnValue: string;
  /** All key columns of the object: for an activity, its id and its schema. */
  keys: ObjectKeys;
}

/** The values of one key column. */
export interface KeyValues {
  /** Names of the columns that are displayed for the values. */
  displayColumns: readonly string[];
  /** @param db transaction to read in; the pool if omitted */
  list(db?: Db): Promise<KeyValue[]>;
}

/** Sources of key values by table and key column. A right on another table needs an entry here. */
export type KeyValueSources = Readonly<Record<string, Readonly<Record<string, KeyValues>>>>;
