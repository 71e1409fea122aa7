import type { FastifyInstance } from 'fastify';
import { maintenance, setMaintenance, systemState } from '#shared/contract/system.ts';
import { actorOf } from '#server/features/security-actions/actor.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { MaintenanceService } from './maintenance-service.ts';
import type { SystemService } from './system-service.ts';

export function registerSystemRoutes(
  app: FastifyInstance,
  { system, upkeep }: { system: Pick<SystemService, 'state'>; upkeep: MaintenanceService },
): void {
  registerEndpoint(app, systemState, () => system.state());
  registerEndpoint(app, maintenance, () => upkeep.current());
  registerEndpoint(app, setMaintenance, ({ body, person, request }) =>
    upkeep.set(actorOf(person, request.ip), body.Text),
  );
}
