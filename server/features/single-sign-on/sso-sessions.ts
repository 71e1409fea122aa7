/** The provider's part of a session: its renewal, and its end. */
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
  /** When the provider's part ends; null for a session that no provider signed in. */
  expiryOf(person: Person): Promise<Date | null>;
  /** Null where it takes the person. Throws an AppError 401 where the provider refused, which ends the session. */
  refresh(person: Person, name: string): Promise<Date | null>;
  /** Renews by what the person proved at the provider just now. */
  refreshBy(person: Person, name: string, proved: repository.SsoSessionRow): Promise<Date | null>;
  /** Whether a provider of SAML 2.0 signed the session in. */
  isOfSaml2(person: Person): Promise<boolean>;
  /** Where one logs out of the provider; null where it offers no such thing. */
  logoutUrl(person: Person, name: string, base: string): Promise<string | null>;
  /** Lets another session of the person end where a provider's does, without the means to renew it; null where none began it. */
  share(db: Db, from: string, to: string): Promise<{ ssoProvider: string; ssoExpiry: Date | null } | null>;
  /** Ends the sessions that a provider names; all of the person where it names no single one. */
  endFor(provider: SsoProvider, subject: string, index: string): Promise<void>;
}

export interface SsoSessionsDeps {
  database: Pick<Database, 'knex'>;
  log: Log;
  sessions: Pick<SessionsService, 'end'>;
  providers: SsoProviders;
}

/** Answers of OAuth that mean: this person may not go on. Others mean that something is wrong with the provider. */
const REFUSALS = ['invalid_grant', 'access_denied', 'login_required', 'interaction_required', 'consent_required'];

export function createSsoSessions({ database: { knex }, log, sessions, providers }: SsoSessionsDeps): SsoSessions {
  async function sessionOf(person: Person, name: string) {
    const row = await repository.findSsoSession(knex, person.SessionId);
    if (!row || row.Provider !== name) throw new AppError('noSso', 400, 'This session was not begun at that provider');
    const provider = providers.named(name);
    return { provider, keepsake: providers.decrypt(provider, row.Encrypted) };
  }

  return {
    expiryOf: async ({ SessionId }) => (await repository.findSsoSession(knex, SessionId))?.SsoExpiry ?? null,
    refresh: async (person, name) => {
      const { provider, keepsake } = await sessionOf(person, name);
      const renewed = await provider.renew(keepsake).catch(async (cause: unknown) => {
        log.warn({ err: cause, provider: name, user: person.UserName }, 'a sign-in provider did not renew a session');
        if (!isRefusal(cause)) throw ssoRefusal('unreachable', cause);
        await sessions.end(person);
        throw new AppError('notSignedIn', 401, 'You do not have permissions for this operation', { cause });
      });
      if (!renewed) return null;
      const encrypted = providers.encrypt(provider, renewed.keepsake);
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
      const { provider, keepsake } = await sessionOf(person, name);
      return reach(provider, log, () => provider.logoutUrl(base, keepsake));
    },
    share: async (db, from, to) => {
      const row = await repository.findSsoSession(db, from);
      if (!row) return null;
      // A refresh token is good for one of them: the provider would take its second use for a theft.
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
