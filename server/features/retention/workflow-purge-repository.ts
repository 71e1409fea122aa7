import type { Knex } from 'knex';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import type { ChecklistRetentionsRow } from '#server/db/tables.ts';
import type { ChecklistRunDataSize } from '#shared/contract/checklist-purge.ts';

interface SizeRow {
  ChecklistId: number;
  ChecklistName: string;
  SchemaName: string;
  Runs: number;
  InputFile: number | null;
  OutputFile: number | null;
  InputValues: number | null;
  OutputValues: number | null;
}

/** Returns the size of ended runs that were queued before a time, by checklist, with one query. */
export async function listWorkflowRunSizes(db: Db, dialect: Dialect, before: Date): Promise<ChecklistRunDataSize[]> {
  const ended = (): Knex.QueryBuilder =>
    db('ChecklistRuns as C').whereNotNull('C.EndTime').whereNull('C.PurgeTime').where('C.QueueTime', '<', before);
  const sums = (table: 'RunInputs' | 'RunOutputs', kind: 'Input' | 'Output'): Knex.QueryBuilder =>
    ended()
      .join('ActivityRuns as R', 'R.ChecklistRunId', 'C.Id')
      .join(`${table} as V`, 'V.ActivityRunId', 'R.Id')
      .groupBy('C.ChecklistId')
      .select('C.ChecklistId')
      .select(db.raw('sum(??) as ??', ['V.ContentLength', `${kind}File`]))
      .select(db.raw('sum(cast(? as bigint)) as ??', [dialect.byteLength(db, 'V.Value'), `${kind}Values`]))
      .as(kind);
  const counts = ended().groupBy('C.ChecklistId').select('C.ChecklistId').count({ Runs: '*' }).as('Ran');
  const rows = await db('Checklists as L')
    .join(counts, 'Ran.ChecklistId', 'L.Id')
    .leftJoin(sums('RunInputs', 'Input'), 'Input.ChecklistId', 'L.Id')
    .leftJoin(sums('RunOutputs', 'Output'), 'Output.ChecklistId', 'L.Id')
    .orderBy('L.Schema')
    .orderByRaw(dialect.orderIgnoringCase(db, 'L.Name'))
    .select('L.Id as ChecklistId', 'L.Name as ChecklistName', 'L.Schema as SchemaName', 'Ran.Runs')
    .select<SizeRow[]>('Input.InputFile', 'Output.OutputFile', 'Input.InputValues', 'Output.OutputValues');
  return rows.map(({ InputValues, OutputValues, ...row }) => {
    // Databases return no row, or null, for a sum over nothing.
    const InputFile = row.InputFile ?? 0;
    const OutputFile = row.OutputFile ?? 0;
    return { ...row, InputFile, OutputFile, Total: InputFile + OutputFile + (InputValues ?? 0) + (OutputValues ?? 0) };
  });
}

export async function listChecklistSchemas(db: Db, ids: readonly number[]): Promise<{ Id: number; Schema: string }[]> {
  return db('Checklists').whereIn('Id', ids).select('Id', 'Schema');
}

export type WorkflowRetentionRow = ChecklistRetentionsRow;

export async function listWorkflowRetentions(db: Db): Promise<WorkflowRetentionRow[]> {
  return db('ChecklistRetentions').orderBy('ChecklistId');
}

export async function findWorkflowRetention(db: Db, ChecklistId: number): Promise<WorkflowRetentionRow | undefined> {
  return db('ChecklistRetentions').where({ ChecklistId }).first();
}

export async function saveWorkflowRetention(db: Db, dialect: Dialect, row: WorkflowRetentionRow): Promise<void> {
  await dialect.upsert(db, {
    table: 'ChecklistRetentions',
    rows: [{ ...row }],
    key: ['ChecklistId'],
    update: ['RunRetention'],
  });
}

export async function removeWorkflowRetention(db: Db, ChecklistId: number): Promise<boolean> {
  return (await db('ChecklistRetentions').where({ ChecklistId }).delete()) > 0;
}

/** Returns whether another run resumes this run. */
export async function isResumed(db: Db, runId: number): Promise<boolean> {
  return (await db('ChecklistRuns').where('ResumeOf', runId).first('Id')) !== undefined;
}
