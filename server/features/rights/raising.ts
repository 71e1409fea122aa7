/** Keeps people from coming to rights they were not given, by themselves or with the help of others. */
import { AppError } from '#server/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Actor } from '#server/features/security-actions/actor.ts';
import type { ObjectKeys } from './grants.ts';
import { findGrantsOfGrantee, type GrantKey } from './grants-repository.ts';
import type { RightDefinitions } from './right-definitions.ts';
import type { RightsService } from './rights-service.ts';
import { ADMINISTRATION_RIGHTS, type RightName } from '#shared/contract/rights.ts';

export interface Raising {
  /**
   * Throws an AppError 403 where the actor may not give that: of a right that is not held, one of administration may be given to
   * nobody, any other one not to oneself. Taking back a denial is to give.
   */
  requireGivable(actor: Actor, given: readonly GrantKey[], toSelf: boolean): Promise<void>;
  /** The same of all that a role grants (1), or keeps from people by denying it (-1). */
  requireRoleGivable(actor: Actor, role: string, given: { Access: 1 | -1; toSelf: boolean }): Promise<void>;
  /** Throws an AppError 403 where the user holds a right of administration that the actor does not: no way leads through others. */
  requireOverUser(actor: Actor, user: { UserId: number; IsUserAdmin: boolean }): Promise<void>;
}

interface RaisingDeps {
  database: Pick<Database, 'knex'>;
  rights: Pick<RightsService, 'has' | 'hasNamed'>;
  definitions: Pick<RightDefinitions, 'require' | 'keyValue'>;
}

const OF_ADMINISTRATION = new Set<string>(ADMINISTRATION_RIGHTS);
const NOT_HELD = 'You cannot give rights that you do not hold';

export function createRaising({ database: { knex }, rights, definitions }: RaisingDeps): Raising {
  /** All keys of the object, for what is said of its schema counts too; its own alone where it is gone. */
  async function keysOf({ RightName, KeyColumnName, KeyColumnValue }: GrantKey): Promise<ObjectKeys> {
    if (KeyColumnName === '') return {};
    try {
      const right = await definitions.require(RightName, KeyColumnName);
      return (await definitions.keyValue(right, KeyColumnName, KeyColumnValue)).keys;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { [KeyColumnName]: KeyColumnValue };
    }
  }

  async function requireGivable(actor: Actor, given: readonly GrantKey[], toSelf: boolean): Promise<void> {
    if (actor.IsUserAdmin) return;
    for (const key of given) {
      if (!toSelf && !OF_ADMINISTRATION.has(key.RightName)) continue;
      if (await rights.hasNamed(actor, key.RightName, await keysOf(key))) continue;
      throw new AppError('rightNotHeld', 403, NOT_HELD, { modelState: { '': [NOT_HELD] } });
    }
  }

  return {
    requireGivable,
    requireRoleGivable: async (actor, role, { Access, toSelf }) => {
      if (actor.IsUserAdmin) return;
      const said = await findGrantsOfGrantee(knex, 'role', role);
      const given = said.filter((grant) => grant.Access === Access);
      await requireGivable(actor, given, toSelf);
    },
    requireOverUser: async (actor, { UserId, IsUserAdmin }) => {
      if (actor.IsUserAdmin || actor.UserId === UserId) return;
      for (const right of ADMINISTRATION_RIGHTS satisfies readonly RightName[]) {
        if (!(await rights.has({ UserId, IsUserAdmin }, right)) || (await rights.has(actor, right))) continue;
        throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
      }
    },
  };
}
