import type { SecurityActionType } from '#shared/contract/security.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { SecurityActionRow } from '#server/access/audit/action-hash.ts';

/** A range of action ids: including `from`, excluding `before`. */
export interface ActionRange {
  from: number;
  before: number;
}

export interface SearchedWord {
  text: string;
  /** Names of actions and rights that the word also stands for. */
  names: readonly string[];
}

/** The search conditions; all of them must match. */
export interface ActionSearch {
  words: readonly SearchedWord[];
  action: SecurityActionType | null;
  from: Date | null;
  until: Date | null;
}

const SEARCHED = [
  'UserName',
  'UserFullName',
  'Action',
  'TargetUserName',
  'TargetRole',
  'RightName',
  'KeyColumnName',
  'KeyColumnValue',
  'Address',
] as const;

/**
 * Returns the actions newest first. It may have to scan every row within the range, so the caller must limit the range.
 */
export async function searchActions(
  db: Db,
  range: ActionRange,
  { words, action, from, until }: ActionSearch,
  limit: number,
): Promise<SecurityActionRow[]> {
  const dialect = dialectOf(db);
  const query = db<SecurityActionRow>('SecurityActions')
    .where('Id', '>=', range.from)
    .where('Id', '<', range.before)
    .orderBy('Id', 'desc')
    .limit(limit);
  if (action !== null) void query.where('Action', action);
  if (from !== null) void query.where('Time', '>=', from);
  if (until !== null) void query.where('Time', '<', until);
  for (const { text, names } of words) {
    void query.where((any) => {
      for (const column of SEARCHED) void any.orWhereRaw(dialect.contains(db, column, text));
      if (names.length > 0) void any.orWhereIn('Action', names).orWhereIn('RightName', names);
    });
  }
  return query;
}

export async function findActionTime(db: Db, Id: number): Promise<Date | null> {
  const row = await db<SecurityActionRow>('SecurityActions').where({ Id }).first('Time');
  return row?.Time ?? null;
}

/** Returns the actions after `id`, oldest first. */
export async function listActionsAfter(db: Db, id: number, limit: number): Promise<SecurityActionRow[]> {
  return db<SecurityActionRow>('SecurityActions').where('Id', '>', id).orderBy('Id').limit(limit);
}
