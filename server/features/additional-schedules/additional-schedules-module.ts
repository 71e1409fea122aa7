import type { FastifyInstance } from 'fastify';
import type { ScheduleStarter } from '#server/automation/schedules/scheduled-runs.ts';
import type { WorkflowScheduleStarter } from '#server/automation/schedules/workflow-schedule-starter.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ChecklistsService } from '#server/features/checklists/checklists-service.ts';
import type { Core } from '#server/features/core.ts';
import { registerAdditionalScheduleRoutes } from './additional-schedules-routes.ts';
import { createAdditionalSchedulesService } from './additional-schedules-service.ts';
import { registerHolidayCalendarRoutes } from './holiday-calendars-routes.ts';
import { createHolidayCalendarsService } from './holiday-calendars-service.ts';
import { activityOwners, checklistOwners, type ScheduleOwners } from './schedule-owners-service.ts';

export interface Needs extends Core {
  activities: ActivitiesService;
  checklists: ChecklistsService;
  scheduleStarter: ScheduleStarter;
  workflowScheduleStarter: WorkflowScheduleStarter;
}

export interface RouteNeeds extends Core {
  activityOwners: ScheduleOwners;
  checklistOwners: ScheduleOwners;
}

export const additionalSchedulesModule = {
  create: (core: Needs) => {
    const { database, access, activities, checklistAccess, checklists } = core;
    return {
      activityOwners: activityOwners(database, access, activities, core.scheduleStarter),
      checklistOwners: checklistOwners(database, checklistAccess, checklists, core.workflowScheduleStarter),
    };
  },
  register: (http: FastifyInstance, parts: RouteNeeds): void => {
    const { database, timeZone } = parts;
    registerAdditionalScheduleRoutes(http, {
      additionalActivitySchedules: createAdditionalSchedulesService(database, parts.activityOwners, timeZone),
      additionalChecklistSchedules: createAdditionalSchedulesService(database, parts.checklistOwners, timeZone),
    });
    registerHolidayCalendarRoutes(http, createHolidayCalendarsService(database));
  },
};
