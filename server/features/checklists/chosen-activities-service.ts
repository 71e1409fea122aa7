import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import type { ChecklistAccess, VisibleChecklist } from '#server/access/checklist-access.ts';
import type { MemberRow } from '#server/access/find-checklist.ts';
import { listActivities } from './checklists-repository.ts';

const DUPLICATE_ACTIVITY = 'An activity can be in a checklist only once';

export const refused = (field: string, message: string): AppError =>
  new AppError('checklistInvalid', 400, message, { modelState: { [field]: [message] } });

/**
 * Returns the activities of a checklist to save, in order. Throws an AppError 400 if the person cannot see an activity
 * that was not in the checklist before.
 */
export async function chosenActivities(
  knex: Knex,
  access: ChecklistAccess,
  person: Person,
  ids: readonly number[],
  before: readonly Pick<MemberRow, 'Id'>[],
): Promise<MemberRow[]> {
  if (new Set(ids).size < ids.length) throw refused('Activities', DUPLICATE_ACTIVITY);
  const chosen = await visibleActivities(knex, access, person, ids, before);
  return ids.map((id) => {
    const activity = chosen.get(id);
    if (!activity) throw refused('Activities', 'There is no such activity');
    return activity;
  });
}

/** Returns, by id, those of the activities that the person sees or that were in the checklist before. */
export async function visibleActivities(
  knex: Knex,
  access: ChecklistAccess,
  person: Person,
  ids: readonly number[],
  before: readonly Pick<MemberRow, 'Id'>[],
): Promise<Map<number, MemberRow>> {
  const found = await listActivities(knex, ids);
  const { run, edit } = await access.scopes(person);
  const seen = found.filter(({ Id, Schema, IsActive }) => {
    const isIn = before.some((one) => one.Id === Id);
    return isIn || isInScope(edit, { Id, Schema }) || (IsActive && isInScope(run, { Id, Schema }));
  });
  return new Map(seen.map((activity) => [activity.Id, activity]));
}

/**
 * Returns the activities of a checklist whose inputs the person may see: those that they may run or edit. An editor of
 * the checklist sees all of its activities, because they decide which inputs it asks for.
 * @param ids defaults to the activities of the checklist
 */
export async function seenActivities(
  knex: Knex,
  access: ChecklistAccess,
  person: Person,
  { activities, CanEdit }: Pick<VisibleChecklist, 'activities' | 'CanEdit'>,
  ids: readonly number[] = activities.map(({ Id }) => Id),
): Promise<ReadonlySet<number>> {
  const seen = await visibleActivities(knex, access, person, ids, CanEdit ? activities : []);
  return new Set(seen.keys());
}
