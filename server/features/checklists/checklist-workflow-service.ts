/** Changes to a checklist that accompany changes to its workflow. */
import type { Knex } from 'knex';
import { checklistNotFound } from '#server/access/checklist-access.ts';
import { insertChecklist, lockChecklist, replaceActivities, updateChecklist } from './checklists-repository.ts';

/** Locks the row until the transaction ends. Throws an AppError 404 if there is none. */
export async function lockedChecklist(
  trx: Knex.Transaction,
  id: number,
): Promise<{ Revision: number; WorkflowVersion: number | null }> {
  const row = await lockChecklist(trx, id);
  if (!row) throw checklistNotFound();
  return row;
}

/** Replaces the activities of a checklist. The activities of the newest version decide who may see and run it. */
export function replaceChecklistActivities(
  trx: Knex.Transaction,
  checklistId: number,
  activityIds: readonly number[],
): Promise<void> {
  return replaceActivities(trx, checklistId, activityIds);
}

/** Inserts a checklist that is a workflow from the start. The caller must store its version. */
export function insertChecklistOfWorkflow(
  trx: Knex.Transaction,
  row: Parameters<typeof insertChecklist>[1],
): Promise<number> {
  return insertChecklist(trx, row);
}

/** Changes the name and other fields of a checklist that is a workflow. */
export function changeChecklistFields(
  trx: Knex.Transaction,
  checklistId: number,
  row: Parameters<typeof updateChecklist>[2],
): Promise<void> {
  return updateChecklist(trx, checklistId, row);
}

export { findByUniqueId as findChecklistByUniqueId } from './checklists-repository.ts';
