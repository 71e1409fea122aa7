import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import { registerSavedSearchesRoutes } from './saved-searches-routes.ts';
import { createSavedSearchesService } from './saved-searches-service.ts';

export const savedSearchesModule = {
  register: (http: FastifyInstance, { database, access }: Core): void =>
    registerSavedSearchesRoutes(http, createSavedSearchesService(database, access)),
};
