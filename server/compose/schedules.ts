/** What is known of all schedules together, of activities and of checklists. */
import type { ScheduleOverviewParts } from '#server/features/schedules/schedule-overview-routes.ts';
import { createScheduleOverviewService } from '#server/features/schedules/schedule-overview-service.ts';
import { createSchedulePause } from '#server/features/schedules/schedule-pause.ts';
import { CHECKLISTS } from '#server/jobs/schedules/scheduled-chains.ts';
import { ACTIVITIES } from '#server/jobs/schedules/scheduler.ts';
import type { ActivityParts } from './activities.ts';
import type { PortalDeps } from './portal.ts';

export function createScheduleParts(
  { database, timeZone }: PortalDeps,
  { access, checklistAccess }: ActivityParts,
): ScheduleOverviewParts {
  const { knex } = database;
  return {
    scheduleOverview: createScheduleOverviewService(database, checklistAccess),
    activityPause: createSchedulePause({
      database,
      kind: ACTIVITIES,
      requireEdit: (person, id) => access.requireEdit(knex, person, id),
      timeZone,
    }),
    checklistPause: createSchedulePause({
      database,
      kind: CHECKLISTS,
      requireEdit: (person, id) => checklistAccess.requireEdit(knex, person, id),
      timeZone,
    }),
  };
}
