/** Shows who holds a right and why, and changes grants. */
import type { Knex } from 'knex';
import type { GrantChange, GrantInfo, Right, SpecificRight } from '#shared/contract/right-grants.ts';
import type { RightName } from '#shared/contract/rights.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import { findExistingUserNames } from '#server/access/user-queries.ts';
import { readGrants, readInternet, type InternetInfo, type ResolvedRight } from './grant-info.ts';
import type { GranteeKind } from '#server/access/rights/grant-rows.ts';
import type { GrantKey } from '#server/access/rights/grants.ts';
import {
  countGrants,
  deleteLinkLimits,
  findGrantsOf,
  isInRoles,
  listRoleStates,
  lockGrants,
  writeGrants,
  type GrantUserQuery,
} from './grants-repository.ts';
import { countsOf, type RightDefinitions } from './right-definitions.ts';
import type { EscalationGuard } from '#server/access/rights/privilege-escalation.ts';
import { NOT_FOR_INTERNET } from '#server/access/rights/right-implications.ts';

/** A right as named in a call: for All, or for one value of a key column. */
export interface RightKey {
  name: string;
  keyColumn?: string;
  value?: string;
}

export interface GrantsService {
  specific(name: string, keyColumn: string): Promise<{ Right: Right; Items: SpecificRight[] }>;
  /**
   * This and the following methods throw an AppError 404 if there is no such right, column or value. Changes also throw
   * what EscalationGuard throws.
   */
  info(key: RightKey, query: GrantUserQuery & { Held?: boolean }): Promise<GrantInfo>;
  internet(key: RightKey): Promise<InternetInfo>;
  changeUsers(actor: Actor, change: GrantChange, key: RightKey, userIds: readonly number[]): Promise<void>;
  changeRoles(actor: Actor, change: GrantChange, key: RightKey, roles: readonly string[]): Promise<void>;
  changeInternet(actor: Actor, change: GrantChange, key: RightKey): Promise<void>;
  /**
   * Grants several rights on one object, or deletes their grants, in the caller's transaction. The caller has checked
   * that the object and the grantees exist.
   */
  changeTogether(trx: Knex.Transaction, actor: Actor, change: ObjectChange): Promise<void>;
  /** Locks the grants against changes by others until the transaction ends. */
  lock(trx: Knex.Transaction): Promise<void>;
}

/** Several rights on one object that change together. */
export interface ObjectChange {
  how: 'grant' | 'delete';
  rights: readonly RightName[];
  keyColumn: string;
  value: string;
  /** The user names of the users, by user id. */
  users: ReadonlyMap<number, string>;
  roles: readonly string[];
  /** True to change the internet's grant too. */
  internet?: boolean;
}

const ACCESS = { grant: 1, deny: -1, delete: 0 } as const;
/** The internet is a single grantee without a name. */
const INTERNET: ReadonlyMap<string, string> = new Map([['', '']]);
const VERB = { grant: 'Grant', deny: 'Deny', delete: 'Delete' } as const;

export interface GrantsDeps {
  database: Pick<Database, 'knex'>;
  definitions: RightDefinitions;
  escalationGuard: Pick<EscalationGuard, 'requireGivable'>;
}

