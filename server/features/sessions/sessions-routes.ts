import type { FastifyInstance } from 'fastify';
import {
  changePassword,
  draftKey,
  generateKey,
  logout,
  profile,
  renewToken,
  token,
  type Profile,
} from '#shared/contract/auth.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from '#shared/contract/own-sessions.ts';
import { RIGHT_NAMES, type RightName } from '#shared/contract/rights.ts';
import { bearerToken, clientOf } from '#server/http/access.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import type { Person } from '#server/person.ts';
import type { LicenseService } from '#server/features/license/license-service.ts';
import type { RightsService } from '#server/features/rights/rights-service.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import type { DraftKeyOf } from './draft-keys.ts';
import type { OwnSessionsService } from './own-sessions-service.ts';
import type { SessionsService } from './sessions-service.ts';
import type { SignInService } from './sign-in-service.ts';
import { answerSignedIn } from './signed-in.ts';

export interface SessionRoutesDeps {
  signIn: SignInService;
  sessions: SessionsService;
  ownSessions: OwnSessionsService;
  rights: RightsService;
  license: LicenseService;
  /** When the provider's part of a session ends; null for one that no provider signed in. */
  ssoExpiryOf(person: Person): Promise<Date | null>;
  draftKeyOf: DraftKeyOf;
  users: Pick<UsersService, 'isInputDownloadDisabled'>;
  inactivityMinutes: number;
  /** Sign-ins and keys an address may ask for in a minute. */
  signInsPerMinute: number;
}

export function registerSessionRoutes(app: FastifyInstance, deps: SessionRoutesDeps): void {
  const { signIn, sessions } = deps;
  const strictly = { callsPerMinute: deps.signInsPerMinute };

  registerPublicEndpoint(app, generateKey, ({ body }) => signIn.generateKey(body.UserName), strictly);

  registerPublicEndpoint(
    app,
    token,
    async ({ body, request, reply }) => {
      const { username: userName, password: encrypted, code } = body;
      const from = { address: request.ip, client: clientOf(request) };
      const attempt = { userName, encrypted, ...from, ...(code === undefined ? {} : { code }) };
      const signedIn = await signIn.signIn(attempt);
      return answerSignedIn(reply, signedIn, deps.inactivityMinutes);
    },
    strictly,
  );

  registerEndpoint(app, renewToken, async ({ person, request }) => {
    const renewed = await sessions.renew(bearerToken(request), person);
    const ssoExpiry = (await deps.ssoExpiryOf(person))?.toISOString() ?? null;
    return { access_token: renewed.token, expiry: renewed.expiry.toISOString(), ssoExpiry };
  });

  registerEndpoint(app, logout, async ({ person, body, request }) => {
    if (body?.Everywhere) await signIn.signOutEverywhere(person, request.ip);
    else await sessions.end(person);
    return null;
  });

  registerEndpoint(
    app,
    changePassword,
    async ({ body, person, request }) => {
      const change = { old: body.Password, new: body.NewPassword, address: request.ip };
      await signIn.changePassword(person, change);
      return null;
    },
    strictly,
  );

  registerOwnSessions(app, deps.ownSessions);
  registerEndpoint(app, draftKey, ({ person }) => ({ Key: deps.draftKeyOf(person) }));
  registerEndpoint(app, profile, ({ body, person }) => profileOf(person, body, deps));
}

function registerOwnSessions(app: FastifyInstance, ownSessions: OwnSessionsService): void {
  registerEndpoint(app, listOwnSessions, async ({ person }) => ({ Items: await ownSessions.list(person) }));
  registerEndpoint(app, endOwnSession, async ({ person, body, request }) => {
    await ownSessions.end(person, body.Id, request.ip);
    return null;
  });
  registerEndpoint(app, endOtherSessions, async ({ person, request }) => {
    await ownSessions.endOthers(person, request.ip);
    return null;
  });
}

async function profileOf(person: Person, names: string[], deps: SessionRoutesDeps): Promise<Profile> {
  const { rights, license } = deps;
  const held: Record<string, boolean> = {};
  for (const name of names) {
    if (name === 'IsUserAdmin') held[name] = person.IsUserAdmin && person.keyScope === undefined;
    else held[name] = isRight(name) && (await rights.heldAnywhere(person, name));
  }
  const { UserId, UserName, FirstName, LastName, Source, IsUserAdmin } = person;
  const License = await license.current();
  const DisableInputDownload = await deps.users.isInputDownloadDisabled(person);
  return {
    UserId,
    UserName,
    FirstName,
    LastName,
    Source,
    IsUserAdmin,
    DisableInputDownload,
    Rights: held,
    License,
  };
}

function isRight(name: string): name is RightName {
  return (RIGHT_NAMES as string[]).includes(name);
}
