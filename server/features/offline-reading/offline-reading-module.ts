import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import { registerOfflineReadingRoutes } from './offline-reading-routes.ts';
import { createOfflineReadingService } from './offline-reading-service.ts';

export const offlineReadingModule = {
  register: (http: FastifyInstance, { database }: Core): void =>
    registerOfflineReadingRoutes(http, createOfflineReadingService(database)),
};
