/** Prevents people from obtaining rights that they were not given, directly or with the help of others. */
import { ADMINISTRATION_RIGHTS, RIGHT_NAMES, type RightName } from '#shared/contract/rights.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { Actor } from '#server/access/actor.ts';
import type { Grant, GrantKey, ObjectKeys } from './grants.ts';
import { findGrantsOfGrantee } from './grant-rows.ts';
import { answerRight } from './right-answer.ts';
import type { KnownRights } from './known-rights.ts';
import { impliersOf } from './right-implications.ts';
import { createRightsService, type RightsService } from './rights-service.ts';

export interface EscalationGuard {
  /**
   * Throws an AppError 403 if the actor may not grant the rights. An administration right that the actor does not hold
   * may be granted to nobody. Any other right that they do not hold may not be granted to themselves, nor by people who
   * can sign in as others. Removing a denial counts as granting.
   * @param trx the caller's transaction, if there is one. On another connection of the pool, callers that wait for each
   * other's locks could use up the pool.
   */
  requireGivable(actor: Actor, granted: readonly GrantKey[], toSelf: boolean, trx?: Db): Promise<void>;
  /**
   * Throws an AppError 403 if the actor does not hold everything that a role grants (1), or everything that it denies
   * its members (-1).
   * @param trx as above
   */
  requireRoleGivable(actor: Actor, role: string, Access: 1 | -1, trx?: Db): Promise<void>;
  /**
   * Throws an AppError 403 if the user holds an administration right that the actor does not hold. Otherwise the actor
   * could use the user's account to obtain it.
   */
  requireOverUser(actor: Actor, user: { UserId: number; IsUserAdmin: boolean }): Promise<void>;
  /**
   * Applies the same check to all rights, for changes that give the actor control over the account or reactivate it.
   */
  requireAllOfUser(actor: Actor, user: { UserId: number; IsUserAdmin: boolean }): Promise<void>;
}

type Rights = Pick<RightsService, 'has' | 'hasNamed' | 'loadGrants'>;

interface EscalationGuardDeps {
  database: Pick<Database, 'knex'>;
  rights: Rights;
  definitions: KnownRights;
}

/** Where the guard reads: in a transaction, or with the pool. */
interface Reading {
  rights: Rights;
  definitions: KnownRights;
  /** Undefined for the pool. */
  trx: Db | undefined;
}

const OF_ADMINISTRATION = new Set<string>(ADMINISTRATION_RIGHTS);
const NOT_HELD = 'You cannot grant rights that you do not have';
const HOLDS_MORE = 'This user has rights that you do not have';

export function createEscalationGuard({
  database: { knex },
  rights,
  definitions,
}: EscalationGuardDeps): EscalationGuard {
  const readingIn = (trx: Db | undefined): Reading => ({
    trx,
    definitions,
    rights: trx ? createRightsService({ knex: trx }) : rights,
  });

  const requireGivable: EscalationGuard['requireGivable'] = async (actor, given, toSelf, trx) => {
    if (actor.IsUserAdmin) return;
    const reading = readingIn(trx);
    // Assumes that the actor calls from inside, because a user that they create can sign in from anywhere.
    const asksForAll =
      toSelf || (await reading.rights.has({ ...actor, fromInternet: false }, 'sk.ManageUserPasswords'));
    const grants = given.map((key) => ({ ...key, Access: 1 as const, RoleName: null }));
    const isConsidered = (right: string): boolean => asksForAll || OF_ADMINISTRATION.has(right);
    if (await givesMore(reading, actor, grants, isConsidered)) throw notHeld(NOT_HELD);
  };

  return {
    requireGivable,
    requireRoleGivable: async (actor, role, Access, trx) => {
      if (actor.IsUserAdmin) return;
      const said = (await findGrantsOfGrantee(trx ?? knex, 'role', role)).map((grant) => ({
        ...grant,
        RoleName: role,
      }));
      const granted = Access === 1 ? said : said.filter((grant) => grant.Access === -1).map(asGrant);
      if (await givesMore(readingIn(trx), actor, granted)) throw notHeld(NOT_HELD);
    },
    requireOverUser: async (actor, { UserId, IsUserAdmin }) => {
      if (actor.IsUserAdmin || actor.UserId === UserId) return;
      for (const right of ADMINISTRATION_RIGHTS satisfies readonly RightName[]) {
        if (!(await rights.has({ UserId, IsUserAdmin }, right)) || (await rights.has(actor, right))) continue;
        throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
      }
    },
    requireAllOfUser: async (actor, { UserId, IsUserAdmin }) => {
      if (actor.IsUserAdmin || actor.UserId === UserId) return;
      const held = await rights.loadGrants({ UserId, IsUserAdmin });
      if (IsUserAdmin || (await givesMore(readingIn(undefined), actor, held))) throw notHeld(HOLDS_MORE);
    },
  };
}

