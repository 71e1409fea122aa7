/**
 * Retention and deletion of checklist and workflow runs. A run is always deleted whole, together with the runs of its
 * steps.
 */
import { Type, type Static } from 'typebox';
import {
  closed,
  EditedRevision,
  get,
  Id,
  IdParams,
  needsOn,
  nullable,
  post,
  Revision,
  RunParams,
  TypedNumber,
} from './endpoint.ts';
import { PurgeDate } from './purge.ts';

/** Storage used by the ended runs of a checklist; sizes in bytes. */
export const ChecklistRunDataSize = closed({
  ChecklistId: Id,
  ChecklistName: Type.String(),
  SchemaName: Type.String(),
  /** Number of runs of the whole checklist. */
  Runs: Type.Integer(),
  /** Files and values of the inputs and outputs of all steps. */
  Total: Type.Integer(),
  InputFile: Type.Integer(),
  OutputFile: Type.Integer(),
});
export type ChecklistRunDataSize = Static<typeof ChecklistRunDataSize>;

export const ChecklistRetentionUpdate = closed({
  ChecklistId: Id,
  /** Days for which runs and everything that belongs to them are retained. */
  RunRetention: TypedNumber,
  Revision: EditedRevision,
});
export type ChecklistRetentionUpdate = Static<typeof ChecklistRetentionUpdate>;

export const ChecklistRetention = closed({
  ChecklistId: Id,
  ChecklistName: Type.String(),
  IsWorkflow: Type.Boolean(),
  /** Null to retain runs forever. */
  RunRetention: nullable(Type.Integer({ minimum: 0, maximum: 100_000 })),
  Revision,
});
export type ChecklistRetention = Static<typeof ChecklistRetention>;

export const checklistRunDataSize = get('/api/checklists/rundatasize/:date', {
  access: needsOn('sk.PurgeRuns'),
  summary: 'Get the size of the ended runs that were queued before a day, by checklist',
  parts: { params: closed({ date: PurgeDate }), result: Type.Array(ChecklistRunDataSize) },
});

export const purgeChecklistRuns = post('/api/checklists/purgeRunData/:date', {
  access: needsOn('sk.PurgeRuns'),
  summary: 'Delete ended runs of checklists with the runs of their steps; returns how many',
  parts: { params: closed({ date: PurgeDate }), body: Type.Array(Id, { maxItems: 10_000 }), result: Type.Integer() },
});

export const purgeChecklistRun = post('/api/checklists/purgeSingleRunData/:runId', {
  access: needsOn('sk.PurgeRuns'),
  summary: 'Delete a run of a checklist with the runs of its steps; returns how many',
  parts: { params: RunParams, result: Type.Integer() },
});

export const checklistRetention = get('/api/checklists/runRetention/:id', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Get how long the runs of a checklist are retained',
  parts: { params: IdParams, result: ChecklistRetention },
});

export const updateChecklistRetention = post('/api/checklists/runRetention', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Set how long the runs of a checklist are retained',
  parts: { body: ChecklistRetentionUpdate, result: ChecklistRetention },
});

export const deleteChecklistRetention = post('/api/checklists/runRetention/delete/:id', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Delete the retention of a checklist; its runs are then retained forever',
  parts: { params: IdParams, result: Type.Null() },
});
