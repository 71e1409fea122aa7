import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/schedules.ts';
import type { RetentionService } from '#server/features/retention/retention-service.ts';
import type { SchedulesService } from './schedules-service.ts';

export function registerScheduleRoutes(
  app: FastifyInstance,
  { schedules, retention }: { schedules: SchedulesService; retention: RetentionService },
): void {
  registerEndpoint(app, contract.schedule, ({ person, params }) => schedules.get(person, params.id));
  registerEndpoint(app, contract.updateSchedule, ({ person, body }) => schedules.update(person, body));
  registerEndpoint(app, contract.deleteSchedule, async ({ person, params }) => {
    await schedules.delete(person, params.id);
    return null;
  });
  registerEndpoint(app, contract.runRetention, ({ person, params }) => retention.get(person, params.id));
  registerEndpoint(app, contract.updateRunRetention, ({ person, body }) => retention.update(person, body));
  registerEndpoint(app, contract.deleteRunRetention, async ({ person, params }) => {
    await retention.delete(person, params.id);
    return null;
  });
}