/**
 * Returns whether the given grants alone would give somebody one of the considered rights that the actor does not
 * hold.
 */
async function givesMore(
  { rights, definitions, trx }: Reading,
  actor: Actor,
  granted: readonly Grant[],
  isConsidered = (_right: string) => true,
): Promise<boolean> {
  const own = await rights.loadGrants(actor);
  const keysOf = keyReader(definitions, trx);
  for (const right of rightsIn(granted).filter(isConsidered)) {
    const bearing = [...granted, ...own].filter(
      ({ RightName }) => RightName === right || (impliersOf(right) as string[]).includes(RightName),
    );
    const objects: ObjectKeys[] = [{}];
    for (const grant of bearing) objects.push(await keysOf(grant));
    for (const keys of objects) {
      if (answerRight(granted, right, keys).access && !(await rights.hasNamed(actor, right, keys))) return true;
    }
  }
  return false;
}

const asGrant = (denial: Grant): Grant => ({ ...denial, Access: 1 });

/** Returns the rights that the grants give, and the rights implied by them. */
function rightsIn(given: readonly Grant[]): string[] {
  const named = new Set(given.filter(({ Access }) => Access === 1).map(({ RightName }) => RightName));
  const implied = RIGHT_NAMES.filter((right) => impliersOf(right).some((name) => named.has(name)));
  return [...new Set([...named, ...implied])];
}

/**
 * Returns a function that reads all keys of the object that a grant names, because grants for its schema count too. If
 * the object no longer exists, only the grant's own key is used. Objects that no grant names all get the same answer as
 * All. Checking the named objects and All therefore covers every object.
 */
function keyReader(
  definitions: EscalationGuardDeps['definitions'],
  trx: Db | undefined,
): (key: GrantKey) => Promise<ObjectKeys> {
  let known: ReturnType<KnownRights['known']> | undefined;
  const lists = new Map<string, Promise<Map<string, ObjectKeys>>>();
  return async ({ RightName, KeyColumnName, KeyColumnValue }) => {
    if (KeyColumnName === '') return {};
    known ??= definitions.known(trx);
    const right = (await known).find(({ Name }) => Name === RightName);
    if (!right?.KeyColumns.includes(KeyColumnName)) return { [KeyColumnName]: KeyColumnValue };
    const list = `${right.TableName} ${KeyColumnName}`;
    const values = lists.get(list) ?? definitions.keyValues(right, KeyColumnName, trx).then(byValue);
    lists.set(list, values);
    return (await values).get(KeyColumnValue) ?? { [KeyColumnName]: KeyColumnValue };
  };
}

const byValue = (values: readonly { value: string; keys: ObjectKeys }[]): Map<string, ObjectKeys> =>
  new Map(values.map(({ value, keys }) => [value, keys]));

function notHeld(text: string): AppError {
  return new AppError('rightNotHeld', 403, text, { modelState: { '': [text] } });
}