export function createGrantsService({ database: { knex }, definitions, escalationGuard }: GrantsDeps): GrantsService {
  async function resolve({ name, keyColumn = '', value = '' }: RightKey): Promise<ResolvedRight> {
    const right = await definitions.require(name, keyColumn);
    const found = keyColumn === '' ? undefined : await definitions.keyValue(right, keyColumn, value);
    const key = { RightName: name, KeyColumnName: keyColumn, KeyColumnValue: value };
    return { right, key, found, keys: found?.keys ?? {} };
  }

  const write = (actor: Actor, change: Change) => writeChange({ knex, escalationGuard }, actor, change);

  return {
    specific: async (name, keyColumn) => {
      const right = await definitions.require(name, keyColumn);
      const counts = await countGrants(knex, name);
      const values = await definitions.keyValues(right, keyColumn);
      const Items = values.map(({ value, DisplayColumnName, DisplayColumnValue }) => {
        const own = counts.filter((count) => count.KeyColumnName === keyColumn && count.KeyColumnValue === value);
        const shown = { KeyColumnValue: value, DisplayColumnName, DisplayColumnValue };
        return { ...shown, ForUsers: true, ...countsOf(own) };
      });
      return { Right: definitions.view(right, keyColumn, counts), Items };
    },
    info: async (key, query) => readGrants(knex, definitions, await resolve(key), query),
    internet: async (key) => readInternet(knex, definitions, await resolve(key)),
    changeUsers: async (actor, how, rightKey, userIds) => {
      const { key } = await resolve(rightKey);
      const ids = [...new Set(userIds)];
      const users = await findExistingUserNames(knex, ids);
      if (users.length < ids.length) throw new AppError('userNotFound', 404, 'There is no such user');
      const names = new Map(users.map(({ UserId, UserName }) => [String(UserId), UserName]));
      await write(actor, { how, key, kind: 'user', names });
    },
    changeRoles: async (actor, how, rightKey, roles) => {
      const { key } = await resolve(rightKey);
      const known = new Set((await listRoleStates(knex)).map(({ Name }) => Name));
      if (roles.some((role) => !known.has(role))) throw new AppError('roleNotFound', 404, 'There is no such role');
      await write(actor, { how, key, kind: 'role', names: new Map(roles.map((role) => [role, role])) });
    },
    changeInternet: async (actor, how, rightKey) => {
      const { right, key } = await resolve(rightKey);
      if (right.Name === NOT_FOR_INTERNET) {
        throw new AppError('notForInternet', 400, 'This right cannot be granted to the internet');
      }
      await write(actor, { how, key, kind: 'internet', names: INTERNET });
    },
    lock: lockGrants,
    changeTogether: async (trx, actor, { how, rights, keyColumn, value, users, roles, internet }) => {
      const userNames = new Map(Array.from(users, ([id, name]) => [String(id), name]));
      const roleNames = new Map(roles.map((role) => [role, role]));
      for (const RightName of rights) {
        const key = { RightName, KeyColumnName: keyColumn, KeyColumnValue: value };
        await changeIn(trx, escalationGuard, actor, { how, key, kind: 'user', names: userNames });
        await changeIn(trx, escalationGuard, actor, { how, key, kind: 'role', names: roleNames });
        if (!internet) continue;
        const ofInternet = { how, key, kind: 'internet', names: INTERNET, keepsLimits: how === 'grant' } as const;
        await changeIn(trx, escalationGuard, actor, ofInternet);
      }
    },
  };
}

interface Change {
  how: GrantChange;
  key: GrantKey;
  kind: GranteeKind;
  /** Names of the grantees, for the log. */
  names: ReadonlyMap<string, string>;
  /** True if a public link that exists already keeps its limits. */
  keepsLimits?: boolean;
}

async function writeChange(
  { knex, escalationGuard }: { knex: Database['knex']; escalationGuard: GrantsDeps['escalationGuard'] },
  actor: Actor,
  change: Change,
): Promise<void> {
  await inTransaction(knex, (trx) => changeIn(trx, escalationGuard, actor, change));
}

/** Writes and logs only actual changes. */
async function changeIn(
  trx: Knex.Transaction,
  escalationGuard: GrantsDeps['escalationGuard'],
  actor: Actor,
  { how, key, kind, names, keepsLimits = false }: Change,
): Promise<void> {
  if (names.size === 0) return;
  const Access = ACCESS[how];
  await lockGrants(trx);
  const before = new Map((await findGrantsOf(trx, kind, key)).map((grant) => [grant.Grantee, grant.Access]));
  const changed = [...names.keys()].filter((grantee) => (before.get(grantee) ?? 0) !== Access);
  const granted = changed.filter((grantee) => how === 'grant' || (how === 'delete' && before.get(grantee) === -1));
  if (granted.length > 0)
    await escalationGuard.requireGivable(actor, [key], await reachesActor(trx, actor, kind, granted), trx);
  await writeGrants(trx, kind, key, { grantees: changed, Access });
  if (kind === 'internet' && (changed.length > 0 || !keepsLimits)) await deleteLinkLimits(trx, key);
  const Action = kind === 'internet' ? (`${VERB[how]}InternetAccess` as const) : (`${VERB[how]}Right` as const);
  const actions = changed.map((grantee) => ({
    Action,
    ...key,
    ...(kind === 'user' ? { TargetUserName: names.get(grantee)! } : {}),
    ...(kind === 'role' ? { TargetRole: grantee } : {}),
  }));
  await recordActions(trx, actor, actions);
}

/**
 * Returns whether the actor is among the grantees: directly, through a role, or as a visitor who comes from the
 * internet.
 */
async function reachesActor(trx: Db, actor: Actor, kind: GranteeKind, grantees: readonly string[]): Promise<boolean> {
  if (kind === 'internet') return true;
  return kind === 'user' ? grantees.includes(String(actor.UserId)) : isInRoles(trx, actor.UserId, grantees);
}
