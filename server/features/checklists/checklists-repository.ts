import type { Knex } from 'knex';
import { inRows } from '#server/db/in-rows.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { ChecklistInputsRow } from '#server/db/tables.ts';
import { insertedId } from '#server/db/inserted-id.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';
import { MEMBER_COLUMNS, type ChecklistRow, type MemberRow } from '#server/access/find-checklist.ts';

export async function findByUniqueId(db: Db, UserId: number, UniqueId: string): Promise<ChecklistRow | undefined> {
  return db('Checklists').where({ UserId, UniqueId }).first();
}

/** Returns the checklists that contain an activity, by name. */
export async function listChecklistsOf(
  db: Db,
  activityId: number,
  limit: number,
): Promise<Pick<ChecklistRow, 'Id' | 'Name' | 'Schema' | 'WorkflowVersion'>[]> {
  const ids = db('ChecklistActivities').where('ActivityId', activityId).select('ChecklistId');
  return db('Checklists')
    .whereIn('Id', ids)
    .orderBy(['Name', 'Id'])
    .limit(limit)
    .select('Id', 'Name', 'Schema', 'WorkflowVersion');
}

/** Returns the activities of the given checklists. They decide who may see and run each checklist. */
export async function listMembersOf(
  db: Db,
  checklistIds: readonly number[],
): Promise<(Pick<MemberRow, 'Id' | 'Schema' | 'IsActive'> & { ChecklistId: number })[]> {
  return db('ChecklistActivities as M')
    .join('Activities as A', 'A.Id', 'M.ActivityId')
    .whereIn('M.ChecklistId', checklistIds)
    .select('M.ChecklistId', 'A.Id', 'A.Schema', 'A.IsActive');
}

/** Returns activities by id, in the shape of checklist members. */
export async function listActivities(db: Db, ids: readonly number[]): Promise<MemberRow[]> {
  return db('Activities as A').whereIn('A.Id', ids).select<MemberRow[]>(MEMBER_COLUMNS);
}

/** An activity's input, and the name under which the checklist asks for it. */
export type MappingRow = Pick<ChecklistInputsRow, 'ActivityParameterId' | 'InputName' | 'Order'>;

export async function listMappings(db: Db, checklistId: number): Promise<MappingRow[]> {
  return db('ChecklistInputs')
    .where('ChecklistId', checklistId)
    .orderBy(['Order', 'ActivityParameterId'])
    .select('ActivityParameterId', 'InputName', 'Order');
}

type ChecklistFields = Pick<ChecklistRow, 'Name' | 'Description' | 'Group' | 'Order'>;

export async function insertChecklist(
  trx: Knex.Transaction,
  row: ChecklistFields & Pick<ChecklistRow, 'Schema' | 'UserId' | 'UniqueId'>,
): Promise<number> {
  return insertedId(trx('Checklists').insert(row).returning('Id'));
}

export async function lockChecklist(
  trx: Knex.Transaction,
  id: number,
): Promise<Pick<ChecklistRow, 'Revision' | 'WorkflowVersion'> | undefined> {
  return trx('Checklists').where('Id', id).forUpdate().first('Revision', 'WorkflowVersion');
}

export async function updateChecklist(
  trx: Knex.Transaction,
  id: number,
  row: ChecklistFields & { Modified: Knex.Raw },
): Promise<void> {
  await trx('Checklists')
    .where('Id', id)
    .update({ ...row, Revision: trx.raw('?? + 1', ['Revision']) });
}

export async function replaceActivities(
  trx: Knex.Transaction,
  ChecklistId: number,
  activityIds: readonly number[],
): Promise<void> {
  await trx('ChecklistActivities').where({ ChecklistId }).delete();
  const rows = activityIds.map((ActivityId, Position) => ({ ChecklistId, Position, ActivityId }));
  await inRows(trx, rows, (part) => trx('ChecklistActivities').insert(part));
}

export async function replaceMappings(
  trx: Knex.Transaction,
  ChecklistId: number,
  mappings: readonly MappingRow[],
): Promise<void> {
  await trx('ChecklistInputs').where({ ChecklistId }).delete();
  const rows = mappings.map((mapping) => ({ ChecklistId, ...mapping }));
  await inRows(trx, rows, (part) => trx('ChecklistInputs').insert(part));
}

export async function findWorkflowGraph(db: Db, ChecklistId: number, Version: number): Promise<WorkflowGraph> {
  const row = await db('WorkflowVersions').where({ ChecklistId, Version }).first('Graph');
  if (!row) throw new Error(`workflow ${ChecklistId} has no version ${Version}`);
  return JSON.parse(row.Graph) as WorkflowGraph;
}
