import type { FastifyInstance } from 'fastify';
import type { ApiKeysService } from '#server/features/api-keys/api-keys-service.ts';
import type { Core } from '#server/features/core.ts';
import type { DirectoriesService } from '#server/features/directories/directories-service.ts';
import type { LicenseService } from '#server/features/license/license-service.ts';
import type { SecondFactorService } from '#server/features/second-factor/second-factor-service.ts';
import type { SsoService } from '#server/features/single-sign-on/sso-service.ts';
import { bindingOf, type SsoSessions } from '#server/features/single-sign-on/single-sign-on-module.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { createCallers } from './callers.ts';
import { createDraftKeys } from './draft-keys.ts';
import { createKnownDevices } from './known-devices.ts';
import { createOwnSessionsService } from './own-sessions-service.ts';
import { createPasswordKeysService, type PasswordKeysService } from './password-keys-service.ts';
import { registerSessionRoutes } from './sessions-routes.ts';
import { createSessionsService, type SessionsService } from './sessions-service.ts';
import { createSignInFactor } from './sign-in-factor.ts';
import { createSignInService, type SignInService } from './sign-in-service.ts';

export type { Callers } from './callers.ts';

export const sessionsModule = {
  create: ({ config, database, log }: Core) => ({
    sessions: createSessionsService({ ...config, database, log }),
    keys: createPasswordKeysService(database),
  }),
};

export interface Needs extends Core {
  users: UsersService;
  sessions: SessionsService;
  keys: PasswordKeysService;
  directories: DirectoriesService;
  secondFactor: SecondFactorService;
  apiKeys: ApiKeysService;
}

export interface RouteNeeds extends Core {
  users: UsersService;
  sessions: SessionsService;
  signIn: SignInService;
  license: LicenseService;
  sso: SsoService;
  ssoSessions: SsoSessions;
}

/** Signing in needs the second factor, which needs sessions: so it comes after both. */
export const signInModule = {
  create: (core: Needs) => ({
    callers: createCallers(core),
    signIn: createSignInService({
      ...core,
      allowLocalUsers: core.sources.allowLocalUsers,
      factor: createSignInFactor(core.secondFactor),
    }),
  }),
  register: (http: FastifyInstance, parts: RouteNeeds): void => {
    const { config, database, secretKey, limits, sso, ssoSessions } = parts;
    registerSessionRoutes(http, {
      ...parts,
      inactivityMinutes: config.inactivityMinutes,
      editorsMayShare: config.editorsMayShare,
      signInsPerMinute: limits.signIns,
      draftKeyOf: createDraftKeys(secretKey),
      devices: createKnownDevices(secretKey),
      ownSessions: createOwnSessionsService(database, config),
      ssoExpiryOf: (person) => ssoSessions.expiryOf(person),
      proveAtProvider: async (person, ott, request) => {
        await sso.prove(person, { ott, binding: bindingOf(request) });
      },
      isOfSaml2: (person) => ssoSessions.isOfSaml2(person),
    });
  },
};
