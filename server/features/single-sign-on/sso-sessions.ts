/** The provider's part of a session: its renewal and its end. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { Log } from '#server/base/log.ts';
import type { Person } from '#server/base/person.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import { reach, ssoRefusal } from './sso-failures.ts';
import type { SsoProvider } from './sso-provider.ts';
import type { SsoProviders } from './sso-providers.ts';
import * as repository from './sso-repository.ts';
import { hashToken } from './sso-tokens.ts';

export interface SsoSessions {
  /** Returns when the provider's session ends; null for a session without a provider. */
  expiryOf(person: Person): Promise<Date | null>;
  /**
   * Renews the provider's session and returns its new end; null if renewal requires the person. Throws an AppError 401
   * if the provider refuses, which ends the session.
   */
  refresh(person: Person, name: string): Promise<Date | null>;
  /** Renews the session with what the person has just proved at the provider. */
  refreshBy(person: Person, name: string, proved: repository.SsoSessionRow): Promise<Date | null>;
  /** Returns whether a SAML 2.0 provider signed the session in. */
  isOfSaml2(person: Person): Promise<boolean>;
  /** Returns where to log out of the provider; null if it has no log-out. */
  logoutUrl(person: Person, name: string, base: string): Promise<string | null>;
  /**
   * Makes another session of the person end when the provider's session of this one does, but without data to renew it.
   * Returns null if the session has no provider.
   */
  share(db: Db, from: string, to: string): Promise<{ ssoProvider: string; ssoExpiry: Date | null } | null>;
  /** Ends the sessions that a provider names; all of the person's if it names no single one. */
  endFor(provider: SsoProvider, subject: string, index: string): Promise<void>;
}

export interface SsoSessionsDeps {
  database: Pick<Database, 'knex'>;
  log: Log;
  sessions: Pick<SessionsService, 'end'>;
  providers: SsoProviders;
}

/** OAuth errors that mean that this person may not continue. Other errors mean that the provider has a problem. */
const REFUSALS = ['invalid_grant', 'access_denied', 'login_required', 'interaction_required', 'consent_required'];

export function createSsoSessions({ database: { knex }, log, sessions, providers }: SsoSessionsDeps): SsoSessions {
  async function sessionOf(person: Person, name: string) {
    const row = await repository.findSsoSession(knex, person.SessionId);
    if (!row || row.Provider !== name)
      throw new AppError('noSso', 400, 'This session was not started with that sign-in provider');
    const provider = providers.named(name);
    return { provider, logoutContext: providers.decrypt(provider, row.Encrypted) };
  }

  return {
    expiryOf: async ({ SessionId }) => (await repository.findSsoSession(knex, SessionId))?.SsoExpiry ?? null,
    refresh: async (person, name) => {
      const { provider, logoutContext } = await sessionOf(person, name);
      const renewed = await provider.renew(logoutContext).catch(async (cause: unknown) => {
        log.warn({ err: cause, provider: name, user: person.UserName }, 'a sign-in provider did not renew a session');
        if (!isRefusal(cause)) throw ssoRefusal('unreachable', cause);
        await sessions.end(person);
        throw new AppError('notSignedIn', 401, 'You do not have permissions for this operation', { cause });
      });
      if (!renewed) return null;
      const encrypted = providers.encrypt(provider, renewed.logoutContext);
      return repository.prolongSsoSession(knex, person.SessionId, encrypted, renewed.expiresIn);
    },
    refreshBy: async (person, name, proved) => {
      await sessionOf(person, name);
      if (proved.Provider !== name) throw ssoRefusal('other');
      await repository.replaceSsoSession(knex, person.SessionId, proved);
      return proved.SsoExpiry;
    },
    isOfSaml2: async ({ SessionId }) =>
      (await repository.findSsoSession(knex, SessionId))?.Provider.startsWith('saml2:') ?? false,
    logoutUrl: async (person, name, base) => {
      const { provider, logoutContext } = await sessionOf(person, name);
      return reach(provider, log, () => provider.logoutUrl(base, logoutContext));
    },
    share: async (db, from, to) => {
      const row = await repository.findSsoSession(db, from);
      if (!row) return null;
      // A refresh token may only be used by one session: the provider would treat a second use as theft.
      await repository.insertSsoSession(db, to, {
        ...row,
        Encrypted: providers.encrypt(providers.named(row.Provider), {}),
      });
      return { ssoProvider: row.Provider, ssoExpiry: row.SsoExpiry };
    },
    endFor: ({ name }, subject, index) =>
      repository.endSsoSessions(knex, name, hashToken(subject), index === '' ? null : hashToken(index)),
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'error' in error && REFUSALS.includes(String(error.error));
}
