import type { RunStatus } from '#shared/contract/run-status.ts';
import { fullName, type NameColumns } from '#server/base/full-name.ts';
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
