import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import { registerQueueingRoutes } from './queueing-routes.ts';
import { createQueueingService } from './queueing-service.ts';

export const queueingModule = {
  register: (http: FastifyInstance, { database, signals }: Core): void =>
    registerQueueingRoutes(http, createQueueingService(database, signals)),
};
