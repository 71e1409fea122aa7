/** Composes the parts around signing in: sessions, second factor, forgotten passwords, add-ins. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Person } from '#server/base/person.ts';
import type { Config } from '#server/config/config-schema.ts';
import { publicAddress } from '#server/config/public-address.ts';
import type { Database } from '#server/db/database.ts';
import { registerAddInRoutes } from '#server/features/add-in/add-in-routes.ts';
import { createAddInService, type AddInService } from '#server/features/add-in/add-in-service.ts';
import type { LicenseService } from '#server/features/license/license-service.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { createCodeAttempts, type CodeAttempts } from '#server/features/second-factor/code-attempts.ts';
import { createFactorKeys } from '#server/features/second-factor/factor-keys.ts';
import { registerSecondFactorRoutes } from '#server/features/second-factor/second-factor-routes.ts';
import {
  createSecondFactorService,
  type SecondFactorService,
} from '#server/features/second-factor/second-factor-service.ts';
import { createDraftKeys } from '#server/features/sessions/draft-keys.ts';
import { createKnownDevices } from '#server/features/sessions/known-devices.ts';
import { createOwnSessionsService, type OwnSessionsService } from '#server/features/sessions/own-sessions-service.ts';
import { registerSessionRoutes } from '#server/features/sessions/sessions-routes.ts';
import { createSignInFactor } from '#server/features/sessions/sign-in-factor.ts';
import { createSignInService, type SignInService } from '#server/features/sessions/sign-in-service.ts';
import { bindingOf } from '#server/features/single-sign-on/browser-binding.ts';
import { registerPasswordResetRoutes } from '#server/features/users/password-reset-routes.ts';
import {
  createPasswordResetService,
  type PasswordResetService,
} from '#server/features/users/password-reset-service.ts';
import type { Administration } from './administration.ts';
import type { Identity } from './identity.ts';
import type { SignOn } from './sign-on.ts';

export interface SignInDeps {
  config: Config;
  database: Database;
  log: Logger;
  identity: Identity;
  signOn: SignOn;
  administration: Administration;
  secretKey: string;
  codeAttempts: CodeAttempts | undefined;
}

export interface SignIn {
  secondFactor: SecondFactorService;
  signIn: SignInService;
  passwordReset: PasswordResetService;
  addIn: AddInService;
  ownSessions: OwnSessionsService;
}

export function createSignIn(deps: SignInDeps): SignIn {
  const { config, database, log, identity, signOn, administration, secretKey, codeAttempts } = deps;
  const { users, sessions, networkPolicy, failures } = identity;
  const secondFactor = createSecondFactorService({
    database,
    log,
    users,
    sessions,
    keys: createFactorKeys(database, { secretKey, issuer: config.title, tolerance: config.secondFactorTolerance }),
    attempts: codeAttempts ?? createCodeAttempts(failures),
    required: config.requireSecondFactor,
    escalationGuard: administration.escalationGuard,
  });
  const factor = createSignInFactor(secondFactor);
  const { directories, sources, ssoSessions } = signOn;
  const { allowLocalUsers } = sources;
  return {
    secondFactor,
    signIn: createSignInService({ ...identity, database, log, directories, allowLocalUsers, factor }),
    passwordReset: createPasswordResetService({ ...identity, database }),
    addIn: createAddInService({
      database,
      log,
      users,
      sessions,
      networkPolicy,
      shareSso: (db, from, to) => ssoSessions.share(db, from, to),
    }),
    ownSessions: createOwnSessionsService(database, config),
  };
}

interface SignInRoutesDeps extends Pick<SignInDeps, 'config' | 'identity' | 'signOn' | 'administration' | 'secretKey'> {
  rights: RightsService;
  license: LicenseService;
  signInsPerMinute: number;
}

export function registerSignInRoutes(
  http: FastifyInstance,
  { secondFactor, signIn, passwordReset, addIn, ownSessions }: SignIn,
  deps: SignInRoutesDeps,
): void {
  const { config, identity, signOn, administration, rights, license, signInsPerMinute } = deps;
  const { inactivityMinutes, editorsMayShare } = config;
  const { users, sessions } = identity;
  registerSessionRoutes(http, {
    inactivityMinutes,
    editorsMayShare,
    signInsPerMinute,
    draftKeyOf: createDraftKeys(deps.secretKey),
    devices: createKnownDevices(deps.secretKey),
    ssoExpiryOf: (person: Person) => signOn.ssoSessions.expiryOf(person),
    proveAtProvider: async (person: Person, ott: string, request: FastifyRequest) => {
      await signOn.sso.prove(person, { ott, binding: bindingOf(request) });
    },
    isOfSaml2: (person: Person) => signOn.ssoSessions.isOfSaml2(person),
    signIn,
    sessions,
    ownSessions,
    rights,
    license,
    users,
  });
  const address = publicAddress(config);
  registerAddInRoutes(http, addIn, { inactivityMinutes, signInsPerMinute, address, title: config.title });
  registerSecondFactorRoutes(http, { secondFactor, signIn, sessions, signInsPerMinute });
  registerPasswordResetRoutes(http, { passwordReset, users: administration.users, signInsPerMinute });
  http.addHook('onClose', () => identity.links.settle());
}
