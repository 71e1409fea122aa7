/**
 * For each step: runs an activity once for each row of a table. The rows are a snapshot, stored as waiting runs when
 * the step begins.
 */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { ONLY_VALUE, type NewRunInput } from '#server/queue/enqueue-run.ts';
import { nameKey } from '#server/versions/version-catalog.ts';
import type { OutputValue } from '#shared/codecs/linked-values.ts';
import { forEachRows, type EachRow } from '#shared/rules/workflows/for-each-rows.ts';
import type { ForEachStep } from '#shared/rules/workflows/types.ts';
import type { BeginStep, StepContext } from './step-context.ts';
import { beginOtherStep, insertEnded } from './other-steps.ts';
import { calculateInputs, evaluateOne } from './filled-values.ts';
import { expressionFailure } from './step-expressions.ts';
import {
  copyStoredInputs,
  endNotRun,
  insertInputs,
  insertWaitingRuns,
  missingRow,
  type Refusal,
  type WaitingRun,
} from './step-runs.ts';
import { readSource } from './step-values.ts';

/**
 * Returns the fair-share owner of a user's rows. It differs from the owner of the runs that the user starts directly,
 * so rows do not delay those. Rows also get a rank that is later by one (see RankRequest).
 */
export const rowsOwnerOf = (userId: number): string => `rows of user ${userId}`;

/** The run that represents the step until its rows are known. It then becomes the run of the first row. */
type Placeholder = Pick<WaitingRun, 'ActivityId' | 'ActivityVersion' | 'MemoryCost' | 'SingleRun'> & { Id: number };

export async function prepareForEach(context: StepContext, step: ForEachStep): Promise<BeginStep> {
  const { database, workflowRun } = context;
  const of = { ChecklistRunId: workflowRun.Id, StepKey: step.Key };
  const placeholder = await database
    .knex('ActivityRuns')
    .where({ ...of, RowKey: '', WaitsForSteps: true })
    .first<Placeholder | undefined>('Id', 'ActivityId', 'ActivityVersion', 'MemoryCost', 'SingleRun');
  if (!placeholder) {
    if (workflowRun.ResumeOf === null) return missingRow(workflowRun.Id, step.Key);
    // A resumed workflow has already stored the rows of this step.
    const calculated = await calculateInputs(context, step);
    return async (trx) => {
      if (calculated.refused !== null) return endRefused(trx, of, calculated);
      await beginOtherStep(trx, of, 'ForEach');
      await storeForWaitingRows(trx, of, calculated.upstreamValues);
      return { released: [], isMore: true };
    };
  }
  const rows = await readRows(context, step);
  const calculated = 'refused' in rows ? rows : await calculateInputs(context, step);
  return async (trx) => {
    if ('refused' in rows) return endRefused(trx, of, rows);
    if (calculated.refused !== null) return endRefused(trx, of, calculated);
    await beginOtherStep(trx, of, 'ForEach');
    // Before the rows are stored, so that each of them gets a copy.
    await storeForWaitingRows(trx, of, calculated.upstreamValues);
    await insertRows(context, trx, { step, placeholder, rows: rows.rows });
    return { released: [], isMore: true };
  };
}

type OfStep = { ChecklistRunId: number; StepKey: string };

async function endRefused(trx: Knex.Transaction, of: OfStep, { refused, status }: Refusal): ReturnType<BeginStep> {
  await endNotRun(trx, of.ChecklistRunId, of.StepKey, { Because: 'Blocked', Text: `Not run: ${refused}` });
  await insertEnded(trx, of, { Kind: 'ForEach', Status: status ?? 'Failed', Text: refused });
  return { released: [], isMore: true };
}

async function readRows(context: StepContext, step: ForEachStep): Promise<{ rows: EachRow[] } | Refusal> {
  const { Rows } = step;
  const asRefusal = (found: ReturnType<typeof forEachRows>) => ('issue' in found ? { refused: found.issue } : found);
  if (Rows.Kind === 'Expression') {
    const result = await evaluateOne(context, Rows, 'rows');
    if ('problem' in result)
      return { refused: expressionFailure('the rows', Rows, result.problem), status: 'LogicError' };
    return asRefusal(forEachRows(step, result.shape, result.json));
  }
  const table = await readSource(context, Rows);
  if (!table) return { refused: 'The table for the rows no longer exists' };
  return table.issue === undefined
    ? asRefusal(forEachRows(step, table.info, table.value.json))
    : { refused: table.issue };
}

/** Stores the results of the step's expressions with all its waiting runs: they are the same for all rows. */
async function storeForWaitingRows(
  trx: Knex.Transaction,
  of: OfStep,
  calculated: ReadonlyMap<number, OutputValue>,
): Promise<void> {
  if (calculated.size === 0) return;
  const ids = await trx('ActivityRuns')
    .where({ ...of, Status: 'QueuedInSeq', WaitsForSteps: true })
    .pluck<number[]>('Id');
  const inputs = ids.flatMap((ActivityRunId) =>
    [...calculated].map(([ActivityParameterId, { json }]) => ({
      ...ONLY_VALUE,
      ActivityRunId,
      ActivityParameterId,
      Value: json,
    })),
  );
  await insertInputs(trx, inputs);
}

interface RowsToInsert {
  step: ForEachStep;
  placeholder: Placeholder;
  rows: readonly EachRow[];
}

async function insertRows(
  { workflowRun, versions }: StepContext,
  trx: Knex.Transaction,
  { step, placeholder, rows }: RowsToInsert,
): Promise<void> {
  const [first, ...others] = rows;
  if (!first) {
    const why = { Because: 'LeftOut' as const, Text: 'Not run: the table has no rows' };
    return endNotRun(trx, workflowRun.Id, step.Key, why);
  }
  const { Id, ...activity } = placeholder;
  const version = await versions.get(activity.ActivityId, activity.ActivityVersion);
  const idOf = new Map(version?.inputs.map((input) => [nameKey(input.Name), input.Id]));
  const inputsOf = ({ values }: EachRow): NewRunInput[] =>
    [...values].flatMap(([name, Value]) => {
      const ActivityParameterId = idOf.get(nameKey(name));
      return ActivityParameterId === undefined ? [] : [{ ...ONLY_VALUE, ActivityParameterId, Value }];
    });
  const TurnOwner = rowsOwnerOf(workflowRun.UserId);
  const run = { ...activity, StepKey: step.Key, UserId: workflowRun.UserId, TurnOwner };
  await insertWaitingRuns(
    trx,
    { ChecklistRunId: workflowRun.Id },
    others.map((row, at) => ({ run: { ...run, RowKey: row.key, RowIndex: at + 1 }, inputs: inputsOf(row) })),
  );
  // Copy before the first row's own inputs are stored.
  await copyStoredInputs(trx, { fromRunId: Id, ChecklistRunId: workflowRun.Id, StepKey: step.Key });
  await trx('ActivityRuns')
    .where({ Id })
    .update({ RowKey: first.key, RowIndex: 0, TurnOwner, QueueTime: dialectOf(trx).now(trx) });
  const own = inputsOf(first).map((input) => ({ ActivityRunId: Id, ...input }));
  if (own.length > 0) await trx('RunInputs').insert(own);
}
