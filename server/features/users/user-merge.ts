/**
 * Applies a change that was made on a page opened earlier. Fields that the page left as they were keep their present
 * values, so that two people who edit the same user undo nothing of each other.
 */
import type { SeenUser } from '#shared/contract/users.ts';
import { AppError } from '#server/base/app-error.ts';
import type { UserChange } from './user-editing.ts';

const TEXTS = ['UserName', 'FirstName', 'MiddleName', 'LastName', 'Email'] as const;
const FLAGS = ['IsUserAdmin', 'SecondFactorRequired', 'DisableInputDownload'] as const;

/** The fields of a user as they are stored now. */
export type PresentUser = Required<Pick<UserChange, (typeof TEXTS)[number] | (typeof FLAGS)[number]>>;

const CHANGED_MEANWHILE =
  'Another user changed this user after you opened the page, so nothing was saved. Save once more to overwrite their changes.';

/**
 * Returns the change with the present values of all fields that it leaves as `seen`. Throws an AppError 409 with
 * modelState if the change and somebody else gave different values to the same field.
 */
export function mergeChange(present: PresentUser, seen: SeenUser | undefined, change: UserChange): UserChange {
  if (!seen) return change;
  const conflicts: Record<string, string[]> = {};
  const merged: UserChange = { ...change };
  for (const field of TEXTS) {
    const wanted = change[field].trim();
    if (wanted === seen[field]) merged[field] = present[field];
    else if (present[field] !== seen[field] && present[field] !== wanted)
      conflicts[field] = [`Another user changed this to '${present[field]}'`];
  }
  // A flag has two values, so both changed it to the same one.
  for (const field of FLAGS) if ((change[field] ?? seen[field]) === seen[field]) merged[field] = present[field];
  if (Object.keys(conflicts).length > 0)
    throw new AppError('userChanged', 409, CHANGED_MEANWHILE, { modelState: conflicts });
  return merged;
}
