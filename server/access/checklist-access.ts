/**
 * Decides who may see, run and edit a checklist. A checklist grants no rights: each of its activities requires its own.
 */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Holder } from '#server/base/person.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { ActivityAccess } from './activity-access.ts';
import { ON_ACTIVITY, type ActivityScopes } from './activity-scopes.ts';
import { isInScope, whereInScope, type RightScope } from './rights/right-scope.ts';
import type { RightsService } from './rights/rights-service.ts';
import { withEdit, type VisibleAccess } from './visible-access.ts';
import { findChecklist, listMembers, type ChecklistRow, type MemberRow } from './find-checklist.ts';

export interface ChecklistScopes extends ActivityScopes {
  editChecklist: RightScope;
}

/** A checklist that a person may see, with what else they may do with it. */
export interface VisibleChecklist {
  checklist: ChecklistRow;
  /** In execution order. CanRun is true if the person may run the activity. */
  activities: (MemberRow & { CanRun: boolean })[];
  CanEdit: boolean;
  /** True if the person may run all of its activities. */
  CanRun: boolean;
  /** True if the person may see runs that others started. */
  CanViewRuns: boolean;
}

export type ChecklistAccess = VisibleAccess<ChecklistScopes, VisibleChecklist>;

export const checklistNotFound = (): AppError => new AppError('checklistNotFound', 404, 'There is no such checklist');

export function createChecklistAccess(rights: RightsService, activities: ActivityAccess): ChecklistAccess {
  async function scopes(person: Holder): Promise<ChecklistScopes> {
    const [ofActivities, editChecklist] = await Promise.all([
      activities.scopes(person),
      rights.scope(person, 'sk.EditChecklist'),
    ]);
    return { ...ofActivities, editChecklist };
  }

  async function require(db: Db, person: Holder, checklistId: number): Promise<VisibleChecklist> {
    const [checklist, members, held] = await Promise.all([
      findChecklist(db, checklistId),
      listMembers(db, checklistId),
      scopes(person),
    ]);
    if (!checklist) throw checklistNotFound();
    const may = permissions(checklist, members, held);
    if (!may.isVisible) throw checklistNotFound();
    const { CanEdit, CanRun, CanViewRuns } = may;
    const visible = members.map((member) => ({ ...member, CanRun: mayRun(member, held) }));
    return { checklist, activities: visible, CanEdit, CanRun, CanViewRuns };
  }

  return withEdit({ scopes, require });
}

/** Restricts a query of checklists (as C) to those that `permissions` considers visible. */
export function whereChecklistVisible(
  db: Db,
  query: Knex.QueryBuilder,
  { run, editChecklist }: Pick<ChecklistScopes, 'run' | 'editChecklist'>,
): void {
  const runnable = db('ChecklistActivities as M')
    .join('Activities as A', 'A.Id', 'M.ActivityId')
    .select(db.raw('1'))
    .whereRaw('?? = ??', ['M.ChecklistId', 'C.Id'])
    .where('A.IsActive', true);
  whereInScope(runnable, run, ON_ACTIVITY);
  void query.where((editable) => whereInScope(editable, editChecklist, { Schema: 'C.Schema' })).orWhereExists(runnable);
}

type Member = Pick<MemberRow, 'Id' | 'Schema' | 'IsActive'>;

export const mayRun = ({ Id, Schema, IsActive }: Member, { run }: Pick<ChecklistScopes, 'run'>): boolean =>
  IsActive && isInScope(run, { Id, Schema });

/**
 * Returns a person's permissions on a checklist. It is visible if they may edit it or run at least one of its
 * activities. They then also see which activities they may not run.
 */
export function permissions(
  { Schema }: Pick<ChecklistRow, 'Schema'>,
  members: readonly Member[],
  scopes: ChecklistScopes,
): Pick<VisibleChecklist, 'CanEdit' | 'CanRun' | 'CanViewRuns'> & { isVisible: boolean } {
  const CanEdit = isInScope(scopes.editChecklist, { Schema });
  const runnable = members.filter((member) => mayRun(member, scopes)).length;
  return {
    isVisible: CanEdit || runnable > 0,
    CanEdit,
    CanRun: runnable > 0 && runnable === members.length,
    CanViewRuns: isInScope(scopes.viewRuns, { Schema }),
  };
}
