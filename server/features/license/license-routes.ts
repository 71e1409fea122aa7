import type { FastifyInstance } from 'fastify';
import { renewLicense } from '#shared/contract/license.ts';
import { actorOf } from '#server/access/actor.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { LicenseService } from './license-service.ts';

export function registerLicenseRoutes(app: FastifyInstance, license: LicenseService): void {
  registerEndpoint(app, renewLicense, ({ body, person, request }) =>
    license.renew(actorOf(person, request.ip), body.Key),
  );
}
