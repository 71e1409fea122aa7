/** Keeps people from coming to rights they were not given, by themselves or with the help of others. */
import { ADMINISTRATION_RIGHTS, RIGHT_NAMES, type RightName } from '#shared/contract/rights.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Actor } from '#server/features/security-actions/actor.ts';
import type { Grant, ObjectKeys } from './grants.ts';
import { findGrantsOfGrantee, type GrantKey } from './grants-repository.ts';
import { answerRight } from './right-answer.ts';
import type { RightDefinitions } from './right-definitions.ts';
import { impliersOf } from './right-implications.ts';
import type { RightsService } from './rights-service.ts';

export interface EscalationGuard {
  /**
   * Throws an AppError 403 where the actor may not give that: of a right that is not held, one of administration may be given to
   * nobody, any other one neither to oneself nor by those who can sign in as others. Taking back a denial is to give.
   */
  requireGivable(actor: Actor, given: readonly GrantKey[], toSelf: boolean): Promise<void>;
  /** Throws an AppError 403 where the actor does not hold all that a role grants (1), or keeps from people by denying it (-1). */
  requireRoleGivable(actor: Actor, role: string, Access: 1 | -1): Promise<void>;
  /** Throws an AppError 403 where the user holds a right of administration that the actor does not: no way leads through others. */
  requireOverUser(actor: Actor, user: { UserId: number; IsUserAdmin: boolean }): Promise<void>;
  /** The same of any right: for what puts the account into the actor's hands, or brings it back to life. */
  requireAllOfUser(actor: Actor, user: { UserId: number; IsUserAdmin: boolean }): Promise<void>;
}

interface EscalationGuardDeps {
  database: Pick<Database, 'knex'>;
  rights: Pick<RightsService, 'has' | 'hasNamed' | 'loadGrants'>;
  definitions: Pick<RightDefinitions, 'known' | 'keyValues'>;
}

const OF_ADMINISTRATION = new Set<string>(ADMINISTRATION_RIGHTS);
const NOT_HELD = 'You cannot give rights that you do not hold';
const HOLDS_MORE = 'This user holds rights that you do not hold';

export function createEscalationGuard({
  database: { knex },
  rights,
  definitions,
}: EscalationGuardDeps): EscalationGuard {
  /** Whether somebody who is given just that would hold something, of those rights, that the actor does not. */
  async function givesMore(actor: Actor, given: readonly Grant[], isLookedAt = (_right: string) => true) {
    const own = await rights.loadGrants(actor);
    const keysOf = keyReader(definitions);
    for (const right of rightsIn(given).filter(isLookedAt)) {
      const bearing = [...given, ...own].filter(
        ({ RightName }) => RightName === right || (impliersOf(right) as string[]).includes(RightName),
      );
      for (const keys of [{}, ...(await Promise.all(bearing.map(keysOf)))]) {
        if (answerRight(given, right, keys).access && !(await rights.hasNamed(actor, right, keys))) return true;
      }
    }
    return false;
  }

  async function requireGivable(actor: Actor, given: readonly GrantKey[], toSelf: boolean): Promise<void> {
    if (actor.IsUserAdmin) return;
    // From wherever they call now: a user they make signs in from where they please.
    const asksForAll = toSelf || (await rights.has({ ...actor, fromInternet: false }, 'sk.ManageUserPasswords'));
    const grants = given.map((key) => ({ ...key, Access: 1 as const, RoleName: null }));
    if (await givesMore(actor, grants, (right) => asksForAll || OF_ADMINISTRATION.has(right))) throw notHeld(NOT_HELD);
  }

  return {
    requireGivable,
    requireRoleGivable: async (actor, role, Access) => {
      if (actor.IsUserAdmin) return;
      const said = (await findGrantsOfGrantee(knex, 'role', role)).map((grant) => ({ ...grant, RoleName: role }));
      const given = Access === 1 ? said : said.filter((grant) => grant.Access === -1).map(asGrant);
      if (await givesMore(actor, given)) throw notHeld(NOT_HELD);
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
      if (IsUserAdmin || (await givesMore(actor, held))) throw notHeld(HOLDS_MORE);
    },
  };
}

const asGrant = (denial: Grant): Grant => ({ ...denial, Access: 1 });

/** The rights that grants give, and those that these bring with them. */
function rightsIn(given: readonly Grant[]): string[] {
  const named = new Set(given.filter(({ Access }) => Access === 1).map(({ RightName }) => RightName));
  const implied = RIGHT_NAMES.filter((right) => impliersOf(right).some((name) => named.has(name)));
  return [...new Set([...named, ...implied])];
}

/**
 * Reads the object that a grant speaks of with all its keys, for what is said of its schema counts too; with its own alone where it is
 * gone. Rights are decided alike for all objects that no grant speaks of: looking at these and at All is looking at every one.
 */
function keyReader(definitions: EscalationGuardDeps['definitions']): (key: GrantKey) => Promise<ObjectKeys> {
  const known = definitions.known();
  const lists = new Map<string, Promise<Map<string, ObjectKeys>>>();
  return async ({ RightName, KeyColumnName, KeyColumnValue }) => {
    if (KeyColumnName === '') return {};
    const right = (await known).find(({ Name }) => Name === RightName);
    if (!right?.KeyColumns.includes(KeyColumnName)) return { [KeyColumnName]: KeyColumnValue };
    const list = `${right.TableName} ${KeyColumnName}`;
    const values = lists.get(list) ?? definitions.keyValues(right, KeyColumnName).then(byValue);
    lists.set(list, values);
    return (await values).get(KeyColumnValue) ?? { [KeyColumnName]: KeyColumnValue };
  };
}

const byValue = (values: readonly { value: string; keys: ObjectKeys }[]): Map<string, ObjectKeys> =>
  new Map(values.map(({ value, keys }) => [value, keys]));

function notHeld(text: string): AppError {
  return new AppError('rightNotHeld', 403, text, { modelState: { '': [text] } });
}
