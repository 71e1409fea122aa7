import type { RunStatus } from '#shared/contract/run-status.ts';
import { fullName, type NameColumns } from '#server/base/full-name.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { LastRun } from '#shared/contract/activities.ts';

/** The columns of an activity's newest run; all are null if it has none. */
export interface LastRunColumns extends NameColumns {
  LastRunId: number | null;
  QueueTime: Date | null;
  Status: RunStatus | null;
}

export function lastRunOf(row: LastRunColumns | undefined): LastRun | null {
  if (!row || row.LastRunId === null || row.QueueTime === null || row.Status === null) return null;
  const { LastRunId, QueueTime, Status } = row;
  return { Id: LastRunId, QueueTime: QueueTime.toISOString(), Status, UserFullName: fullName(row) };
}

/**
 * Returns the newest run of an activity or of a link.
 *
 * @param userId if set, only this user's runs
 */
export async function findLastRun(
  db: Db,
  column: 'ActivityId' | 'ActivityLinkId',
  id: number,
  userId?: number,
): Promise<LastRunColumns | undefined> {
  const query = db('ActivityRuns as R')
    .join('Users as U', 'U.UserId', 'R.UserId')
    .where(`R.${column}`, id)
    .orderBy('R.Id', 'desc')
    .first<LastRunColumns | undefined>(
      'R.Id as LastRunId',
      'R.QueueTime',
      'R.Status',
      'U.FirstName',
      'U.MiddleName',
      'U.LastName',
    );
  if (userId !== undefined) void query.where('R.UserId', userId);
  return query;
}
