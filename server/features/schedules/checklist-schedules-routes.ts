import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/checklist-schedules.ts';
import type { ChecklistSchedulesService } from './checklist-schedules-service.ts';

export function registerChecklistScheduleRoutes(app: FastifyInstance, schedules: ChecklistSchedulesService): void {
  registerEndpoint(app, contract.checklistSchedule, ({ person, params }) => schedules.get(person, params.id));
  registerEndpoint(app, contract.updateChecklistSchedule, ({ person, body }) => schedules.update(person, body));
  registerEndpoint(app, contract.deleteChecklistSchedule, async ({ person, params }) => {
    await schedules.delete(person, params.id);
    return null;
  });
}
