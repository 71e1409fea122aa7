import type { Knex } from 'knex';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import { ON_ACTIVITY, whereVisible, type ActivityScopes } from '#server/access/activity-scopes.ts';
import { whereInScope } from '#server/access/rights/right-scope.ts';
import type { FavouriteChange } from '#shared/contract/activity-marks.ts';

type Kind = FavouriteChange['Kind'];

/** The tables that hold favourites, runs and daily schedules of each kind, and the id column in them. */
const TABLES = {
  Activity: {
    favourites: 'ActivityFavourites',
    id: 'ActivityId',
    runs: 'ActivityRuns',
    schedules: 'ActivitySchedules',
  },
  Checklist: {
    favourites: 'ChecklistFavourites',
    id: 'ChecklistId',
    runs: 'ChecklistRuns',
    schedules: 'ChecklistSchedules',
  },
} as const;

const idsOf = (rows: readonly { Id: number }[]): number[] => rows.map(({ Id }) => Id);

export async function listFavourites(db: Db, kind: Kind, UserId: number): Promise<number[]> {
  const { favourites, id } = TABLES[kind];
  return idsOf(await db(favourites).where({ UserId }).orderBy(id).select(`${id} as Id`));
}

/** Number of a user's newest runs that are searched for what they ran last. */
const MAX_SCANNED_RUNS = 500;

/** Returns what the user ran last, newest first. It scans a bounded index range, regardless of how many runs exist. */
export async function listRecent(db: Db, kind: Kind, UserId: number, limit: number): Promise<number[]> {
  const { id, runs } = TABLES[kind];
  const rows = await db(runs)
    .where({ UserId })
    .orderBy('Id', 'desc')
    .limit(MAX_SCANNED_RUNS)
    .select<{ Of: number }[]>(`${id} as Of`);
  return [...new Set(rows.map(({ Of }) => Of))].slice(0, limit);
}

export async function listOwn(db: Db, kind: Kind, UserId: number): Promise<number[]> {
  return kind === 'Activity'
    ? idsOf(await db('ActivityVersions').where({ UserId }).distinct<{ Id: number }[]>('ActivityId as Id').orderBy('Id'))
    : idsOf(await db('Checklists').where({ UserId }).orderBy('Id').select('Id'));
}

export interface NextRow {
  Id: number;
  Schema: string;
  NextTime: Date;
}

/**
 * Returns the next times of the activities that the person sees and may either edit or see the runs of.
 * @param never the next time stored for schedules that have no further occurrence
 */
export async function listNextTimes(db: Db, scopes: ActivityScopes, never: Date): Promise<NextRow[]> {
  const query = db
    .from(nextTimes(db, 'Activity', never))
    .join('Activities as A', 'A.Id', 'S.Id')
    .where('A.IsActive', true)
    .orderBy('A.Id')
    .select<NextRow[]>('A.Id', 'A.Schema', 'S.NextTime');
  whereVisible(query, scopes);
  void query.where((visible) => {
    void visible.where((edit) => whereInScope(edit, scopes.edit, ON_ACTIVITY));
    void visible.orWhere((runs) => whereInScope(runs.whereRaw('1 = 1'), scopes.viewRuns, ON_ACTIVITY));
  });
  return query;
}

export async function listChecklistNextTimes(db: Db, never: Date): Promise<NextRow[]> {
  return db
    .from(nextTimes(db, 'Checklist', never))
    .join('Checklists as C', 'C.Id', 'S.Id')
    .orderBy('C.Id')
    .select('C.Id', 'C.Schema', 'S.NextTime');
}

/**
 * Builds subquery S: the earliest next time over all active schedules of each activity or checklist, both daily
 * schedules and the Timetables table.
 */
function nextTimes(db: Db, kind: Kind, never: Date): Knex.QueryBuilder {
  const { id, schedules } = TABLES[kind];
  const [daily, additional] = [schedules, 'Timetables'].map((table) =>
    db(table)
      .whereNotNull(id)
      .whereNull('PausedTime')
      .where('NextTime', '<', never)
      .select({ Id: id, NextTime: 'NextTime' }),
  );
  const all = db.from(daily!.unionAll([additional!]).as('All'));
  return all.groupBy('Id').select('Id').min({ NextTime: 'NextTime' }).as('S');
}

export async function writeFavourite(
  db: Db,
  dialect: Dialect,
  UserId: number,
  { Kind, Id, IsFavourite }: FavouriteChange,
): Promise<void> {
  const { favourites: table, id } = TABLES[Kind];
  const row = { UserId, [id]: Id };
  if (IsFavourite) await dialect.upsert(db, { table, rows: [row], key: ['UserId', id], update: [] });
  else await db(table).where(row).delete();
}
