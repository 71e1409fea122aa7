/** Composes the parts with which administrators look after the installation as a whole. */
import type { FastifyInstance } from 'fastify';
import type { ServerState } from '#server/base/server-state.ts';
import type { Database } from '#server/db/database.ts';
import { registerLicenseRoutes } from '#server/features/license/license-routes.ts';
import type { LicenseService } from '#server/features/license/license-service.ts';
import { registerOfflineReadingRoutes } from '#server/features/offline-reading/offline-reading-routes.ts';
import { createOfflineReadingService } from '#server/features/offline-reading/offline-reading-service.ts';
import { registerQueueingRoutes } from '#server/features/queueing/queueing-routes.ts';
import { createQueueingService } from '#server/features/queueing/queueing-service.ts';
import type { SetupDeps } from '#server/features/setup/setup-deps.ts';
import { registerSetupRoutes } from '#server/features/setup/setup-routes.ts';
import { createSetupService } from '#server/features/setup/setup-service.ts';
import { createDrainService } from '#server/features/system/drain-service.ts';
import { createMaintenanceService } from '#server/features/system/maintenance-service.ts';
import { registerSystemRoutes } from '#server/features/system/system-routes.ts';
import { createSystemService, type SystemService } from '#server/features/system/system-service.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';

export interface InstallationDeps extends SetupDeps {
  database: Database;
  signals: RunSignals;
  license: LicenseService;
  state: ServerState;
}

export function registerInstallation(http: FastifyInstance, deps: InstallationDeps): SystemService {
  const { config, database, signals, license, state } = deps;
  const system = createSystemService(database, config.s3Bucket === '' ? config.dataDir : null);
  const upkeep = createMaintenanceService(database, state);
  registerSystemRoutes(http, { system, upkeep, drains: createDrainService(database) });
  registerSetupRoutes(http, createSetupService(deps));
  registerQueueingRoutes(http, createQueueingService(database, signals));
  registerLicenseRoutes(http, license);
  registerOfflineReadingRoutes(http, createOfflineReadingService(database));
  return system;
}
