/** Users that a directory or an identity provider vouches for. */
import { asOneLine, cutName, EMAIL_MAX, isMailAddress, userIssues } from '#shared/rules/user-rules.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Log } from '#server/base/log.ts';
import { THE_PROGRAM } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import { findSourceOfUser, findUserBySource, insertUserSource, type UserSource } from './user-sources-repository.ts';
import { updateUserRow } from './users-list-repository.ts';
import { findUserByName, insertUser, userNameKey, type UserRow } from './users-repository.ts';

export type { UserSource } from './user-sources-repository.ts';

/** A person as described by their source. Unknown fields are ''. */
export interface ExternalIdentity extends UserSource {
  /** User name here, if the person is new. */
  UserName: string;
  FirstName: string;
  LastName: string;
  Email: string;
  /** Another name at the source, for administrators: a distinguished name. */
  SourceInfo: string;
}

/**
 * - noSubject: the source gives no usable name.
 * - unknown: there is no user, and none would be created.
 * - nameTaken: a user of another source has the name.
 * - unfit: no user can be made of what the source says; `issues` says why.
 */
export type Foreseen =
  | { kind: 'known'; user: UserRow }
  | { kind: 'new'; UserName: string }
  | { kind: 'nameTaken'; UserName: string }
  | { kind: 'unfit'; issues: string[] }
  | { kind: 'unknown' | 'noSubject' };

export interface ExternalUsersService {
  /**
   * Returns the user of an identity, with names and e-mail updated from the source (for a directory, only if the
   * setting ProfileDataFromAD is on). Creates a user if `create` is true and the name is free. Returns undefined and
   * logs the reason if there is no user. The caller must check whether the user is enabled.
   */
  admit(identity: ExternalIdentity, options: { create: boolean; address: string }): Promise<UserRow | undefined>;
  /** Returns what `admit` would do, and changes nothing. */
  foresee(identity: ExternalIdentity, options: { create: boolean }): Promise<Foreseen>;
  /** Returns the source of the user; undefined for a local user. */
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
      log.warn({ ...about, issues }, 'could not create a user from the answer of the source');
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
      // Either two concurrent first sign-ins created the same user, or another user has the name. Nobody may become
      // another user through a name.
      const existing = await findUserBySource(knex, identity);
      if (!existing) log.warn(about, 'could not create a user: another user has the name');
      return existing;
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
      if (!hasSubject(identity)) return undefined;
      const user = await findUserBySource(knex, identity);
      if (user) return refresh(user, identity);
      if (options.create) return create(identity, options.address);
      log.warn({ source: identity.SourceName, user: identity.SourceUserName }, 'signed in, but has no user here');
      return undefined;
    },
    foresee: (identity, options) => foresee(knex, identity, options),
    sourceOf: (userId) => findSourceOfUser(knex, userId),
  };
}

async function foresee(db: Db, identity: ExternalIdentity, { create }: { create: boolean }): Promise<Foreseen> {
  if (!hasSubject(identity)) return { kind: 'noSubject' };
  const user = await findUserBySource(db, identity);
  if (user) return { kind: 'known', user };
  if (!create) return { kind: 'unknown' };
  const fields = fieldsOf(identity);
  const issues = Object.values(userIssues(fields));
  if (issues.length > 0) return { kind: 'unfit', issues };
  const { UserName } = fields;
  return { kind: (await findUserByName(db, UserName)) ? 'nameTaken' : 'new', UserName };
}

const MAX_SUBJECT_LENGTH = 256;

const hasSubject = ({ SourceUserName }: ExternalIdentity): boolean =>
  SourceUserName !== '' && SourceUserName.length <= MAX_SUBJECT_LENGTH;

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
