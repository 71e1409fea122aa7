import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import { registerActivityMarksRoutes } from './activity-marks-routes.ts';
import { createActivityMarksService } from './activity-marks-service.ts';

export const activityMarksModule = {
  register: (http: FastifyInstance, core: Core): void =>
    registerActivityMarksRoutes(http, createActivityMarksService(core)),
};
