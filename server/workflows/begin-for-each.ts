/**
 * For each step: runs an activity once for each row of a table. The rows are a snapshot, stored as waiting runs when
 * the step begins.
 */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { ONLY_VALUE, type NewRunInput } from '#server/queue/enqueue-run.ts';
import { nameKey } from '#server/versions/version-catalog.ts';
import { forEachRows, type EachRow } from '#shared/rules/workflows/for-each-rows.ts';
import type { ForEachStep } from '#shared/rules/workflows/types.ts';
import type { BeginStep, StepContext } from './step-context.ts';
import { beginOtherStep, insertEnded } from './other-steps.ts';
import { copyStoredInputs, endNotRun, insertWaitingRuns, missingRow, type WaitingRun } from './step-runs.ts';
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
    return async (trx) => {
      await beginOtherStep(trx, of, 'ForEach');
      return { released: [], isMore: true };
    };
  }
  const table = await readSource(context, step.Rows);
  const rows = table
    ? table.issue === undefined
      ? forEachRows(step, table.info, table.value.json)
      : { issue: table.issue }
    : { issue: 'The table for the rows no longer exists' };
  return async (trx) => {
    if ('issue' in rows) {
      await endNotRun(trx, workflowRun.Id, step.Key, { Because: 'Blocked', Text: `Not run: ${rows.issue}` });
      await insertEnded(trx, of, { Kind: 'ForEach', Status: 'Failed', Text: rows.issue });
      return { released: [], isMore: true };
    }
    await beginOtherStep(trx, of, 'ForEach');
    await insertRows(context, trx, { step, placeholder, rows: rows.rows });
    return { released: [], isMore: true };
  };
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
