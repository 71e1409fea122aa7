/** Decides which rights a person may see by name. Names of custom rights can reveal how a company works. */
import type { RequiredRight } from '#shared/contract/designs.ts';
import type { Holder } from '#server/base/person.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { knownRights } from '#server/access/rights/known-rights.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';

export interface VisibleRights {
  rights: RequiredRight[];
  /** True if the person may see all rights, so that no other right exists. */
  isComplete: boolean;
}

/** The pages Rights and Security Matrix show the names of all rights. */
const SEES_ALL = ['sk.ManageRights', 'sk.ViewSecurityMatrix'] as const;

/**
 * Returns all rights to people who see them on their own pages. Others get the built-in rights, which GET
 * /api/ownRights shows to everybody, and the custom rights that they hold, if only for one activity.
 */
export async function visibleRights(
  db: Db,
  rights: Pick<RightsService, 'has' | 'namedHeldAnywhere'>,
  person: Holder,
): Promise<VisibleRights> {
  const known = await knownRights(db);
  const seesAll = await Promise.all(SEES_ALL.map((name) => rights.has(person, name)));
  const isComplete = seesAll.includes(true);
  const isVisible = await Promise.all(
    known.map(async ({ Name, IsCustom }) => isComplete || !IsCustom || rights.namedHeldAnywhere(person, Name)),
  );
  const visible = known.filter((_, index) => isVisible[index]);
  return { rights: visible.map(({ Name, Description }) => ({ Name, Description })), isComplete };
}
