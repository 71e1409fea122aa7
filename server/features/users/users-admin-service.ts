/** Administration of users by others. */
import type { Person } from '#server/base/person.ts';
import type { DirectoryProfile, SeenUser, User, UserAbilities } from '#shared/contract/users.ts';
import type { EscalationGuard } from '#server/access/rights/privilege-escalation.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { Actor } from '#server/access/actor.ts';
import { createExternalUser, updateExternalUser } from './external-user-editing.ts';
import {
  createLocalUser,
  updateLocalUser,
  type CreatedUser,
  type EditingDeps,
  type UserChange,
} from './user-editing.ts';
import { requireInDirectory, type OriginFields } from './user-origins.ts';
import { mergeChange } from './user-merge.ts';
import { sendUserPasswordLink, setUserPassword } from './user-passwords.ts';
import { deleteExistingUser, disableExistingUser, enableExistingUser, type StateDeps } from './user-state.ts';
import { userForbidden, userNotFound, userView } from './user-view.ts';
import { findExistingUser, findListedUser, listUsers, type UserListQuery } from './users-list-repository.ts';
import { findUserByName, type UserRow } from './users-repository.ts';

export interface UsersAdminService {
  abilities(person: Person): Promise<UserAbilities>;
  list(query: UserListQuery): Promise<{ Items: User[]; Total: number; HasMore: boolean }>;
  /** This and the following methods throw an AppError 404 if there is no such user, or if they are deleted. */
  profile(userId: number): Promise<User>;
  /** @param encrypted the password, encrypted with a key generated for the new name. Throws an AppError 400 with modelState. */
  create(actor: Actor, user: NewUserChange, encrypted: string | undefined): Promise<CreatedUser>;
  /** Returns a directory's entry for a name. Throws an AppError 404 if no directory knows it. */
  directoryProfile(userName: string, sourceName?: string): Promise<DirectoryProfile>;
  /**
   * @param seen the user when the actor read it: fields that the actor left as they were keep their present values.
   *   Throws an AppError 409 if somebody else has changed one of the others since.
   */
  update(actor: Actor, userId: number, change: UserChange, seen?: SeenUser): Promise<void>;
  enable(actor: Actor, userId: number): Promise<void>;
  /** Ends the user's sessions. Like delete, it refuses oneself and disabled users. */
  disable(actor: Actor, userId: number): Promise<void>;
  delete(actor: Actor, userId: number): Promise<void>;
  /** Sets the password of another local user, who must change it, and ends their sessions. */
  setPassword(actor: Actor, userName: string, encrypted: string): Promise<void>;
  /** Mails a local user a link to set the password. Throws an AppError 400 if that is not possible. */
  sendPasswordLink(actor: Actor, userId: number): Promise<void>;
}

/** A user to create; local unless a source is named. */
export type NewUserChange = UserChange & Partial<Omit<OriginFields, 'Source'>> & { Source?: UserRow['Source'] };

export interface UsersAdminDeps extends EditingDeps, StateDeps {
  rights: RightsService;
  escalationGuard: Pick<EscalationGuard, 'requireOverUser' | 'requireAllOfUser'>;
  enableUserApiKeys: boolean;
}

export function createUsersAdminService(deps: UsersAdminDeps): UsersAdminService {
  const { database } = deps;
  const { knex } = database;

  /**
   * Returns the user if the actor may change them. Only administrators may change administrators. Users with an
   * administration right may only be changed by actors who hold it too.
   */
  async function manageable(actor: Actor, userId: number): Promise<UserRow> {
    const user = await findExistingUser(knex, userId);
    if (!user) throw userNotFound();
    if (user.IsUserAdmin && !actor.IsUserAdmin) throw userForbidden();
    await deps.escalationGuard.requireOverUser(actor, user);
    return user;
  }

  /**
   * Returns the user if the actor also holds all of the user's rights, because control over the sign-in gives control
   * over these rights.
   */
  async function controllable(actor: Actor, userId: number): Promise<UserRow> {
    const user = await manageable(actor, userId);
    await deps.escalationGuard.requireAllOfUser(actor, user);
    return user;
  }

  return {
    abilities: (person) => abilitiesOf(deps, person),
    list: async (query) => {
      const { rows, total } = await listUsers(knex, query);
      const HasMore = (query.Skip ?? 0) + rows.length < total && rows.length > 0;
      return { Items: rows.map(userView), Total: total, HasMore };
    },
    profile: async (userId) => {
      const user = await findListedUser(knex, userId);
      if (!user) throw userNotFound();
      return userView(user);
    },
    create: (actor, { Source = 'Local', ...change }, encrypted) =>
      Source === 'Local'
        ? createLocalUser(deps, actor, change, encrypted)
        : createExternalUser(deps, actor, { ...change, Source }),
    directoryProfile: (userName, sourceName) => requireInDirectory(deps.origins, userName.trim(), sourceName),
    update: async (actor, userId, wanted, seen) => {
      const user = await manageable(actor, userId);
      const change = mergeChange(user, seen, wanted);
      // Links to set a password are mailed to this address.
      if (change.Email.trim() !== user.Email) await deps.escalationGuard.requireAllOfUser(actor, user);
      return (user.Source === 'Local' ? updateLocalUser : updateExternalUser)(deps, actor, user, change);
    },
    enable: async (actor, userId) => enableExistingUser(deps, actor, await controllable(actor, userId)),
    disable: async (actor, userId) => disableExistingUser(deps, actor, await manageable(actor, userId)),
    delete: async (actor, userId) => deleteExistingUser(deps, actor, await manageable(actor, userId)),
    setPassword: async (actor, userName, encrypted) => {
      if (!deps.allowAdminToSetPassword || !actor.hasSession) throw userForbidden();
      const found = await findUserByName(knex, userName);
      if (!found) throw userNotFound();
      await setUserPassword(deps, actor, await controllable(actor, found.UserId), encrypted);
    },
    sendPasswordLink: async (actor, userId) => sendUserPasswordLink(deps, actor, await manageable(actor, userId)),
  };
}

async function abilitiesOf(deps: UsersAdminDeps, person: Person): Promise<UserAbilities> {
  const canManageUsers = await deps.rights.has(person, 'sk.ManageUsers');
  return {
    canManageUsers,
    canManagePasswords: await deps.rights.has(person, 'sk.ManageUserPasswords'),
    AllowAdminToSetPassword: deps.allowAdminToSetPassword,
    EnableUserApiKeys: deps.enableUserApiKeys,
    AllowPasswordReset: deps.links.isOffered,
    MayChangeSignIn: person.SessionId !== '',
    ProfileDataFromAD: deps.origins.profileFromDirectory,
    ExternalSources: canManageUsers ? [...deps.origins.sources] : [],
  };
}
