/** Creates a waiting run for each row of a Start step. */
import type { Knex } from 'knex';
import { setImmediate as letOthersGoFirst } from 'node:timers/promises';
import { rowsOwnerOf } from '#server/workflows/begin-for-each.ts';
import { insertWaitingRuns } from '#server/workflows/step-runs.ts';
import { ONLY_VALUE, type NewRunInput } from '#server/queue/enqueue-run.ts';
import type { RunStart, StartedRows } from '#server/queue/run-starts.ts';
import type { ActivitiesRow } from '#server/db/tables.ts';

const PART = 1000;

const isDefault = (value: unknown): boolean => typeof value === 'object' && value !== null && 'UseDefault' in value;

/** Must be called in the transaction that locks the step, so the runs are created only once. */
export async function makeChildRuns(trx: Knex.Transaction, start: RunStart): Promise<void> {
  const { ParentRunId, StepKey, ActivityId, ActivityVersion, UserId } = start;
  const of = { ParentRunId, StepKey };
  const [stored, activity] = [
    await trx('RunStarts').where(of).first<{ Rows: string }>('Rows'),
    await trx('Activities')
      .where('Id', ActivityId)
      .first<Pick<ActivitiesRow, 'MemoryCost' | 'SingleRun'>>('MemoryCost', 'SingleRun'),
  ];
  const { Inputs, Rows } = JSON.parse(stored.Rows) as StartedRows;
  const run = { StepKey, ActivityId, ActivityVersion, UserId, ...activity, TurnOwner: rowsOwnerOf(UserId) };
  const inputsOf = (values: readonly unknown[]): NewRunInput[] =>
    Inputs.flatMap((ActivityParameterId, at) =>
      isDefault(values[at]) ? [] : [{ ...ONLY_VALUE, ActivityParameterId, Value: JSON.stringify(values[at] ?? null) }],
    );
  for (let from = 0; from < Rows.length; from += PART) {
    const part = Rows.slice(from, from + PART);
    await insertWaitingRuns(
      trx,
      { ParentRunId },
      part.map(([RowKey, values], at) => ({
        run: { ...run, RowKey, RowIndex: from + at },
        inputs: inputsOf(values),
      })),
    );
    await letOthersGoFirst();
  }
  await trx('RunStarts').where(of).update({ Rows: null });
}
