/** Composes what concerns all schedules, of activities and of checklists. */
import type { FastifyInstance } from 'fastify';
import type { ScheduleOverviewParts } from '#server/features/schedules/schedule-overview-routes.ts';
import { createScheduleOverviewService } from '#server/features/schedules/schedule-overview-service.ts';
import { createSchedulePause } from '#server/features/schedules/schedule-pause.ts';
import { CHECKLISTS } from '#server/jobs/schedules/scheduled-chains.ts';
import { ACTIVITIES } from '#server/jobs/schedules/scheduler.ts';
import {
  createHolidayCalendarsService,
  type HolidayCalendarsService,
} from '#server/features/timetables/holiday-calendars-service.ts';
import { activityOwners, checklistOwners } from '#server/features/timetables/timetable-owners.ts';
import { registerHolidayCalendarRoutes } from '#server/features/timetables/holiday-calendars-routes.ts';
import { registerTimetableRoutes, type TimetableCalls } from '#server/features/timetables/timetables-routes.ts';
import { createTimetablesService } from '#server/features/timetables/timetables-service.ts';
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

export interface TimetableParts extends TimetableCalls {
  holidayCalendars: HolidayCalendarsService;
}

export function createTimetableParts(
  { database, timeZone }: PortalDeps,
  { access, activities, checklistAccess, checklists }: ActivityParts,
  { scheduleStarter }: RunParts,
  { chainScheduleStarter }: ChecklistParts,
): TimetableParts {
  const ofActivities = activityOwners(database, access, activities, scheduleStarter);
  const ofChecklists = checklistOwners(database, checklistAccess, checklists, chainScheduleStarter);
  return {
    activityTimetables: createTimetablesService(database, ofActivities, timeZone),
    checklistTimetables: createTimetablesService(database, ofChecklists, timeZone),
    holidayCalendars: createHolidayCalendarsService(database),
  };
}

export function registerTimetables(http: FastifyInstance, parts: TimetableParts): void {
  registerTimetableRoutes(http, parts);
  registerHolidayCalendarRoutes(http, parts.holidayCalendars);
}
