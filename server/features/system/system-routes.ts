import type { FastifyInstance } from 'fastify';
import {
  activityTrend,
  drainServer,
  maintenance,
  setMaintenance,
  storageGrowth,
  systemState,
} from '#shared/contract/system.ts';
import { actorOf } from '#server/access/actor.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { DrainService } from './drain-service.ts';
import type { MaintenanceService } from './maintenance-service.ts';
import type { SystemService } from './system-service.ts';

export function registerSystemRoutes(
  app: FastifyInstance,
  {
    system,
    upkeep,
    drains,
  }: { system: Pick<SystemService, 'state' | 'trend' | 'storage'>; upkeep: MaintenanceService; drains: DrainService },
): void {
  registerEndpoint(app, systemState, () => system.state());
  registerEndpoint(app, activityTrend, ({ params }) => system.trend(params.id));
  registerEndpoint(app, storageGrowth, () => system.storage());
  registerEndpoint(app, maintenance, () => upkeep.current());
  registerEndpoint(app, setMaintenance, ({ body, person, request }) =>
    upkeep.set(actorOf(person, request.ip), body.Text),
  );
  registerEndpoint(app, drainServer, ({ body, person, request }) =>
    drains.set(actorOf(person, request.ip), body.ServerId, body.Drain),
  );
}
