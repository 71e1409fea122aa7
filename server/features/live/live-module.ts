import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import type { NotificationsService } from '#server/features/notifications/notifications-service.ts';
import type { RunsService } from '#server/features/runs/runs-service.ts';
import type { Callers } from '#server/features/sessions/sessions-module.ts';
import { registerLiveRoutes } from './live-routes.ts';
import { createLiveService } from './live-service.ts';

export interface Needs extends Core {
  runs: RunsService;
  notifications: NotificationsService;
  callers: Callers;
}

export const liveModule = {
  register: (http: FastifyInstance, parts: Needs): void => {
    const { access, checklistRunAccess, callers } = parts;
    const accesses = { activityAccess: access, workflowRunAccess: checklistRunAccess };
    registerLiveRoutes(http, createLiveService({ ...parts, ...accesses, recheck: callers.recheck }));
  },
};
