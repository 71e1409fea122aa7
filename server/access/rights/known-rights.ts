import { CUSTOM_RIGHT, RIGHT_NAMES, RIGHTS } from '#shared/contract/rights.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { KeyValue } from './key-values.ts';
import { listCustomRights } from './grant-rows.ts';

export interface KnownRight {
  Name: string;
  Description: string;
  TableName: string;
  KeyColumns: readonly string[];
  IsCustom: boolean;
}

/** Reads the existing rights, and the values of their key columns. `db` may be a transaction; the pool if omitted. */
export interface KnownRights {
  known(db?: Db): Promise<KnownRight[]>;
  keyValues(right: KnownRight, keyColumn: string, db?: Db): Promise<KeyValue[]>;
}

const PROGRAM: KnownRight[] = RIGHT_NAMES.map((Name) => ({ Name, ...RIGHTS[Name], IsCustom: false }));

/** Returns the built-in rights, then the custom ones by name. */
export async function knownRights(db: Db): Promise<KnownRight[]> {
  const custom = (await listCustomRights(db)).map((right) => ({ ...right, ...CUSTOM_RIGHT, IsCustom: true }));
  return [...PROGRAM, ...custom];
}
