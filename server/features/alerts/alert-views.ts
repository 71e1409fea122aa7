import { fullName } from '#server/base/full-name.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { FIRINGS_SHOWN, type Alert, type AlertFiring, type AlertReceivers } from '#shared/contract/alerts.ts';
import type { AlertWebhooks } from './alert-webhooks.ts';
import { conditionOf, countNotified, listFirings, type AlertRow, type FiringRow } from './alerts-repository.ts';

/** @param revisionBy returns the Revision of an alert, read before its row */
export async function alertViews(
  db: Db,
  rows: readonly AlertRow[],
  { webhooks, revisionBy }: { webhooks: AlertWebhooks; revisionBy: (id: number) => number },
): Promise<Alert[]> {
  const ids = rows.map(({ Id }) => Id);
  const firings = await listFirings(db, ids, FIRINGS_SHOWN);
  const counts = await countNotified(
    db,
    firings.map(({ Id }) => Id),
  );
  const countOf = (id: number, status: string): number =>
    counts.find(({ AlertFiringId, Status }) => AlertFiringId === id && Status === status)?.Count ?? 0;
  return rows.map((row) => ({
    Id: row.Id,
    Name: row.Name,
    IsActive: row.IsActive,
    Condition: conditionOf(row),
    Receivers: JSON.parse(row.Receivers) as AlertReceivers,
    NextReceivers: JSON.parse(row.NextReceivers) as AlertReceivers,
    EscalateMinutes: row.EscalateMinutes,
    Webhooks: webhooks.decrypt(row.EncryptedWebhooks).map(({ Kind, Url }) => ({ Kind, Host: new URL(Url).host })),
    Revision: revisionBy(row.Id),
    Firings: firings
      .filter(({ AlertId }) => AlertId === row.Id)
      .map((firing) => ({
        ...firingView(firing),
        Told: countOf(firing.Id, 'Told'),
        Delivered: countOf(firing.Id, 'Delivered'),
        GivenUp: countOf(firing.Id, 'GivenUp'),
      })),
  }));
}

export function firingView(row: FiringRow): Omit<AlertFiring, 'Told' | 'Delivered' | 'GivenUp'> {
  return {
    Id: row.Id,
    Time: row.Time.toISOString(),
    Message: row.Message,
    Category: row.Category,
    IsTest: row.IsTest,
    ActivityRunId: row.ActivityRunId,
    ChecklistRunId: row.ChecklistRunId,
    SeenTime: row.SeenTime?.toISOString() ?? null,
    SeenByFullName: row.SeenTime === null ? null : fullName(row),
  };
}
