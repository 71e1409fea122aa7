/** Users whom a directory or an identity provider vouches for. */
import { asOneLine, cutName, EMAIL_MAX, isMailAddress, userIssues } from '#shared/rules/user-rules.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Log } from '#server/base/log.ts';
import { THE_PROGRAM } from '#server/features/security-actions/actor.ts';
import { recordActions } from '#server/features/security-actions/record-actions.ts';
import { findSourceOfUser, findUserBySource, insertUserSource, type UserSource } from './user-sources-repository.ts';
import { updateUserRow } from './users-list-repository.ts';
import { insertUser, userNameKey, type UserRow } from './users-repository.ts';

export type { UserSource } from './user-sources-repository.ts';

/** A person as their source vouches for them. Fields that it does not know are ''. */
export interface ExternalIdentity extends UserSource {
  /** What the person is called here, if they are new. */
  UserName: string;
  FirstName: string;
  LastName: string;
  Email: string;
  /** How else the source names them, for administrators: a distinguished name. */
  SourceInfo: string;
}

export interface ExternalUsersService {
  /**
   * The user behind an identity, with names and e-mail as the source has them today (a directory only where the setting
   * ProfileDataFromAD wants it); a new one is made where `create` says so and
   * the name is free. Undefined where there is none, which the log explains. Enabled or not is for the caller to look at.
   */
  admit(identity: ExternalIdentity, options: { create: boolean; address: string }): Promise<UserRow | undefined>;
  /** Where the user comes from; undefined for a local one. */
  sourceOf(userId: number): Promise<Pick<UserSource, 'SourceName' | 'SourceUserName'> | undefined>;
}

export function createExternalUsersService(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  log: Log,
  { profileFromDirectory }: { profileFromDirectory: boolean },
): ExternalUsersService {
  async function create(identity: ExternalIdentity, address: string): Promise<UserRow | undefined> {
    const fields = fieldsOf(identity);
    const issues = Object.values(userIssues(fields));
    const about = { source: identity.SourceName, user: identity.UserName };
    if (issues.length > 0) {
      log.warn({ ...about, issues }, 'a new user cannot be made of what the source says');
      return undefined;
    }
    try {
      await inTransaction(knex, async (trx) => {
        const UserNameKey = userNameKey(fields.UserName);
        const flags = { Enabled: true, IsUserAdmin: false, MustChangePassword: false, PasswordHash: null };
        const row = { ...fields, ...flags, UserNameKey, MiddleName: '', Source: identity.Source };
        const userId = await insertUser(trx, row);
        await insertUserSource(trx, userId, identity, identity.SourceInfo);
        const action = { Action: 'CreateUser' as const, TargetUserName: fields.UserName };
        await recordActions(trx, { ...THE_PROGRAM, Address: address.slice(0, 64) }, [action]);
      });
    } catch (error) {
      if (dialect.classify(error).fault !== 'unique') throw error;
      // Two first sign-ins at once made the same user; else another user has the name, whom nobody may become by it.
      const made = await findUserBySource(knex, identity);
      if (!made) log.warn(about, 'a new user cannot be made: another one has the name');
      return made;
    }
    return findUserBySource(knex, identity);
  }

  async function refresh(user: UserRow, identity: ExternalIdentity): Promise<UserRow> {
    if (identity.Source === 'AD' && !profileFromDirectory) return user;
    const { FirstName, LastName, Email } = fieldsOf(identity);
    const profile = {
      FirstName: identity.FirstName === '' ? user.FirstName : FirstName,
      LastName: identity.LastName === '' ? user.LastName : LastName,
      Email: identity.Email === '' ? user.Email : Email,
    };
    const isSame = Object.entries(profile).every(([name, value]) => user[name as keyof UserRow] === value);
    if (!isSame) await updateUserRow(knex, user.UserId, profile);
    return { ...user, ...profile };
  }

  return {
    admit: async (identity, options) => {
      if (identity.SourceUserName === '' || identity.SourceUserName.length > 256) return undefined;
      const user = await findUserBySource(knex, identity);
      if (user) return refresh(user, identity);
      if (options.create) return create(identity, options.address);
      log.warn({ source: identity.SourceName, user: identity.SourceUserName }, 'signed in elsewhere, but no user here');
      return undefined;
    },
    sourceOf: (userId) => findSourceOfUser(knex, userId),
  };
}

function fieldsOf(identity: ExternalIdentity) {
  const UserName = identity.UserName.trim();
  const Email = identity.Email.trim().slice(0, EMAIL_MAX);
  return {
    UserName,
    FirstName: cutName(asOneLine(identity.FirstName).trim()) || cutName(UserName),
    LastName: cutName(asOneLine(identity.LastName).trim()),
    Email: isMailAddress(Email) ? Email : '',
  };
}
