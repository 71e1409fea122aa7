import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/schedule-overview.ts';
import type { ScheduleOverviewService } from './schedule-overview-service.ts';
import type { SchedulePause } from './schedule-pause.ts';

export interface ScheduleOverviewParts {
  scheduleOverview: ScheduleOverviewService;
  activityPause: SchedulePause;
  checklistPause: SchedulePause;
}

export function registerScheduleOverviewRoutes(app: FastifyInstance, parts: ScheduleOverviewParts): void {
  const { scheduleOverview, activityPause, checklistPause } = parts;
  registerEndpoint(app, contract.listSchedules, ({ person, query }) => scheduleOverview.list(person, query));
  registerEndpoint(app, contract.pauseSchedule, async ({ person, params }) => {
    await activityPause.pause(person, params.id);
    return null;
  });
  registerEndpoint(app, contract.resumeSchedule, async ({ person, params }) => {
    await activityPause.resume(person, params.id);
    return null;
  });
  registerEndpoint(app, contract.pauseChecklistSchedule, async ({ person, params }) => {
    await checklistPause.pause(person, params.id);
    return null;
  });
  registerEndpoint(app, contract.resumeChecklistSchedule, async ({ person, params }) => {
    await checklistPause.resume(person, params.id);
    return null;
  });
}
