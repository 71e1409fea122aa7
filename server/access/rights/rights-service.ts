import type { Access } from '#shared/contract/endpoint.ts';
import { RIGHT_NAMES, RIGHTS, type RightName } from '#shared/contract/rights.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { THE_PROGRAM, type Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { Holder } from '#server/base/person.ts';
import { ALL, type Grant, type ObjectKeys } from './grants.ts';
import { createGrantsLoader, type GrantsLoader } from './grants-loader.ts';
import { ADMIN_ANSWER, answerRight, type RightAnswer } from './right-answer.ts';
import { NOT_FOR_INTERNET } from './right-implications.ts';
import { isInKeyScope, keyGrants } from './key-scope.ts';
import { all, EVERY, NOTHING, scopeOf, type RightScope } from './right-scope.ts';
import { deleteGrant, findInternetGrants, findRoleNames, findUserName, insertGrant } from './grant-rows.ts';

/** A grant or denial of a right for one user, for All or for one value of a key column. */
export interface UserGrant {
  UserId: number;
  RightName: RightName;
  /** Omitted for All. */
  key?: { column: string; value: string | number };
  Access: 1 | -1;
  /** The actor; the program if omitted. */
  by?: Actor;
}

export interface RightsService extends GrantsLoader {
  /** Returns whether the right is held for an object ({Schema, Id}), or for All if `keys` is omitted. */
  has(person: Holder, right: RightName, keys?: ObjectKeys): Promise<boolean>;
  /** Does the same for a right by name, which may be a custom right. */
  hasNamed(person: Holder, right: string, keys: ObjectKeys): Promise<boolean>;
  /** Returns whether the right is held, and why. */
  explain(person: Holder, right: RightName, keys?: ObjectKeys): Promise<RightAnswer>;
  /** Returns whether the right is held for All, or for at least one object that may exist. */
  heldAnywhere(person: Holder, right: RightName): Promise<boolean>;
  /** Does the same for a right by name, which may be a custom right. */
  namedHeldAnywhere(person: Holder, right: string): Promise<boolean>;
  /** Returns the names of the person's active roles. */
  rolesOf(person: Holder): Promise<string[]>;
  /** Returns the objects for which the right is held: for whereInScope in a query, isInScope in memory. */
  scope(person: Holder, right: RightName): Promise<RightScope>;
  /**
   * Throws an AppError 403 if the right is not held. For an object that the person may not even see, throw 404 instead.
   */
  require(person: Holder, right: RightName, keys?: ObjectKeys): Promise<void>;
  /** Returns whether the person may make such a call at all; see Guard. */
  mayCall(person: Holder, access: Access): Promise<boolean>;
  /** Grants or denies a right to a user, replacing an earlier grant for the same key. `db` may be a transaction. */
  grantToUser(db: Db, grant: UserGrant): Promise<void>;
}

export function createRightsService({ knex }: Pick<Database, 'knex'>): RightsService {
  const { loadGrants, readAhead } = createGrantsLoader(knex);
  const internetGrants = createInternetGrants(knex);

  async function explain(person: Holder, right: string, keys?: ObjectKeys): Promise<RightAnswer> {
    if (!isInKeyScope(person.keyScope, right)) return { access: false, source: 'key', keyColumn: ALL };
    const own = person.IsUserAdmin ? ADMIN_ANSWER : answerRight(await loadGrants(person), right, keys);
    const ofKey = keyGrants(person, right);
    if (ofKey && !answerRight(ofKey, right, keys).access) return { access: false, source: 'key', keyColumn: ALL };
    const narrowing = await internetGrants(person, right);
    if (narrowing === null || !own.access) return own;
    const { access, keyColumn } = answerRight(narrowing, right, keys);
    return access ? own : { access: false, source: 'internet', keyColumn };
  }

  async function has(person: Holder, right: RightName, keys?: ObjectKeys): Promise<boolean> {
    return (await explain(person, right, keys)).access;
  }

  async function scope(person: Holder, right: string): Promise<RightScope> {
    if (!isInKeyScope(person.keyScope, right)) return NOTHING;
    const ofUser = person.IsUserAdmin ? EVERY : scopeOf(await loadGrants(person), right);
    const ofKey = keyGrants(person, right);
    const own = ofKey === null ? ofUser : all(ofUser, scopeOf(ofKey, right));
    const narrowing = await internetGrants(person, right);
    return narrowing === null ? own : all(own, scopeOf(narrowing, right));
  }

  async function heldAnywhere(person: Holder, right: string): Promise<boolean> {
    return (await scope(person, right)) !== NOTHING;
  }

  return {
    loadGrants,
    readAhead,
    explain,
    has,
    hasNamed: async (person, right, keys) => (await explain(person, right, keys)).access,
    scope,
    heldAnywhere,
    namedHeldAnywhere: heldAnywhere,
    rolesOf: (person) => (person.isVisitor ? Promise.resolve([]) : findRoleNames(knex, person.UserId)),
    require: async (person, right, keys) => {
      const { access, ...why } = await explain(person, right, keys);
      if (access) return;
      const logged = { right, on: keys ?? 'all', why, userId: person.UserId };
      throw new AppError('forbidden', 403, 'You do not have permissions for this operation', { logged });
    },
    mayCall: async (person, access) => {
      if (access.kind === 'userAdmin') return person.IsUserAdmin && person.keyScope === undefined;
      if (access.kind !== 'right') return true;
      return access.on === 'all' ? has(person, access.right) : heldAnywhere(person, access.right);
    },
    grantToUser: writeUserGrant,
  };
}

type InternetGrants = (person: Holder, right: string) => Promise<readonly Grant[] | null>;

/** Returns the internet's grants if they restrict the person's right; null if they do not. */
function createInternetGrants(knex: Database['knex']): InternetGrants {
  const internet = new WeakMap<Holder, Promise<readonly Grant[]>>();
  return async (person, right) => {
    if (!person.fromInternet || right === NOT_FOR_INTERNET) return null;
    const known = internet.get(person) ?? findInternetGrants(knex);
    internet.set(person, known);
    return known;
  };
}

async function writeUserGrant(db: Db, { UserId, RightName, key, Access, by = THE_PROGRAM }: UserGrant): Promise<void> {
  const grant = {
    RightName,
    KeyColumnName: key?.column ?? ALL,
    KeyColumnValue: key === undefined ? '' : String(key.value),
    GranteeKind: 'user' as const,
    Grantee: String(UserId),
  };
  checkKey(RightName, grant.KeyColumnName);
  const write = async (trx: Db): Promise<void> => {
    const TargetUserName = await findUserName(trx, UserId);
    await deleteGrant(trx, grant);
    await insertGrant(trx, { ...grant, Access });
    const { GranteeKind: _kind, Grantee: _grantee, ...said } = grant;
    const Action = Access === 1 ? 'GrantRight' : 'DenyRight';
    await recordActions(trx, by, [{ Action, TargetUserName, ...said }]);
  };
  await (db.isTransaction ? write(db) : inTransaction(db, write));
}

function checkKey(right: RightName, column: string): void {
  if (!RIGHT_NAMES.includes(right)) throw new Error(`there is no right ${right}`);
  if (column === ALL || (RIGHTS[right].KeyColumns as readonly string[]).includes(column)) return;
  throw new Error(`${right} cannot be limited by ${column}`);
}
