import { CUSTOM_RIGHT, isRightName, RIGHT_NAMES, RIGHTS, type RightName } from '#shared/contract/rights.ts';

/**
 * Rights that bring another with them, on the same object: whoever may change an activity may run it and see its runs, whoever
 * deletes runs sees what is deleted. A denial of the left one does not deny the right one; it only stops bringing it.
 */
const IMPLIES: Partial<Record<RightName, readonly RightName[]>> = {
  'sk.ManageUsers': ['sk.ManageUserPasswords'],
  'sk.ManageRights': ['sk.ViewSecurityMatrix'],
  'sk.EditActivity': ['sk.RunActivity', 'sk.ViewRuns'],
  'sk.PurgeRuns': ['sk.ViewRuns'],
};

/** Whether one may come in from the internet at all is a matter of persons. Source: specification of security, section 6. */
export const NOT_FOR_INTERNET: RightName = 'sk.InternetAccess';

/** Worked out once: the security matrix asks for each right of each user. */
const IMPLIERS = new Map<string, readonly RightName[]>(
  RIGHT_NAMES.map((right) => [right, RIGHT_NAMES.filter((name) => IMPLIES[name]?.includes(right))]),
);

/** The rights that bring `right` with them. */
export function impliersOf(right: string): readonly RightName[] {
  return IMPLIERS.get(right) ?? [];
}

/** Key columns a right may be limited by, the most specific first. */
export function keyColumnsOf(right: string): string[] {
  return [...(isRightName(right) ? RIGHTS[right] : CUSTOM_RIGHT).KeyColumns].reverse();
}
