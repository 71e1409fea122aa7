import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/activity-marks.ts';
import type { ActivityMarksService } from './activity-marks-service.ts';

export function registerActivityMarksRoutes(app: FastifyInstance, marks: ActivityMarksService): void {
  registerEndpoint(app, contract.activityMarks, ({ person }) => marks.of(person));
  registerEndpoint(app, contract.setFavourite, async ({ person, body }) => {
    await marks.setFavourite(person, body);
    return null;
  });
}
