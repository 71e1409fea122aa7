/** Alerts in a person's notification bell. It shows only alerts that the person may still see. */
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { AlertNotification } from '#shared/contract/notifications.ts';
import type { AlertAudience } from './alert-audience.ts';
import { starterOf } from './alert-watch-repository.ts';
import { listNotices } from './alerts-repository.ts';

/** Maximum number of alerts shown. */
const MAX_ALERTS = 20;

export type AlertNotices = (person: Person) => Promise<AlertNotification[]>;

export function createAlertNotices({ knex, dialect }: Database, audience: AlertAudience): AlertNotices {
  return async (person) => {
    if (person.keyScope !== undefined) return [];
    const notices: AlertNotification[] = [];
    for (const row of await listNotices(knex, dialect, person.UserId, MAX_ALERTS)) {
      const isOfRun = row.ActivityRunId !== null || row.ChecklistRunId !== null;
      const starterId = isOfRun ? await starterOf(knex, row) : null;
      if (!(await audience.mayLearn(knex, person, { ...row, starterId, isOfRun }))) continue;
      notices.push({
        NoticeId: row.Id,
        AlertFiringId: row.AlertFiringId,
        IsOfOwnActivity: row.Scope === 'Owner',
        Name: row.OwnerName,
        Message: row.Message,
        Category: row.Category,
        Time: row.VisibleTime.toISOString(),
      });
    }
    return notices;
  };
}
