/**
 * Decides who may give others access to an activity: people who manage rights, and its editors unless the settings
 * reserve sharing for the former. Editors give only rights that they hold on the activity themselves.
 */
import { AppError } from '#server/base/app-error.ts';
import type { Holder, Person } from '#server/base/person.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { ActivityAccess, VisibleActivity } from '#server/access/activity-access.ts';
import { EVERY, NOTHING, type RightScope } from '#server/access/rights/right-scope.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { RightName } from '#shared/contract/rights.ts';

type Activity = VisibleActivity['activity'];
type SharedActivity = Pick<Activity, 'Id' | 'Schema'>;

export interface Sharer {
  /** True if the person manages rights, and may therefore also override denials and create public links. */
  isManager: boolean;
}

export interface SharingAccess {
  /** Returns whether the person may share an activity that they see. */
  mayShare(person: Holder, visible: { CanEdit: boolean }): Promise<boolean>;
  /** Throws an AppError 404 if the person may not see the activity, and 403 if they may not share it. */
  require(db: Db, person: Person, activityId: number): Promise<Sharer & { activity: Activity }>;
  /** Returns the activities for which the person may decide about access. */
  scope(person: Holder): Promise<RightScope>;
  isManager(person: Holder): Promise<boolean>;
  /** Returns which of the rights the person may give to others. */
  givable<Right extends RightName>(
    person: Holder,
    rights: readonly Right[],
    activity: SharedActivity,
  ): Promise<Right[]>;
  /** Throws an AppError 403 if the person may not give one of the rights. */
  requireGivable(person: Holder, rights: readonly RightName[], activity: SharedActivity): Promise<void>;
}

export interface SharingAccessDeps {
  rights: Pick<RightsService, 'has' | 'scope'>;
  access: Pick<ActivityAccess, 'require'>;
  /** False if only people who manage rights may share. */
  editorsMayShare: boolean;
}

export function createSharingAccess({ rights, access, editorsMayShare }: SharingAccessDeps): SharingAccess {
  const isManager = (person: Holder): Promise<boolean> => rights.has(person, 'sk.ManageRights');

  const mayShare: SharingAccess['mayShare'] = async (person, { CanEdit }) =>
    person.keyScope === undefined && ((editorsMayShare && CanEdit) || (await isManager(person)));

  const givable: SharingAccess['givable'] = async (person, asked, { Id, Schema }) => {
    if (await isManager(person)) return [...asked];
    const held = await Promise.all(asked.map((right) => rights.has(person, right, { Id, Schema })));
    return asked.filter((_, index) => held[index]);
  };

  return {
    mayShare,
    isManager,
    givable,
    require: async (db, person, activityId) => {
      const visible = await access.require(db, person, activityId);
      if (!(await mayShare(person, visible)))
        throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
      return { activity: visible.activity, isManager: await isManager(person) };
    },
    scope: async (person) => {
      if (person.keyScope !== undefined) return NOTHING;
      if (await isManager(person)) return EVERY;
      return editorsMayShare ? rights.scope(person, 'sk.EditActivity') : NOTHING;
    },
    requireGivable: async (person, asked, activity) => {
      if ((await givable(person, asked, activity)).length === asked.length) return;
      const text = 'You cannot grant rights that you do not have';
      throw new AppError('rightNotHeld', 403, text, { modelState: { '': [text] } });
    },
  };
}
