import type { FastifyInstance } from 'fastify';
import {
  changePassword,
  generateKey,
  logout,
  profile,
  renewToken,
  ssoConfig,
  token,
  type Profile,
} from '#shared/contract/auth.ts';
import { RIGHT_NAMES, type RightName } from '#shared/contract/rights.ts';
import { bearerToken } from '#server/http/access.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import type { Person } from '#server/person.ts';
import type { LicenseService } from '#server/features/license/license-service.ts';
import type { RightsService } from '#server/features/rights/rights-service.ts';
import type { SessionsService } from './sessions-service.ts';
import type { SignInService } from './sign-in-service.ts';

export interface SessionRoutesDeps {
  signIn: SignInService;
  sessions: SessionsService;
  rights: RightsService;
  license: LicenseService;
  /** What the sign-in page shows. */
  title: string;
  inactivityMinutes: number;
  /** Sign-ins and keys an address may ask for in a minute. */
  signInsPerMinute: number;
}

/** Carries the moment of the failed attempt that the person should know of. Specification of security, section 4. */
const LAST_FAILED_LOGIN = 'x-last-failed-login-time';

export function registerSessionRoutes(app: FastifyInstance, deps: SessionRoutesDeps): void {
  const { signIn, sessions } = deps;
  const strictly = { callsPerMinute: deps.signInsPerMinute };

  registerPublicEndpoint(app, generateKey, ({ body }) => signIn.generateKey(body.UserName), strictly);

  registerPublicEndpoint(
    app,
    token,
    async ({ body, request, reply }) => {
      const { username: userName, password: encrypted } = body;
      const signedIn = await signIn.signIn({ userName, encrypted, address: request.ip });
      if (signedIn.lastFailedLoginTime) {
        void reply.header(LAST_FAILED_LOGIN, signedIn.lastFailedLoginTime.toISOString());
      }
      return {
        access_token: signedIn.token,
        expiry: signedIn.expiry.toISOString(),
        ssoExpiry: null,
        ssoProvider: null,
        inactivityTimeout: deps.inactivityMinutes * 60,
        lastLoginTime: signedIn.lastLoginTime?.toISOString() ?? null,
        lastLoginToken: null,
      };
    },
    strictly,
  );

  registerEndpoint(app, renewToken, async ({ person, request }) => {
    const renewed = await sessions.renew(bearerToken(request), person);
    return { access_token: renewed.token, expiry: renewed.expiry.toISOString(), ssoExpiry: null };
  });

  registerEndpoint(app, logout, async ({ person }) => {
    await sessions.end(person);
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

  registerEndpoint(app, profile, ({ body, person }) => profileOf(person, body, deps));

  registerPublicEndpoint(app, ssoConfig, () => ({
    AllowADUsers: false,
    AllowLocalUsers: true,
    Saml2: [],
    Oidc: [],
    Settings: { title: deps.title, logo1: '', logo2: '', versionOnLogo: 1 },
  }));
}

async function profileOf(person: Person, names: string[], deps: SessionRoutesDeps): Promise<Profile> {
  const { rights, license } = deps;
  const held: Record<string, boolean> = {};
  for (const name of names) {
    if (name === 'IsUserAdmin') held[name] = person.IsUserAdmin;
    else held[name] = isRight(name) && (await rights.heldAnywhere(person, name));
  }
  const { UserId, UserName, FirstName, LastName, Source, IsUserAdmin } = person;
  const License = await license.current();
  return { UserId, UserName, FirstName, LastName, Source, IsUserAdmin, Rights: held, License };
}

function isRight(name: string): name is RightName {
  return (RIGHT_NAMES as string[]).includes(name);
}
