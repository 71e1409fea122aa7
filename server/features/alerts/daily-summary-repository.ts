import type { Db } from '#server/db/dialect/types.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';

export interface SummaryRuns {
  Name: string;
  Status: RunStatus;
  Count: number;
}

/** Counts the user's own runs that ended since the given time, by activity and status. */
export async function runsOf(db: Db, userId: number, since: Date): Promise<SummaryRuns[]> {
  return db('ActivityRuns as R')
    .join('Activities as A', 'A.Id', 'R.ActivityId')
    .where('R.UserId', userId)
    .where('R.EndTime', '>', since)
    .groupBy('A.Name', 'R.Status')
    .select('A.Name', 'R.Status')
    .count<SummaryRuns[]>({ Count: '*' });
}

/** Returns the alerts newest first. */
export async function alertsOf(
  db: Db,
  userId: number,
  since: Date,
  limit: number,
): Promise<{ OwnerName: string; Message: string }[]> {
  return db('AlertNotices as N')
    .join('AlertFirings as F', 'F.Id', 'N.AlertFiringId')
    .join('Alerts as A', 'A.Id', 'F.AlertId')
    .leftJoin('Activities as V', 'V.Id', db.raw('coalesce(??, ??)', ['F.ActivityId', 'A.ActivityId']))
    .leftJoin('Checklists as C', 'C.Id', db.raw('coalesce(??, ??)', ['F.ChecklistId', 'A.ChecklistId']))
    .where('N.UserId', userId)
    .where('F.Time', '>', since)
    .where('F.IsTest', false)
    .orderBy('N.Id', 'desc')
    .limit(limit)
    .select<{ OwnerName: string; Message: string }[]>(
      'F.Message',
      db.raw('coalesce(??, ??) as ??', ['V.Name', 'C.Name', 'OwnerName']),
    );
}
