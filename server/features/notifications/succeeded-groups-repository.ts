import type { Db, Dialect } from '#server/db/dialect/types.ts';
import { whereVisible, type ActivityScopes } from '#server/access/activity-scopes.ts';
import { MAX_NOTICE_AGE_SECONDS } from './notifications-repository.ts';

export interface SucceededGroupRow {
  ActivityId: number;
  Name: string;
  Count: number;
  ActivityRunId: number;
  Time: Date;
}

/** Number of a user's newest runs that are read. It bounds the cost of a list that pages poll. */
const MAX_RUNS = 1000;

/**
 * Groups the newest runs of a user that plainly succeeded by activity, newest first. Steps, rows and runs that others
 * started are not included.
 */
export async function listSucceededGroups(
  db: Db,
  dialect: Dialect,
  { scopes, userId, limit }: { scopes: Pick<ActivityScopes, 'run' | 'edit'>; userId: number; limit: number },
): Promise<SucceededGroupRow[]> {
  const columns = ['Id', 'ActivityId', 'Status', 'EndTime', 'QueueTime', 'ChecklistRunId', 'ParentRunId'];
  // A range and an order by both columns, so that the database scans the index of the user's runs: see sources().
  const newest = db('ActivityRuns as R')
    .whereBetween('R.UserId', [userId, userId])
    .orderBy([
      { column: 'R.UserId', order: 'desc' },
      { column: 'R.Id', order: 'desc' },
    ])
    .limit(MAX_RUNS)
    .select(columns.map((column) => `R.${column}`));
  const query = db
    .from(newest.as('N'))
    .join('Activities as A', 'A.Id', 'N.ActivityId')
    .leftJoin('SucceededDismissals as D', (on) => {
      on.on('D.ActivityId', 'N.ActivityId').onVal('D.UserId', userId);
    })
    .where('N.Status', 'Succeeded')
    .whereNull('N.ChecklistRunId')
    .whereNull('N.ParentRunId')
    .where('N.QueueTime', '>', dialect.nowPlus(db, -MAX_NOTICE_AGE_SECONDS))
    .where((fresh) => void fresh.whereNull('D.ActivityRunId').orWhereRaw('?? > ??', ['N.Id', 'D.ActivityRunId']));
  whereVisible(query, scopes);
  return query
    .groupBy('A.Id', 'A.Name')
    .orderBy('ActivityRunId', 'desc')
    .limit(limit)
    .select('A.Id as ActivityId', 'A.Name')
    .count({ Count: '*' })
    .max({ ActivityRunId: 'N.Id' })
    .max<SucceededGroupRow[]>({ Time: 'N.EndTime' });
}

export async function dismissSucceeded(
  db: Db,
  dialect: Dialect,
  row: { UserId: number; ActivityId: number; ActivityRunId: number },
): Promise<void> {
  const key = ['UserId', 'ActivityId'];
  await dialect.upsert(db, { table: 'SucceededDismissals', rows: [row], key, update: ['ActivityRunId'] });
}
