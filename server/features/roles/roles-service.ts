import type { Role, RoleUser } from '#shared/contract/roles.ts';
import { roleNameIssue } from '#shared/rules/user-rules.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { EscalationGuard } from '#server/access/rights/privilege-escalation.ts';
import { findExistingUserNames } from '#server/access/user-queries.ts';
import {
  deleteMembers,
  deleteRoleRows,
  findRole,
  insertMembers,
  insertRole,
  listMemberIds,
  listMemberships,
  listRoleRows,
  listRoleUserRows,
  updateRoleActive,
  type RoleUserQuery,
} from './roles-repository.ts';

export interface RolesService {
  list(): Promise<Role[]>;
  /**
   * This and the following methods except `create` throw an AppError 404 if there is no such role. Changes also throw
   * what EscalationGuard throws.
   */
  users(
    name: string,
    query: RoleUserQuery,
  ): Promise<{ Role: Role; Items: RoleUser[]; Total: number; HasMore: boolean }>;
  /** Throws an AppError 400 if the name is empty or in use, ignoring case. */
  create(actor: Actor, name: string): Promise<void>;
  /** Deletes the role with its grants and denials. Its users are not deleted. */
  delete(actor: Actor, name: string): Promise<void>;
  setActive(actor: Actor, name: string, isActive: boolean): Promise<void>;
  /** Existing members stay in the role. Throws an AppError 404 if one of the users does not exist. */
  include(actor: Actor, name: string, userIds: readonly number[]): Promise<void>;
  exclude(actor: Actor, name: string, userIds: readonly number[]): Promise<void>;
  /** Throws the error with which `include` would refuse any user, and changes nothing. */
  requireIncludable(actor: Actor, name: string): Promise<void>;
  /** Returns the names of the roles of each user; users without roles have no entry. */
  rolesOfUsers(userIds: readonly number[]): Promise<Map<number, Set<string>>>;
}

const LOCK = 'runsheet.roles';

export interface RolesDeps {
  database: Pick<Database, 'knex' | 'dialect'>;
  escalationGuard: Pick<EscalationGuard, 'requireRoleGivable'>;
}

export function createRolesService({ database: { knex, dialect }, escalationGuard }: RolesDeps): RolesService {
  const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

  async function requireRole(name: string) {
    const role = await findRole(knex, name);
    if (!role) throw noRole();
    return role;
  }

  async function changeMembers(
    actor: Actor,
    name: string,
    userIds: readonly number[],
    Action: 'IncludeUser' | 'ExcludeUser',
  ): Promise<void> {
    await requireRole(name);
    const includes = Action === 'IncludeUser';
    const wanted = await findExistingUserNames(knex, [...new Set(userIds)]);
    if (wanted.length < new Set(userIds).size) throw new AppError('userNotFound', 404, 'There is no such user');
    await inTransaction(knex, async (trx) => {
      // Without the lock, two concurrent calls that include the same users would both log it.
      await dialect.lock(trx, LOCK);
      const members = new Set(await listMemberIds(trx, name));
      const changed = wanted.filter(({ UserId }) => members.has(UserId) !== includes);
      if (changed.length > 0) await escalationGuard.requireRoleGivable(actor, name, includes ? 1 : -1, trx);
      const write = includes ? insertMembers : deleteMembers;
      await write(
        trx,
        name,
        changed.map(({ UserId }) => UserId),
      );
      const actions = changed.map(({ UserName }) => ({ Action, TargetUserName: UserName, TargetRole: name }));
      await recordActions(trx, actor, actions);
    });
  }

  return {
    list: async () => (await listRoleRows(knex)).sort((a, b) => collator.compare(a.Name, b.Name)),
    users: async (name, query) => usersOf(knex, await requireRole(name), query),
    create: (actor, name) => createRole({ knex, dialect }, actor, name.trim()),
    delete: async (actor, name) => {
      await requireRole(name);
      await escalationGuard.requireRoleGivable(actor, name, -1);
      await deleteRole({ knex, dialect }, actor, name);
    },
    setActive: async (actor, name, isActive) => {
      const role = await requireRole(name);
      if (role.IsActive === isActive) return;
      await escalationGuard.requireRoleGivable(actor, name, isActive ? 1 : -1);
      await inTransaction(knex, async (trx) => {
        await updateRoleActive(trx, name, isActive);
        await recordActions(trx, actor, [{ Action: isActive ? 'EnableRole' : 'DisableRole', TargetRole: name }]);
      });
    },
    include: (actor, name, userIds) => changeMembers(actor, name, userIds, 'IncludeUser'),
    exclude: (actor, name, userIds) => changeMembers(actor, name, userIds, 'ExcludeUser'),
    requireIncludable: async (actor, name) => {
      await requireRole(name);
      await escalationGuard.requireRoleGivable(actor, name, 1);
    },
    rolesOfUsers: (userIds) => rolesOfUsers(knex, userIds),
  };
}

async function usersOf(db: Db, role: Omit<Role, 'UserCount'>, query: RoleUserQuery): ReturnType<RolesService['users']> {
  const { rows, total } = await listRoleUserRows(db, role.Name, query);
  const UserCount = (await listMemberIds(db, role.Name)).length;
  const HasMore = (query.Skip ?? 0) + rows.length < total && rows.length > 0;
  return { Role: { ...role, UserCount }, Items: rows, Total: total, HasMore };
}

async function rolesOfUsers(db: Db, userIds: readonly number[]): Promise<Map<number, Set<string>>> {
  const roles = new Map<number, Set<string>>();
  for (const { UserId, RoleName } of await listMemberships(db, userIds))
    roles.set(UserId, (roles.get(UserId) ?? new Set()).add(RoleName));
  return roles;
}

const noRole = (): AppError => new AppError('roleNotFound', 404, 'There is no such role');

async function createRole({ knex, dialect }: Pick<Database, 'knex' | 'dialect'>, actor: Actor, name: string) {
  await inTransaction(knex, async (trx) => {
    await dialect.lock(trx, LOCK);
    const taken = (await listRoleRows(trx)).map(({ Name }) => Name);
    const issue = roleNameIssue(name, taken);
    if (issue !== null) throw new AppError('roleName', 400, issue, { modelState: { Name: [issue] } });
    await insertRole(trx, name);
    await recordActions(trx, actor, [{ Action: 'CreateRole', TargetRole: name }]);
  });
}

async function deleteRole({ knex, dialect }: Pick<Database, 'knex' | 'dialect'>, actor: Actor, name: string) {
  await inTransaction(knex, async (trx) => {
    await dialect.lock(trx, LOCK);
    // Without the lock, two concurrent deletions would both be logged.
    if (!(await findRole(trx, name))) throw noRole();
    await deleteRoleRows(trx, name);
    await recordActions(trx, actor, [{ Action: 'DeleteRole', TargetRole: name }]);
  });
}
