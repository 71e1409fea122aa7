/** Composes what concerns all schedules, of activities and of checklists. */
import type { FastifyInstance } from 'fastify';
import type { ScheduleOverviewParts } from '#server/features/schedules/schedule-overview-routes.ts';
import { createScheduleOverviewService } from '#server/features/schedules/schedule-overview-service.ts';
import { createSchedulePause } from '#server/features/schedules/schedule-pause.ts';
import { CHECKLISTS } from '#server/automation/schedules/scheduled-workflows.ts';
import { ACTIVITIES } from '#server/automation/schedules/scheduler.ts';
import {
  createHolidayCalendarsService,
  type HolidayCalendarsService,
} from '#server/features/timetables/holiday-calendars-service.ts';
import { activityOwners, checklistOwners } from '#server/features/timetables/schedule-owners-service.ts';
import { registerHolidayCalendarRoutes } from '#server/features/timetables/holiday-calendars-routes.ts';
import {
  registerAdditionalScheduleRoutes,
  type AdditionalScheduleServices,
} from '#server/features/timetables/additional-schedules-routes.ts';
import { createAdditionalSchedulesService } from '#server/features/timetables/additional-schedules-service.ts';
import type { ActivityParts } from './activity-parts.ts';
import type { ChecklistParts } from './checklists.ts';
import type { PortalDeps } from './portal-deps.ts';
import type { RunParts } from './runs.ts';

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

export interface AdditionalScheduleParts extends AdditionalScheduleServices {
  holidayCalendars: HolidayCalendarsService;
}

export function createAdditionalScheduleParts(
  { database, timeZone }: PortalDeps,
  { access, activities, checklistAccess, checklists }: ActivityParts,
  { scheduleStarter }: RunParts,
  { workflowScheduleStarter }: ChecklistParts,
): AdditionalScheduleParts {
  const ofActivities = activityOwners(database, access, activities, scheduleStarter);
  const ofChecklists = checklistOwners(database, checklistAccess, checklists, workflowScheduleStarter);
  return {
    additionalActivitySchedules: createAdditionalSchedulesService(database, ofActivities, timeZone),
    additionalChecklistSchedules: createAdditionalSchedulesService(database, ofChecklists, timeZone),
    holidayCalendars: createHolidayCalendarsService(database),
  };
}

export function registerAdditionalSchedules(http: FastifyInstance, parts: AdditionalScheduleParts): void {
  registerAdditionalScheduleRoutes(http, parts);
  registerHolidayCalendarRoutes(http, parts.holidayCalendars);
}
