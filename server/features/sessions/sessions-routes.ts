import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  changePassword,
  draftKey,
  generateKey,
  logout,
  profile,
  renewToken,
  setLanguage,
  setRegion,
  token,
  type Profile,
  type SignInProof,
} from '#shared/contract/auth.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from '#shared/contract/own-sessions.ts';
import { RIGHT_NAMES, type RightName } from '#shared/contract/rights.ts';
import { AppError } from '#server/base/app-error.ts';
import { bearerToken, clientOf } from '#server/http/access.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import type { Person } from '#server/base/person.ts';
import type { LicenseService } from '#server/features/license/license-service.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { userNameKey, type UsersService } from '#server/features/users/users-service.ts';
import type { DraftKeyOf } from './draft-keys.ts';
import type { KnownDevices } from './known-devices.ts';
import type { OwnSessionsService } from './own-sessions-service.ts';
import type { SessionsService } from './sessions-service.ts';
import type { SignInService } from './sign-in-service.ts';
import { answerSignedIn } from '#server/access/sign-in/signed-in.ts';

export interface SessionRoutesDeps {
  signIn: SignInService;
  sessions: SessionsService;
  ownSessions: OwnSessionsService;
  rights: RightsService;
  license: LicenseService;
  /** Returns when the provider's session ends; null for a session without a provider. */
  ssoExpiryOf(person: Person): Promise<Date | null>;
  /** Throws an AppError 400 if the person did not prove their identity at their provider in this browser. */
  proveAtProvider: (person: Person, ott: string, request: FastifyRequest) => Promise<void>;
  /** Returns whether a SAML 2.0 provider signed the session in. */
  isOfSaml2(person: Person): Promise<boolean>;
  draftKeyOf: DraftKeyOf;
  devices: KnownDevices;
  users: Pick<UsersService, 'isInputDownloadDisabled' | 'screenChoicesOf' | 'chooseForScreens'>;
  inactivityMinutes: number;
  editorsMayShare: boolean;
  /** Maximum number of calls with a password per IP address and minute. */
  signInsPerMinute: number;
}

export function registerSessionRoutes(app: FastifyInstance, deps: SessionRoutesDeps): void {
  const { signIn, sessions, devices } = deps;
  const strictly = { callsPerMinute: deps.signInsPerMinute };

  registerPublicEndpoint(app, generateKey, ({ body }) => signIn.generateKey(body.UserName));

  // The sign-in delays limit attempts per account and address. A limit here would lock out everybody who shares the
  // address.
  registerPublicEndpoint(app, token, async ({ body, request, reply }) => {
    const { username: userName, password: encrypted, code } = body;
    const account = userNameKey(userName);
    const device = devices.deviceOf(request, account);
    const from = { address: request.ip, client: clientOf(request), device };
    const attempt = { userName, encrypted, ...from, ...(code === undefined ? {} : { code }) };
    const signedIn = await signIn.signIn(attempt);
    devices.remember(request, reply, account);
    return answerSignedIn(reply, signedIn, deps.inactivityMinutes);
  });

  registerEndpoint(app, renewToken, async ({ person, request }) => {
    const renewed = await sessions.renew(bearerToken(request), person);
    const ssoExpiry = (await deps.ssoExpiryOf(person))?.toISOString() ?? null;
    return { access_token: renewed.token, expiry: renewed.expiry.toISOString(), ssoExpiry };
  });

  registerEndpoint(app, logout, async ({ person, body, request }) => {
    if (body?.Everywhere) {
      // A log-out with a SAML 2.0 provider is a log-out from everywhere and requires no proof. Specification of
      // security, section 2.
      if (!(await deps.isOfSaml2(person))) await proveAgain(deps, person, body, request);
      await signIn.signOutEverywhere(person, request.ip);
    } else await sessions.end(person);
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

  registerOwnSessions(app, deps);
  registerEndpoint(app, draftKey, ({ person }) => ({ Key: deps.draftKeyOf(person) }));
  registerEndpoint(app, setLanguage, async ({ person, body }) => {
    await deps.users.chooseForScreens(person, body);
    return null;
  });
  registerEndpoint(app, setRegion, async ({ person, body }) => {
    await deps.users.chooseForScreens(person, body);
    return null;
  });
  registerEndpoint(app, profile, ({ body, person }) => profileOf(person, body, deps));
}

function registerOwnSessions(app: FastifyInstance, deps: SessionRoutesDeps): void {
  const { ownSessions } = deps;
  const strictly = { callsPerMinute: deps.signInsPerMinute };
  registerEndpoint(app, listOwnSessions, async ({ person }) => ({ Items: await ownSessions.list(person) }));
  registerEndpoint(
    app,
    endOwnSession,
    async ({ person, body, request }) => {
      await proveAgain(deps, person, body, request);
      await ownSessions.end(person, body.Id, request.ip);
      return null;
    },
    strictly,
  );
  registerEndpoint(
    app,
    endOtherSessions,
    async ({ person, body, request }) => {
      await proveAgain(deps, person, body, request);
      await ownSessions.endOthers(person, request.ip);
      return null;
    },
    strictly,
  );
}

/** A stolen session must not be able to end the owner's sessions. OWASP ASVS 5.0, requirement 7.5.2. */
async function proveAgain(
  { signIn, proveAtProvider }: SessionRoutesDeps,
  person: Person,
  { Password, Ott }: SignInProof,
  request: FastifyRequest,
): Promise<void> {
  if (person.SessionId === '') throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
  if (person.Source === 'SSO') {
    if (Ott === undefined) throw new AppError('proof', 400, 'Please sign in at your provider again first');
    await proveAtProvider(person, Ott, request);
  } else {
    if (Password === undefined) throw new AppError('proof', 400, 'Please enter your password');
    await signIn.confirmPassword(person, Password, request.ip);
  }
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
    EditorsMayShare: deps.editorsMayShare,
    ...(await deps.users.screenChoicesOf(person)),
    Rights: held,
    License,
  };
}

function isRight(name: string): name is RightName {
  return (RIGHT_NAMES as string[]).includes(name);
}
