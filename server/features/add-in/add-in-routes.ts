import type { FastifyInstance } from 'fastify';
import { addInCode, addInToken } from '#shared/contract/add-in.ts';
import { answerSignedIn } from '#server/features/sessions/signed-in.ts';
import { clientOf } from '#server/http/access.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import type { AddInService } from './add-in-service.ts';

export interface AddInRoutesDeps {
  inactivityMinutes: number;
  /** Codes an address may ask for, or redeem, in a minute. */
  signInsPerMinute: number;
}

export function registerAddInRoutes(app: FastifyInstance, addIn: AddInService, deps: AddInRoutesDeps): void {
  const strictly = { callsPerMinute: deps.signInsPerMinute };
  registerEndpoint(app, addInCode, async ({ person, body }) => ({ Code: await addIn.issue(person, body) }), strictly);
  registerPublicEndpoint(
    app,
    addInToken,
    async ({ body, request, reply }) => {
      const from = { address: request.ip, client: clientOf(request) };
      const attempt = { code: body.Code, verifier: body.Verifier, ...from };
      const signedIn = await addIn.redeem(attempt);
      return { ...answerSignedIn(reply, signedIn, deps.inactivityMinutes), UserName: signedIn.UserName };
    },
    strictly,
  );
}
