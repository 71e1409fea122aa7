import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { isInScope } from '#server/features/rights/right-scope.ts';
import type { ChecklistAccess, VisibleChecklist } from './checklist-access.ts';
import { listActivities, type MemberRow } from './checklists-repository.ts';

const ONCE = 'An activity can be in a checklist once only';

export const refused = (field: string, message: string): AppError =>
  new AppError('checklistInvalid', 400, message, { modelState: { [field]: [message] } });

/**
 * The activities of a checklist that is saved, in their order. Whoever saves must see those that were not in it before; throws an
 * AppError 400 where they do not.
 */
export async function chosenActivities(
  knex: Knex,
  access: ChecklistAccess,
  person: Person,
  ids: readonly number[],
  before: readonly Pick<MemberRow, 'Id'>[],
): Promise<MemberRow[]> {
  if (new Set(ids).size < ids.length) throw refused('Activities', ONCE);
  const chosen = await visibleActivities(knex, access, person, ids, before);
  return ids.map((id) => {
    const activity = chosen.get(id);
    if (!activity) throw refused('Activities', 'There is no such activity');
    return activity;
  });
}

/** Of the activities, by their ids, those that the person sees, and those that were in the checklist before. */
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
 * Of activities of a checklist, those whose inputs the person may see: those that they may run or edit, and for an
 * editor of the checklist all that are in it, as they decide what it asks for.
 * @param ids those of the checklist where absent
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
