import type { FastifyInstance } from 'fastify';
import { seeAs } from '#shared/contract/see-as.ts';
import { actorOf } from '#server/access/actor.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { SeeAsService } from './see-as-service.ts';

export function registerSeeAsRoutes(app: FastifyInstance, service: SeeAsService): void {
  registerEndpoint(app, seeAs, ({ person, params, request }) =>
    service.see(actorOf(person, request.ip), params.userId),
  );
}
