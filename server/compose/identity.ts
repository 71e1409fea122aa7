/** Composes users, sessions, passwords and failed attempts, which sign-in and administration share. */
import type { Logger } from 'pino';
import type { Config } from '#server/config/config-schema.ts';
import { publicAddress } from '#server/config/public-address.ts';
import type { Database } from '#server/db/database.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { createNetworkPolicy, type NetworkPolicy } from '#server/access/sign-in/network-policy.ts';
import { createFailedAttempts, type FailedAttempts } from '#server/access/sign-in/failed-attempts.ts';
import {
  createPasswordKeysService,
  type PasswordKeysService,
} from '#server/features/sessions/password-keys-service.ts';
import { createSessionsService, type SessionsService } from '#server/features/sessions/sessions-service.ts';
import { createSignInDelays, type SignInDelays } from '#server/access/sign-in/sign-in-delays.ts';
import { createPasswordLinks, type PasswordLinks } from '#server/features/users/password-links.ts';
import { createPasswordPolicy, type PasswordPolicy } from '#server/access/sign-in/password-policy.ts';
import { createUsersService, type UsersService } from '#server/features/users/users-service.ts';
import type { MailSender } from '#server/mail/mail-sender.ts';

export interface IdentityDeps {
  config: Config;
  database: Database;
  log: Logger;
  rights: RightsService;
  mail: MailSender;
  allowLocalUsers: boolean;
  signInsPerMinute: number;
  signInDelays: SignInDelays | undefined;
}

export interface Identity {
  users: UsersService;
  policy: PasswordPolicy;
  sessions: SessionsService;
  keys: PasswordKeysService;
  networkPolicy: NetworkPolicy;
  failures: FailedAttempts;
  delays: SignInDelays;
  links: PasswordLinks;
}

export function createIdentity(deps: IdentityDeps): Identity {
  const { config, database, log, rights, mail, allowLocalUsers } = deps;
  const policy = createPasswordPolicy({
    limits: {
      minimum: config.passwordMinLength,
      maximum: config.passwordMaxLength,
      composition: config.passwordComposition,
    },
    refusesGuessable: config.refuseGuessablePasswords,
    names: ['Runsheet', config.title],
  });
  const failures = createFailedAttempts(database);
  const portalInfo = { title: config.title, address: publicAddress(config) };
  if (mail.isConfigured && portalInfo.address === null) {
    log.info('links to set passwords are not offered: RUNSHEET_PUBLIC_URL is not set');
  }
  return {
    users: createUsersService(database, policy),
    policy,
    sessions: createSessionsService({ ...config, database, log }),
    keys: createPasswordKeysService(database),
    networkPolicy: createNetworkPolicy(rights, config.trustedNetworks),
    failures,
    delays: deps.signInDelays ?? createSignInDelays(failures, { signInsPerMinute: deps.signInsPerMinute }),
    links: createPasswordLinks({ database, mail, log, allowLocalUsers, ...portalInfo }),
  };
}
