import type { Knex } from 'knex';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import { storedLength } from '#server/files/stored-length.ts';
import { ON_ACTIVITY } from '#server/access/activity-scopes.ts';
import { whereInScope, type RightScope } from '#server/access/rights/right-scope.ts';
import type { PurgeableActivity, RunDataSize } from '#shared/contract/purge.ts';

interface SizeRow {
  ActivityId: number;
  ActivityName: string;
  SchemaName: string;
  InputFile: number | null;
  OutputFile: number | null;
  InputValues: number | null;
  OutputValues: number | null;
}

/** Selects the runs that a purge may delete. The conditions are those of the index IX_ActivityRuns_Purgeable. */
const endedRuns = (db: Db): Knex.QueryBuilder =>
  db('ActivityRuns as R').whereNotNull('R.EndTime').whereNull('R.ChecklistRunId');

/** Selects activities with their names, in display order. */
const activitiesInOrder = (db: Db, dialect: Dialect) =>
  db('Activities as A')
    .orderBy('A.Schema')
    .orderByRaw(dialect.orderIgnoringCase(db, 'A.Name'))
    .select<PurgeableActivity[]>('A.Id as ActivityId', 'A.Name as ActivityName', 'A.Schema as SchemaName');

/**
 * Returns the activities that have ended runs queued before a time. For each activity it reads only one entry of the
 * index IX_ActivityRuns_Purgeable, the time of the first run. An `exists` condition could be planned as a join that
 * reads all runs.
 */
export async function listPurgeableActivities(
  db: Db,
  dialect: Dialect,
  before: Date,
  scope: RightScope,
): Promise<PurgeableActivity[]> {
  const first = endedRuns(db).where('R.ActivityId', db.ref('A.Id')).min('R.QueueTime');
  const query = activitiesInOrder(db, dialect).whereRaw('? < ?', [first, before] as Knex.RawBinding[]);
  whereInScope(query, scope, ON_ACTIVITY);
  return query;
}

/**
 * Returns the size of ended runs that were queued before a time, by activity, with one query. Runs of steps are
 * excluded, because they are counted and purged with their checklists.
 */
export async function listRunDataSizes(
  db: Db,
  dialect: Dialect,
  before: Date,
  scope: RightScope,
): Promise<RunDataSize[]> {
  const ended = (): Knex.QueryBuilder => endedRuns(db).where('R.QueueTime', '<', before);
  const sums = (table: 'RunInputs' | 'RunOutputs', kind: 'Input' | 'Output'): Knex.QueryBuilder =>
    ended()
      .join(`${table} as V`, 'V.ActivityRunId', 'R.Id')
      .leftJoin('StoredFiles as F', 'F.FileId', 'V.FileId')
      .groupBy('R.ActivityId')
      .select('R.ActivityId')
      .select(db.raw('sum(?) as ??', [storedLength(dialect, db), `${kind}File`]))
      .select(db.raw('sum(cast(? as bigint)) as ??', [dialect.byteLength(db, 'V.Value'), `${kind}Values`]))
      .as(kind);
  const query = activitiesInOrder(db, dialect)
    .join(ended().distinct('R.ActivityId').as('Ran'), 'Ran.ActivityId', 'A.Id')
    .leftJoin(sums('RunInputs', 'Input'), 'Input.ActivityId', 'A.Id')
    .leftJoin(sums('RunOutputs', 'Output'), 'Output.ActivityId', 'A.Id')
    .select<SizeRow[]>('Input.InputFile', 'Output.OutputFile', 'Input.InputValues', 'Output.OutputValues');
  whereInScope(query, scope, ON_ACTIVITY);
  return (await query).map(sizeOf);
}

/** Databases return no row, or null, for a sum over nothing. */
function sizeOf(row: SizeRow): RunDataSize {
  const { ActivityId, ActivityName, SchemaName } = row;
  const InputFile = row.InputFile ?? 0;
  const OutputFile = row.OutputFile ?? 0;
  const Total = InputFile + OutputFile + (row.InputValues ?? 0) + (row.OutputValues ?? 0);
  return { ActivityId, ActivityName, SchemaName, Total, InputFile, OutputFile };
}

/** Returns those of the activities for which the right is held. */
export async function listPurgeable(db: Db, activityIds: readonly number[], scope: RightScope): Promise<number[]> {
  const query = db('Activities as A').select<{ Id: number }[]>('A.Id');
  whereInScope(query, scope, ON_ACTIVITY);
  const wanted = new Set(activityIds);
  return (await query).map(({ Id }) => Id).filter((id) => wanted.has(id));
}
