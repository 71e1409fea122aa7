import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Person } from '#server/base/person.ts';
import { idempotencyKeyOf } from '#server/http/idempotency-key.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import { activityTimetables, checklistTimetables } from '#shared/contract/timetables.ts';
import type { Caller, TimetablesService } from './timetables-service.ts';

export interface TimetableCalls {
  activityTimetables: TimetablesService;
  checklistTimetables: TimetablesService;
}

export const callerOf = ({ person, request }: { person: Person; request: FastifyRequest }): Caller => ({
  person,
  address: request.ip,
});

export function registerTimetableRoutes(app: FastifyInstance, parts: TimetableCalls): void {
  registerCalls(app, activityTimetables, parts.activityTimetables);
  registerCalls(app, checklistTimetables, parts.checklistTimetables);
}

function registerCalls(app: FastifyInstance, contract: typeof activityTimetables, timetables: TimetablesService): void {
  registerEndpoint(app, contract.list, ({ person, params }) => timetables.list(person, params.id));
  registerEndpoint(app, contract.preview, ({ person, body }) => timetables.preview(person, body));
  registerEndpoint(app, contract.save, (call) =>
    timetables.save(callerOf(call), call.body, idempotencyKeyOf(call.request)),
  );
  for (const action of ['delete', 'pause', 'resume'] as const) {
    registerEndpoint(app, contract[action], async (call) => {
      await timetables[action](callerOf(call), call.params.id);
      return null;
    });
  }
}
