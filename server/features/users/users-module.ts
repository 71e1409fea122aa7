import type { FastifyInstance } from 'fastify';
import type { Holder, Person } from '#server/base/person.ts';
import type { EscalationGuard } from '#server/access/rights/privilege-escalation.ts';
import type { Core } from '#server/features/core.ts';
import type { PasswordKeysService } from '#server/features/sessions/password-keys-service.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import { ADMINISTRATOR_NAME, ensureAdministrator, type FirstAdministrator } from './administrator.ts';
import { createExternalUsersService } from './external-users-service.ts';
import { createPasswordLinks, type PasswordLinks } from './password-links.ts';
import { registerPasswordResetRoutes } from './password-reset-routes.ts';
import { createPasswordResetService } from './password-reset-service.ts';
import type { UserOrigins } from './user-origins.ts';
import { createUsersAdminService, type UsersAdminService } from './users-admin-service.ts';
import { registerUsersRoutes } from './users-routes.ts';
import { createUsersService } from './users-service.ts';

export type { PasswordLinks } from './password-links.ts';
export type { UserOrigins } from './user-origins.ts';

/** Returns the person on whose behalf a run executes; undefined if the user was disabled. */
export type FindHolder = (userId: number) => Promise<Holder | undefined>;

export const usersModule = {
  create: (core: Core) => {
    const { config, database, log, policy, mail, address, sources } = core;
    const users = createUsersService(database, policy);
    if (mail.isConfigured && address === null) {
      log.info('links to set passwords are not offered: RUNSHEET_PUBLIC_URL is not set');
    }
    const { title, profileDataFromAd: profileFromDirectory } = config;
    const findHolder: FindHolder = async (userId) => {
      const user = await users.findById(userId);
      return user?.Enabled ? { UserId: user.UserId, IsUserAdmin: user.IsUserAdmin, fromInternet: false } : undefined;
    };
    return {
      users,
      findHolder,
      passwordLinks: createPasswordLinks({ ...core, title, allowLocalUsers: sources.allowLocalUsers }),
      externalUsers: createExternalUsersService(database, log, { profileFromDirectory }),
      /** Returns the first administrator; null if that user was renamed or deleted. */
      findAdministrator: async (): Promise<Person | null> => {
        const found = await users.findByName(ADMINISTRATOR_NAME);
        if (!found) return null;
        const { UserId, UserName, FirstName, LastName, Source, IsUserAdmin } = found;
        return { UserId, UserName, FirstName, LastName, Source, IsUserAdmin, SessionId: '' };
      },
      /** Creates the administrator of a new portal. */
      ensureAdministrator: (): Promise<FirstAdministrator> =>
        ensureAdministrator(database, users, config.adminPassword || undefined),
    };
  },
  register: (http: FastifyInstance, { passwordLinks }: { passwordLinks: PasswordLinks }): void =>
    void http.addHook('onClose', () => passwordLinks.settle()),
};

export interface Needs extends Core {
  keys: PasswordKeysService;
  sessions: SessionsService;
  passwordLinks: PasswordLinks;
  origins: UserOrigins;
  escalationGuard: EscalationGuard;
}

type RouteNeeds = Core &
  Pick<Needs, 'keys' | 'sessions' | 'passwordLinks'> & {
    usersAdmin: UsersAdminService;
  };

/** Administration needs to know where users may come from, and rights: so it comes after those. */
export const usersAdminModule = {
  create: (core: Needs) => {
    const { config, passwordLinks: links } = core;
    const { allowAdminToSetPassword, enableUserApiKeys } = config;
    return { usersAdmin: createUsersAdminService({ ...core, links, allowAdminToSetPassword, enableUserApiKeys }) };
  },
  register: (http: FastifyInstance, parts: RouteNeeds): void => {
    const { usersAdmin, passwordLinks: links, limits } = parts;
    registerUsersRoutes(http, usersAdmin);
    registerPasswordResetRoutes(http, {
      passwordReset: createPasswordResetService({ ...parts, links }),
      users: usersAdmin,
      signInsPerMinute: limits.signIns,
    });
  },
};
