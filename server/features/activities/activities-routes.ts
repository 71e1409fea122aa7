import type { FastifyInstance } from 'fastify';
import type { PickersService } from '#server/features/pickers/pickers-service.ts';
import { clientGone } from '#server/http/client-gone.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/activities.ts';
import type { ActivitiesService } from './activities-service.ts';

export interface ActivitiesRoutesDeps {
  activities: ActivitiesService;
  pickers: PickersService;
}

export function registerActivitiesRoutes(app: FastifyInstance, { activities, pickers }: ActivitiesRoutesDeps): void {
  registerEndpoint(app, contract.listActivities, async ({ person, reply }) => {
    const answer = await activities.list(person);
    return reply.type('application/json; charset=utf-8').send(answer) as never;
  });
  registerEndpoint(app, contract.activityDetails, ({ person, params }) => activities.details(person, params.id));
  registerEndpoint(app, contract.allowedSchemas, async ({ person }) => ({
    Items: await activities.allowedSchemas(person),
  }));
  registerEndpoint(app, contract.picker, ({ person, params, body, reply }) =>
    pickers.pick(person, params, body, clientGone(reply)),
  );
}
