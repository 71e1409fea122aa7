/** Lets rows of a For each follow each other. */
import type { Knex } from 'knex';
import type { NewRunInput } from '#server/jobs/queue/enqueue-run.ts';
import { nameKey } from '#server/versions/version-catalog.ts';
import { advanceForEach, type ForEachMove } from '#shared/rules/chains/for-each.ts';
import type { ForEachStep } from '#shared/rules/chains/types.ts';
import type { StepContext } from './begin-step.ts';
import type { PreparedStep } from './chain-context.ts';
import type { ChainStates } from './chain-states.ts';
import { endOtherStep } from './other-steps.ts';
import { endNotRun, refuseRun, releaseRun } from './step-runs.ts';
import { readGiven, readStoredInputsOf } from './step-values.ts';

/** What follows in the For each steps that have begun. */
export function rowMoves(
  steps: readonly ForEachStep[],
  states: ChainStates,
  isCancelled: boolean,
): Map<ForEachStep, ForEachMove> {
  const begun = steps.filter(({ Key }) => states.steps.get(Key)?.Status === 'Started');
  return new Map(begun.map((step) => [step, advanceForEach(step, states.runs.get(step.Key) ?? [], isCancelled)]));
}

export const hasRowWork = (moves: ReadonlyMap<unknown, ForEachMove>): boolean =>
  [...moves.values()].some(({ release, stop, end }) => release > 0 || stop !== null || end !== null);

interface WaitingRow {
  Id: number;
  ActivityId: number;
  ActivityVersion: number;
  SingleRun: boolean;
}

export interface ReadyRow {
  row: WaitingRow;
  prepared: PreparedStep;
  /** Inputs whose stored values the prepared ones replace. */
  replaced: number[];
}

/** The first rows that wait, made ready to be queued. */
export async function prepareRows(context: StepContext, step: ForEachStep, count: number): Promise<ReadyRow[]> {
  const { database, versions, plan, chain } = context;
  const { knex } = database;
  const rows = (await knex('ActivityRuns')
    .where({ ChecklistRunId: chain.Id, StepKey: step.Key, Status: 'QueuedInSeq', WaitsForSteps: true })
    .orderBy('Id')
    .limit(count)
    .select('Id', 'ActivityId', 'ActivityVersion', 'SingleRun')) as WaitingRow[];
  const { given, issue } = await readGiven({ knex, versions, plan, chainId: chain.Id }, step);
  const stored = await readStoredInputsOf(
    knex,
    rows.map(({ Id }) => Id),
  );
  const ready: ReadyRow[] = [];
  // What has no values of its own to be checked is the same question for all rows: whether the person may run the activity.
  let same: PreparedStep | undefined;
  for (const row of rows) {
    if (issue !== null) {
      ready.push({ row, prepared: { refused: issue }, replaced: [] });
      continue;
    }
    const version = await versions.get(row.ActivityId, row.ActivityVersion);
    const fromColumns = step.Inputs.filter(({ From }) => From.Kind === 'Column').map(({ Input }) => nameKey(Input));
    const ids = version?.inputs.flatMap(({ Id, Name }) => (fromColumns.includes(nameKey(Name)) ? [Id] : [])) ?? [];
    const values = { given, ids, stored: stored.get(row.Id) ?? [] };
    const prepared = same ?? (await prepareRow(context, row, values));
    if (given.size === 0 && ids.length === 0) same = prepared;
    ready.push({ row, prepared, replaced: ids });
  }
  return ready;
}

async function prepareRow(
  { chain, prepareStep }: StepContext,
  { ActivityId, ActivityVersion }: WaitingRow,
  values: { given: Awaited<ReturnType<typeof readGiven>>['given']; ids: readonly number[]; stored: NewRunInput[] },
): Promise<PreparedStep> {
  const isFromColumn = ({ ActivityParameterId }: NewRunInput): boolean => values.ids.includes(ActivityParameterId);
  const given = new Map(values.given);
  for (const row of values.stored.filter(isFromColumn))
    given.set(row.ActivityParameterId, { json: row.Value, files: [] });
  const stored = values.stored.filter((row) => !isFromColumn(row));
  return prepareStep({ UserId: chain.UserId, ActivityId, ActivityVersion, given, stored });
}

/** Makes it true in the transaction that holds the chain. Answers the runs that are in the queue now, and whether more may follow. */
export async function moveRows(
  trx: Knex.Transaction,
  chainId: number,
  { step, move, ready }: { step: ForEachStep; move: ForEachMove; ready: readonly ReadyRow[] },
): Promise<{ queued: number[]; isMore: boolean }> {
  if (move.stop !== null) await endNotRun(trx, chainId, step.Key, { Because: 'Stopped', Text: move.stop });
  if (move.end !== null) await endOtherStep(trx, { ChecklistRunId: chainId, StepKey: step.Key }, move.end);
  const queued: number[] = [];
  for (const { row, prepared, replaced } of ready.slice(0, move.release)) {
    if (prepared.refused === null) {
      if (await releaseRun(trx, row, { inputs: prepared.inputs, replaced, later: 1 })) queued.push(row.Id);
    } else await refuseRun(trx, row.Id, prepared.refused);
  }
  const isShort = move.release > queued.length;
  return { queued, isMore: move.stop !== null || move.end !== null || isShort };
}
