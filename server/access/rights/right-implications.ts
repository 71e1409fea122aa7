import { CUSTOM_RIGHT, isRightName, RIGHT_NAMES, RIGHTS, type RightName } from '#shared/contract/rights.ts';

/**
 * Rights that imply other rights on the same object. People who may edit an activity may run it and see its runs.
 * People who purge runs see what they delete. A denial of the implying right does not deny the implied one. It only
 * stops implying it.
 */
const IMPLIES: Partial<Record<RightName, readonly RightName[]>> = {
  'sk.ManageUsers': ['sk.ManageUserPasswords'],
  'sk.ManageRights': ['sk.ViewSecurityMatrix'],
  'sk.EditActivity': ['sk.RunActivity', 'sk.ViewRuns'],
  'sk.PurgeRuns': ['sk.ViewRuns'],
};

/**
 * Whether a person may sign in from the internet does not depend on the internet's own grants. Source: specification of
 * security, section 6.
 */
export const NOT_FOR_INTERNET: RightName = 'sk.InternetAccess';

/** Precomputed, because the security matrix looks it up for each right of each user. */
const IMPLIERS = new Map<string, readonly RightName[]>(
  RIGHT_NAMES.map((right) => [right, RIGHT_NAMES.filter((name) => IMPLIES[name]?.includes(right))]),
);

/** Returns the rights that imply `right`. */
export function impliersOf(right: string): readonly RightName[] {
  return IMPLIERS.get(right) ?? [];
}

/** Returns the key columns that a right can be restricted by, most specific first. */
export function keyColumnsOf(right: string): string[] {
  return [...(isRightName(right) ? RIGHTS[right] : CUSTOM_RIGHT).KeyColumns].reverse();
}
