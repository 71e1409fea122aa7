import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import { registerInputSetsRoutes } from './input-sets-routes.ts';
import { createInputSetsService } from './input-sets-service.ts';

export const inputSetsModule = {
  register: (http: FastifyInstance, { database, access }: Core): void =>
    registerInputSetsRoutes(http, createInputSetsService(database, access)),
};
