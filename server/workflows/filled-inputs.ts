/** The inputs of runs that run again: copied from the earlier run, except inputs that are filled again. */
import type { Knex } from 'knex';
import { COPIED } from '#server/queue/enqueue-run.ts';
import type { WorkflowPlan, ValueSource } from '#shared/rules/workflows/types.ts';

/** Copies inputs to waiting runs without inputs, from the runs that they retry. */
export async function copyInputsOfRetried(
  trx: Knex.Transaction,
  { StepKey, ...of }: { StepKey: string } & ({ ChecklistRunId: number } | { ParentRunId: number }),
): Promise<void> {
  const columns = ['ActivityRunId', ...COPIED];
  const [[column, id]] = Object.entries(of) as [[string, number]];
  const retried = trx('RunInputs as I')
    .join('ActivityRuns as R', 'R.RetryOf', 'I.ActivityRunId')
    .where({ [`R.${column}`]: id, 'R.StepKey': StepKey, 'R.WaitsForSteps': true, 'R.Status': 'QueuedInSeq' })
    .whereNotExists(trx('RunInputs as Own').select(trx.raw('1')).whereRaw('?? = ??', ['Own.ActivityRunId', 'R.Id']))
    .select('R.Id', ...COPIED.map((name) => `I.${name}`));
  await trx(trx.raw(`?? (${columns.map(() => '??').join(', ')})`, ['RunInputs', ...columns])).insert(retried);
}

/**
 * Deletes the inputs of waiting runs that are filled again: from outputs, from expressions, or from the rows of a new
 * table.
 * @param stepKeys the steps to handle, which have begun; all if absent, and none of them has begun
 */
export async function dropFilled(
  trx: Knex.Transaction,
  { Graph }: WorkflowPlan,
  ChecklistRunId: number,
  stepKeys?: readonly string[],
): Promise<void> {
  for (const step of Graph.Steps) {
    if (step.Kind !== 'Activity' && step.Kind !== 'ForEach') continue;
    if (stepKeys?.includes(step.Key) === false) continue;
    const drop = async (kind: ValueSource['Kind'], runs: Knex.QueryBuilder): Promise<void> => {
      const names = step.Inputs.filter(({ From }) => From.Kind === kind).map(({ Input }) => Input.toLowerCase());
      if (names.length === 0) return;
      const filled = trx('ActivityParameters')
        .where({ ActivityId: step.ActivityId, Direction: 'input' })
        .whereIn('NameKey', names)
        .select('Id');
      await trx('RunInputs').whereIn('ActivityRunId', runs).whereIn('ActivityParameterId', filled).delete();
    };
    const runs = (): Knex.QueryBuilder =>
      trx('ActivityRuns')
        .where({ ChecklistRunId, StepKey: step.Key, Status: 'QueuedInSeq', WaitsForSteps: true })
        .select('Id');
    await drop('Output', runs());
    // A For each evaluates its expressions when it begins, so the rows of one that has begun keep the results.
    if (step.Kind === 'Activity' || !stepKeys) await drop('Expression', runs());
    await drop('Column', runs().where('RowKey', ''));
  }
}
