import type { FastifyInstance } from 'fastify';
import * as contract from '#shared/contract/second-factor.ts';
import { actorOf } from '#server/access/actor.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import type { SignInService } from '#server/features/sessions/sign-in-service.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { Person } from '#server/base/person.ts';
import { notOn } from './factor-changes.ts';
import { wrongCode } from './factor-check-service.ts';
import type { SecondFactorService } from './second-factor-service.ts';

export interface SecondFactorRoutesDeps {
  secondFactor: SecondFactorService;
  signIn: Pick<SignInService, 'confirmPassword'>;
  sessions: Pick<SessionsService, 'endAllOf'>;
  /** Maximum number of calls per IP address and minute. */
  signInsPerMinute: number;
}

export function registerSecondFactorRoutes(app: FastifyInstance, deps: SecondFactorRoutesDeps): void {
  const { secondFactor, signIn, sessions } = deps;
  const strictly = { callsPerMinute: deps.signInsPerMinute };

  /**
   * Requires the password, and the factor if there is one. A stolen session alone must not be able to change how the
   * user signs in.
   */
  async function prove(person: Person, body: { Password: string; Code: string }, address: string) {
    const user = await secondFactor.ownerOf(person);
    if (!user.SecondFactorOn) throw notOn();
    await signIn.confirmPassword(person, body.Password, address);
    if (!(await secondFactor.accepts(user, body.Code, address))) throw wrongCode();
    return user;
  }

  registerEndpoint(app, contract.secondFactorState, ({ person }) => secondFactor.state(person));
  registerEndpoint(
    app,
    contract.beginSecondFactor,
    async ({ person, body, request }) => {
      const user = await secondFactor.ownerOf(person);
      await signIn.confirmPassword(person, body.Password, request.ip);
      return secondFactor.begin(user);
    },
    strictly,
  );
  registerEndpoint(
    app,
    contract.confirmSecondFactor,
    async ({ person, body, request }) => {
      const codes = await secondFactor.confirm(await secondFactor.ownerOf(person), body.Code, request.ip);
      if (codes === null) throw wrongCode();
      await sessions.endAllOf(person.UserId, { except: person.SessionId });
      return { RecoveryCodes: codes };
    },
    strictly,
  );
  registerEndpoint(
    app,
    contract.renewRecoveryCodes,
    async ({ person, body, request }) => {
      const user = await prove(person, body, request.ip);
      return { RecoveryCodes: await secondFactor.renewCodes(user, request.ip) };
    },
    strictly,
  );
  registerEndpoint(
    app,
    contract.turnOffSecondFactor,
    async ({ person, body, request }) => {
      await secondFactor.turnOff(await prove(person, body, request.ip), request.ip);
      return null;
    },
    strictly,
  );
  registerEndpoint(app, contract.removeSecondFactor, async ({ person, params, request }) => {
    await secondFactor.remove(actorOf(person, request.ip), params.id);
    return null;
  });
}
