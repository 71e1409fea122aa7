import type { Holder } from '#server/base/person.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { isInScope } from './rights/right-scope.ts';
import type { RightsService } from './rights/rights-service.ts';
import { withEdit, type VisibleAccess } from './visible-access.ts';
import { type ActivityScopes } from './activity-scopes.ts';
import { findActivity, type ActivityRow } from './find-activity.ts';

/** An activity that a person may see, with what else they may do with it. */
export interface VisibleActivity {
  activity: ActivityRow;
  CanEdit: boolean;
  CanRun: boolean;
  CanViewRuns: boolean;
  /** True if any input has a preset value. */
  HasPresets: boolean;
}

export interface ActivityAccess extends VisibleAccess<ActivityScopes, VisibleActivity> {
  /**
   * Returns whether the person holds the right that a definition names. Everybody holds the empty name; only
   * administrators hold a right that does not exist.
   */
  holdsNamed(person: Holder, right: string, activity: Pick<ActivityRow, 'Id' | 'Schema'>): Promise<boolean>;
}

export const activityNotFound = (): AppError => new AppError('activityNotFound', 404, 'There is no such activity');

export function createActivityAccess(rights: RightsService): ActivityAccess {
  async function scopes(person: Holder): Promise<ActivityScopes> {
    const [run, edit, viewRuns] = await Promise.all([
      rights.scope(person, 'sk.RunActivity'),
      rights.scope(person, 'sk.EditActivity'),
      rights.scope(person, 'sk.ViewRuns'),
    ]);
    return { run, edit, viewRuns };
  }

  async function require(db: Db, person: Holder, activityId: number): Promise<VisibleActivity> {
    const [found, { run, edit, viewRuns }] = await Promise.all([findActivity(db, activityId), scopes(person)]);
    if (!found) throw activityNotFound();
    const { HasPresets, ...activity } = found;
    const keys = { Id: activity.Id, Schema: activity.Schema };
    const CanEdit = isInScope(edit, keys);
    const mayRun = isInScope(run, keys);
    if (!CanEdit && !(mayRun && activity.IsActive)) throw activityNotFound();
    const CanRun = mayRun && activity.IsActive;
    return { activity, CanEdit, CanRun, CanViewRuns: isInScope(viewRuns, keys), HasPresets: HasPresets === 1 };
  }

  return {
    ...withEdit({ scopes, require }),
    holdsNamed: async (person, right, { Id, Schema }) => {
      return right === '' || rights.hasNamed(person, right, { Id, Schema });
    },
  };
}
