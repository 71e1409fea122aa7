/** What somebody with whom an activity is shared may do. */
import type { RightName } from '#shared/contract/rights.ts';

export const SHARE_LEVELS = ['Run', 'SeeRuns', 'Edit'] as const;
export type ShareLevel = (typeof SHARE_LEVELS)[number];

export const SHARED_RIGHTS = [
  'sk.RunActivity',
  'sk.ViewRuns',
  'sk.EditActivity',
] as const satisfies readonly RightName[];
export type SharedRight = (typeof SHARED_RIGHTS)[number];

/** The rights that each level grants on the activity. */
export const LEVEL_RIGHTS: Readonly<Record<ShareLevel, readonly RightName[]>> = {
  Run: ['sk.RunActivity'],
  SeeRuns: ['sk.RunActivity', 'sk.ViewRuns'],
  Edit: ['sk.EditActivity'],
};

/**
 * All rights that each level brings, including those that its rights imply. Nobody gives a level that brings a right
 * which they do not hold.
 */
export const LEVEL_BRINGS: Readonly<Record<ShareLevel, readonly SharedRight[]>> = {
  Run: ['sk.RunActivity'],
  SeeRuns: ['sk.RunActivity', 'sk.ViewRuns'],
  Edit: SHARED_RIGHTS,
};

/** Returns the highest level that the rights give; null if they give none. */
export function levelOfRights(rights: readonly string[]): ShareLevel | null {
  if (rights.includes('sk.EditActivity')) return 'Edit';
  if (!rights.includes('sk.RunActivity')) return null;
  return rights.includes('sk.ViewRuns') ? 'SeeRuns' : 'Run';
}
