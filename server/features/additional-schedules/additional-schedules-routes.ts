import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Person } from '#server/base/person.ts';
import { idempotencyKeyOf } from '#server/http/idempotency-key.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import { additionalActivitySchedules, additionalChecklistSchedules } from '#shared/contract/additional-schedules.ts';
import type { Caller, AdditionalSchedulesService } from './additional-schedules-service.ts';

export interface AdditionalScheduleServices {
  additionalActivitySchedules: AdditionalSchedulesService;
  additionalChecklistSchedules: AdditionalSchedulesService;
}

const callerOf = ({ person, request }: { person: Person; request: FastifyRequest }): Caller => ({
  person,
  address: request.ip,
});

export function registerAdditionalScheduleRoutes(app: FastifyInstance, parts: AdditionalScheduleServices): void {
  registerCalls(app, additionalActivitySchedules, parts.additionalActivitySchedules);
  registerCalls(app, additionalChecklistSchedules, parts.additionalChecklistSchedules);
}

function registerCalls(
  app: FastifyInstance,
  contract: typeof additionalActivitySchedules,
  schedules: AdditionalSchedulesService,
): void {
  registerEndpoint(app, contract.list, ({ person, params }) => schedules.list(person, params.id));
  registerEndpoint(app, contract.preview, ({ person, body }) => schedules.preview(person, body));
  registerEndpoint(app, contract.save, (call) =>
    schedules.save(callerOf(call), call.body, idempotencyKeyOf(call.request)),
  );
  for (const action of ['delete', 'pause', 'resume'] as const) {
    registerEndpoint(app, contract[action], async (call) => {
      await schedules[action](callerOf(call), call.params.id);
      return null;
    });
  }
}
