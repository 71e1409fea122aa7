import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import { registerHealthRoutes } from './health-routes.ts';

export const healthModule = {
  register: (http: FastifyInstance, { database, state, fileStore }: Core): void =>
    registerHealthRoutes(http, database, state, fileStore),
};
