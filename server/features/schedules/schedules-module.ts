import type { FastifyInstance } from 'fastify';
import { CHECKLISTS } from '#server/automation/schedules/scheduled-workflows.ts';
import { ACTIVITIES } from '#server/automation/schedules/scheduler.ts';
import type { WorkflowScheduleStarter } from '#server/automation/schedules/workflow-schedule-starter.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ChecklistStartService } from '#server/features/checklists/checklist-start-service.ts';
import type { ChecklistsService } from '#server/features/checklists/checklists-service.ts';
import type { Core } from '#server/features/core.ts';
import { createRetentionService } from '#server/features/retention/retention-service.ts';
import type { StartService } from '#server/features/runs/start-service.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { createChecklistScheduleStarter } from './checklist-schedule-starter.ts';
import { registerChecklistScheduleRoutes } from './checklist-schedules-routes.ts';
import { createChecklistSchedulesService } from './checklist-schedules-service.ts';
import { registerScheduleOverviewRoutes } from './schedule-overview-routes.ts';
import { createScheduleOverviewService } from './schedule-overview-service.ts';
import { createSchedulePause } from './schedule-pause.ts';
import { createScheduleStarter } from './schedule-starter.ts';
import { registerScheduleRoutes } from './schedules-routes.ts';
import { createSchedulesService } from './schedules-service.ts';

export interface Needs extends Core {
  users: UsersService;
  activities: ActivitiesService;
  starts: StartService;
  checklists: ChecklistsService;
  checklistStarts: ChecklistStartService;
}

type RouteNeeds = Core &
  Pick<Needs, 'activities' | 'checklists'> & { workflowScheduleStarter: WorkflowScheduleStarter };

export const schedulesModule = {
  create: (core: Needs) => ({
    scheduleStarter: createScheduleStarter(core),
    workflowScheduleStarter: createChecklistScheduleStarter({
      ...core,
      access: core.checklistAccess,
      starts: core.checklistStarts,
    }),
  }),
  register: (http: FastifyInstance, parts: RouteNeeds): void => {
    const { database, access, checklistAccess, workflowScheduleStarter: starter } = parts;
    registerScheduleRoutes(http, {
      schedules: createSchedulesService(parts),
      retention: createRetentionService(database, access),
    });
    registerChecklistScheduleRoutes(
      http,
      createChecklistSchedulesService({ ...parts, access: checklistAccess, starter }),
    );
    registerOverview(http, parts);
  },
};

function registerOverview(http: FastifyInstance, parts: Core): void {
  const { database, access, checklistAccess, timeZone } = parts;
  const { knex } = database;
  registerScheduleOverviewRoutes(http, {
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
  });
}
