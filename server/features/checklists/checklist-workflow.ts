/** What of a checklist changes with the workflow that it was edited as. */
import type { Knex } from 'knex';
import { checklistNotFound } from './checklist-access.ts';
import { insertChecklist, lockChecklist, replaceActivities } from './checklists-repository.ts';

/** Holds the row until the end of the transaction. Throws an AppError 404 where there is none. */
export async function lockedChecklist(
  trx: Knex.Transaction,
  id: number,
): Promise<{ Revision: number; WorkflowVersion: number | null }> {
  const row = await lockChecklist(trx, id);
  if (!row) throw checklistNotFound();
  return row;
}

/** Who may see and run it is decided by the activities of the newest version. */
export function replaceChecklistActivities(
  trx: Knex.Transaction,
  checklistId: number,
  activityIds: readonly number[],
): Promise<void> {
  return replaceActivities(trx, checklistId, activityIds);
}

/** A checklist that is a workflow from the beginning; its version is stored by whoever calls. */
export function insertChecklistOfWorkflow(
  trx: Knex.Transaction,
  row: Parameters<typeof insertChecklist>[1],
): Promise<number> {
  return insertChecklist(trx, row);
}

export { findByUniqueId as findChecklistByUniqueId } from './checklists-repository.ts';
