/**
 * Advances the rows of Start steps, a few at once. It may be called at any time and any number of times: every decision
 * is made in a transaction that locks the step, from the rows of its runs alone.
 */
import type { Knex } from 'knex';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivityRunsRow } from '#server/db/tables.ts';
import type { WorkflowContext, PreparedStep } from '#server/workflows/workflow-context.ts';
import { releaseRun } from '#server/workflows/release-runs.ts';
import { endWaiting, refuseRun } from '#server/workflows/step-runs.ts';
import { readStoredInputsOf } from '#server/workflows/step-values.ts';
import { advanceForEach, type ForEachMove } from '#shared/rules/workflows/for-each.ts';
import { countForMove } from './child-counts.ts';
import { makeChildRuns } from './make-child-runs.ts';
import { findRunStart, lockRunStart, type OfStart, type RunStart } from '#server/queue/run-starts.ts';

export type ChildRunContext = WorkflowContext;

/** Advances all Start steps of a run as far as possible. Returns true if the run has any that had not ended. */
export async function advanceChildRuns(context: ChildRunContext, ParentRunId: number): Promise<boolean> {
  const keys = await context.database
    .knex('RunStarts')
    .where({ ParentRunId })
    .whereNull('EndTime')
    .orderBy('StepKey')
    .pluck<string[]>('StepKey');
  for (const StepKey of keys) while (await advanceOnce(context, { ParentRunId, StepKey }));
  return keys.length > 0;
}

/** Returns true if more may follow. */
async function advanceOnce(context: ChildRunContext, of: OfStart): Promise<boolean> {
  const { database, signals } = context;
  const { knex } = database;
  const start = await findRunStart(knex, of);
  if (!start || start.EndTime) return false;
  if (!start.IsMade) {
    await inTransaction(knex, async (trx) => {
      const locked = await lockRunStart(trx, of);
      if (locked && !locked.IsMade) await makeChildRuns(trx, locked);
    });
    signals.changed(of.ParentRunId);
    return true;
  }
  const move = await moveOf(knex, start);
  if (move.release === 0 && move.stop === null && move.end === null) return false;
  const ready = move.release > 0 ? await prepareChildren(context, of, move.release) : [];
  const done = await inTransaction(knex, (trx) => applyAdvance(context, trx, of, ready));
  for (const runId of done.queued) signals.changed(runId);
  if (done.queued.length > 0) signals.queued();
  if (done.hasEnded) signals.changed(of.ParentRunId);
  return done.isMore;
}

const moveOf = async (db: Knex, start: RunStart): Promise<ForEachMove> =>
  advanceForEach(
    start,
    await countForMove(db, { ParentRunId: start.ParentRunId, StepKey: start.StepKey }, start.AtOnce),
  );

type WaitingChild = Pick<ActivityRunsRow, 'Id' | 'UserId' | 'ActivityId' | 'ActivityVersion' | 'SingleRun'>;

interface ReadyChild {
  row: WaitingChild;
  prepared: PreparedStep;
  /** ActivityParameterIds of the inputs whose stored values are replaced by the prepared ones. */
  replaced: number[];
}

/** Prepares the first waiting rows. All their inputs are checked as for a start. */
async function prepareChildren(
  { database: { knex }, prepareStep }: ChildRunContext,
  of: OfStart,
  count: number,
): Promise<ReadyChild[]> {
  const rows = await knex('ActivityRuns')
    .where({ ...of, Status: 'QueuedInSeq', WaitsForSteps: true })
    .orderBy('Id')
    .limit(count)
    .select('Id', 'UserId', 'ActivityId', 'ActivityVersion', 'SingleRun');
  const inputs = await readStoredInputsOf(
    knex,
    rows.map(({ Id }) => Id),
  );
  const ready: ReadyChild[] = [];
  for (const row of rows) {
    const { UserId, ActivityId, ActivityVersion } = row;
    const stored = inputs.get(row.Id) ?? [];
    const upstreamValues = new Map(
      stored
        .filter(({ Value, HasPresetValue }) => Value !== null && !HasPresetValue)
        .map(({ ActivityParameterId, Value }) => [ActivityParameterId, { json: Value, files: [] }]),
    );
    const step = { UserId, ActivityId, ActivityVersion, upstreamValues, stored: [], isComplete: true };
    const replaced = stored.map(({ ActivityParameterId }) => ActivityParameterId);
    ready.push({ row, prepared: await prepareStep(step), replaced });
  }
  return ready;
}

async function applyAdvance(
  { database }: ChildRunContext,
  trx: Knex.Transaction,
  of: OfStart,
  ready: readonly ReadyChild[],
): Promise<{ queued: number[]; hasEnded: boolean; isMore: boolean }> {
  const start = await lockRunStart(trx, of);
  if (!start || start.EndTime) return { queued: [], hasEnded: false, isMore: false };
  const move = await moveOf(trx, start);
  if (move.stop !== null) await endWaiting(trx, of, { Because: 'Stopped', Text: move.stop });
  if (move.end !== null) {
    await trx('RunStarts')
      .where(of)
      .update({ EndTime: database.dialect.now(trx) });
  }
  const queued: number[] = [];
  for (const { row, prepared, replaced } of ready.slice(0, move.release)) {
    if (prepared.refused !== null) await refuseRun(trx, row.Id, prepared);
    else if (await releaseRun(trx, row, { inputs: prepared.inputs, replaced, later: 1 })) queued.push(row.Id);
  }
  const isMore = move.stop !== null || move.release > queued.length;
  return { queued, hasEnded: move.end !== null, isMore };
}
