/** Reads the results of a batch's rows, one page of runs at a time. */
import { newestChildren } from '#server/workflows/child-runs/child-counts.ts';
import { listFirstProblems } from '#server/queue/first-problems.ts';
import type { Database } from '#server/db/database.ts';
import type { VersionOutput } from '#server/versions/version-catalog.ts';
import { BATCH_STEP_KEY } from '#shared/contract/batches.ts';
import { isPending, OUTCOME_TEXT, STATUS_TEXT, type RunStatus } from '#shared/contract/run-status.ts';
import type { RowResult } from './batch-sheet.ts';

const PAGE = 500;

interface RowRun {
  Id: number;
  RowKey: string;
  Status: RunStatus;
  NotRunBecause: string | null;
}

/** Returns the key that identifies the run of a row: its row number in the file. */
export const rowKeyOf = (row: number): string => `Row ${row}`;

/** Returns the results by row key. */
export async function readRowResults(
  knex: Database['knex'],
  ParentRunId: number,
  outputs: readonly VersionOutput[],
): Promise<Map<string, RowResult>> {
  const results = new Map<string, RowResult>();
  const nameOf = new Map(outputs.map(({ Id, Name }) => [Id, Name]));
  for (let after = 0; ;) {
    const runs = await newestChildren(knex, { ParentRunId, StepKey: BATCH_STEP_KEY })
      .where('R.Id', '>', after)
      .orderBy('R.Id')
      .limit(PAGE)
      .select<RowRun[]>('R.Id', 'R.RowKey', 'R.Status', 'R.NotRunBecause');
    if (runs.length === 0) return results;
    const ids = runs.map(({ Id }) => Id);
    const notRun = new Set(runs.filter((run) => run.NotRunBecause !== null).map(({ Id }) => Id));
    const [values, problems] = await Promise.all([
      readValues(knex, ids, [...nameOf.keys()]),
      listFirstProblems(
        knex,
        ids.filter((id) => !notRun.has(id)),
        [...notRun],
      ),
    ]);
    for (const { Id, RowKey, Status } of runs) {
      const outputValues = values.get(Id) ?? [];
      results.set(RowKey, {
        RunId: Id,
        Status: STATUS_TEXT[Status],
        Message: isPending(Status) ? '' : (problems.get(Id) ?? OUTCOME_TEXT[Status] ?? ''),
        values: new Map(outputValues.map(([id, value]) => [nameOf.get(id)!, value])),
      });
    }
    after = ids.at(-1)!;
  }
}

async function readValues(
  knex: Database['knex'],
  runIds: readonly number[],
  outputIds: readonly number[],
): Promise<Map<number, [output: number, value: unknown][]>> {
  const values = new Map<number, [number, unknown][]>();
  if (outputIds.length === 0) return values;
  const rows = await knex('RunOutputs')
    .whereIn('ActivityRunId', runIds)
    .whereIn('ActivityParameterId', outputIds)
    .whereNotNull('Value')
    .select<{ ActivityRunId: number; ActivityParameterId: number; Value: string }[]>(
      'ActivityRunId',
      'ActivityParameterId',
      'Value',
    );
  for (const { ActivityRunId, ActivityParameterId, Value } of rows) {
    const of = values.get(ActivityRunId) ?? [];
    values.set(ActivityRunId, of);
    of.push([ActivityParameterId, JSON.parse(Value) as unknown]);
  }
  return values;
}
