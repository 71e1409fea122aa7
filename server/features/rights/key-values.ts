import type { ObjectKeys } from './grants.ts';

/** A value that a right may be limited to, and how it is shown. */
export interface KeyValue {
  value: string;
  /** 'Name : Loan schedule'; both empty where the value speaks for itself. */
  DisplayColumnName: string;
  DisplayColumnValue: string;
  /** All key columns of the object: for an activity its id and its schema. */
  keys: ObjectKeys;
}

/** The values of one key column. */
export interface KeyValues {
  /** What is shown of them: names of columns. */
  displayColumns: readonly string[];
  list(): Promise<KeyValue[]>;
}

/** By table and key column. Whoever adds a right on another table adds where its values come from. */
export type KeyValueSources = Readonly<Record<string, Readonly<Record<string, KeyValues>>>>;
