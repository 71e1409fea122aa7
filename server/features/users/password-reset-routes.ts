import type { FastifyInstance } from 'fastify';
import * as contract from '#shared/contract/password-reset.ts';
import { actorOf } from '#server/access/actor.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import type { PasswordResetService } from './password-reset-service.ts';
import type { UsersAdminService } from './users-admin-service.ts';

export interface PasswordResetRoutesDeps {
  passwordReset: PasswordResetService;
  users: Pick<UsersAdminService, 'sendPasswordLink'>;
  /** Maximum number of calls per IP address and minute. */
  signInsPerMinute: number;
}

export function registerPasswordResetRoutes(app: FastifyInstance, deps: PasswordResetRoutesDeps): void {
  const { passwordReset, users } = deps;
  const strictly = { callsPerMinute: deps.signInsPerMinute };
  registerPublicEndpoint(
    app,
    contract.requestPasswordReset,
    ({ params, request }) => {
      passwordReset.request(params.name, request.ip);
      return null;
    },
    strictly,
  );
  registerPublicEndpoint(
    app,
    contract.resetPassword,
    async ({ body, request }) => {
      await passwordReset.reset({ ...body, address: request.ip });
      return null;
    },
    strictly,
  );
  registerEndpoint(app, contract.sendPasswordReset, async ({ person, params, request }) => {
    await users.sendPasswordLink(actorOf(person, request.ip), params.id);
    return null;
  });
}
