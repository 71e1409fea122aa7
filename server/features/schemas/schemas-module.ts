import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import { createSchemasAdminService } from './schemas-admin-service.ts';
import { registerSchemasRoutes } from './schemas-routes.ts';
import { ensureSchemas } from './schemas-service.ts';

export const schemasModule = {
  create: ({ database, config }: Core) => ({
    /** Creates the configured schemas that do not exist yet. */
    ensureSchemas: (): Promise<void> => ensureSchemas(database, config.schemas),
  }),
  register: (http: FastifyInstance, { database, config }: Core): void =>
    registerSchemasRoutes(http, createSchemasAdminService(database, config.schemas)),
};
