import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import { createDrainService } from './drain-service.ts';
import { createMaintenanceService } from './maintenance-service.ts';
import { refuseByState } from './refuse-by-state.ts';
import { registerSystemRoutes } from './system-routes.ts';
import { createSystemService, type SystemService } from './system-service.ts';

export const systemModule = {
  create: ({ config, database }: Core) => ({
    system: createSystemService(database, config.s3Bucket === '' ? config.dataDir : null),
  }),
  /** Comes before all other modules: calls are refused only on routes that are registered later. */
  register: (http: FastifyInstance, { database, state, fileStore, system }: Core & { system: SystemService }): void => {
    refuseByState(http, state, fileStore);
    const upkeep = createMaintenanceService(database, state);
    registerSystemRoutes(http, { system, upkeep, drains: createDrainService(database) });
  },
};
