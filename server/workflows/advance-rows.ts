/** Advances the rows of For each steps. */
import type { Knex } from 'knex';
import type { NewRunInput } from '#server/queue/enqueue-run.ts';
import { readPriorityBand, type PriorityBand } from '#server/queue/priority-bands.ts';
import { nameKey } from '#server/versions/version-catalog.ts';
import { advanceForEach, type ForEachMove } from '#shared/rules/workflows/for-each.ts';
import type { ForEachStep } from '#shared/rules/workflows/types.ts';
import type { BeginResult, StepContext } from './step-context.ts';
import type { PreparedStep } from './workflow-context.ts';
import type { WorkflowStates } from './workflow-states.ts';
import { endOtherStep } from './other-steps.ts';
import { RELEASED, releaseRuns } from './release-runs.ts';
import type { RunToRelease } from './run-to-release.ts';
import type { StepSlots } from './step-slots.ts';
import { endNotRun, refuseRun } from './step-runs.ts';
import { readUpstreamValues, readStoredInputsOf } from './step-values.ts';

/** Returns the next move of each For each step that has begun. */
export function rowMoves(
  steps: readonly ForEachStep[],
  states: WorkflowStates,
  isCancelled: boolean,
): Map<ForEachStep, ForEachMove> {
  const started = steps.filter(({ Key }) => states.steps.get(Key)?.Status === 'Started');
  return new Map(started.map((step) => [step, advanceForEach(step, states.runs.get(step.Key) ?? [], isCancelled)]));
}

export const hasRowWork = (moves: ReadonlyMap<unknown, ForEachMove>): boolean =>
  [...moves.values()].some(({ release, stop, end }) => release > 0 || stop !== null || end !== null);

export interface ReadyRow {
  run: RunToRelease;
  prepared: PreparedStep;
  /** ActivityParameterIds of the inputs whose stored values are replaced by the prepared ones. */
  replaced: number[];
}

/** The first waiting rows, prepared to begin. */
export interface ReadyRows {
  band: PriorityBand;
  rows: readonly ReadyRow[];
}

export async function prepareRows(context: StepContext, step: ForEachStep, count: number): Promise<ReadyRows> {
  const { database, versions, plan, workflowRun } = context;
  const { knex } = database;
  const waiting = knex('ActivityRuns')
    .where({ ChecklistRunId: workflowRun.Id, StepKey: step.Key, Status: 'QueuedInSeq', WaitsForSteps: true })
    .orderBy('Id')
    .limit(count)
    .select<RunToRelease[]>(RELEASED);
  const [runs, band, { upstreamValues, issue }] = await Promise.all([
    waiting,
    readPriorityBand(knex, step.ActivityId),
    readUpstreamValues({ knex, versions, plan, workflowRunId: workflowRun.Id }, step),
  ]);
  if (issue !== null) return { band, rows: runs.map((run) => ({ run, prepared: { refused: issue }, replaced: [] })) };
  // Stored when the step began, and checked when the row is queued.
  const columns = step.Inputs.flatMap(({ From, Input }) =>
    From.Kind === 'Column' || From.Kind === 'Expression' ? [nameKey(Input)] : [],
  );
  // Without values to check per row, the only question is whether the person may run the activity. It has the same
  // answer for all rows.
  if (upstreamValues.size === 0 && columns.length === 0) return { band, rows: await prepareAlike(context, runs) };
  const stored = await readStoredInputsOf(
    knex,
    runs.map(({ Id }) => Id),
  );
  const rows: ReadyRow[] = [];
  for (const run of runs) {
    const version = await versions.get(run.ActivityId, run.ActivityVersion);
    const ids = version?.inputs.flatMap(({ Id, Name }) => (columns.includes(nameKey(Name)) ? [Id] : [])) ?? [];
    const values = { upstreamValues, ids, stored: stored.get(run.Id) ?? [] };
    rows.push({ run, prepared: await prepareRow(context, run, values), replaced: ids });
  }
  return { band, rows };
}

async function prepareAlike(
  { workflowRun, prepareStep }: StepContext,
  runs: readonly RunToRelease[],
): Promise<ReadyRow[]> {
  const [first] = runs;
  if (!first) return [];
  const { ActivityId, ActivityVersion } = first;
  const of = { UserId: workflowRun.UserId, ActivityId, ActivityVersion };
  const prepared = await prepareStep({ ...of, upstreamValues: new Map(), stored: [] });
  return runs.map((run) => ({ run, prepared, replaced: [] }));
}

async function prepareRow(
  { workflowRun, prepareStep }: StepContext,
  { ActivityId, ActivityVersion }: RunToRelease,
  values: {
    upstreamValues: Awaited<ReturnType<typeof readUpstreamValues>>['upstreamValues'];
    ids: readonly number[];
    stored: NewRunInput[];
  },
): Promise<PreparedStep> {
  const isFromColumn = ({ ActivityParameterId }: NewRunInput): boolean => values.ids.includes(ActivityParameterId);
  const upstreamValues = new Map(values.upstreamValues);
  for (const row of values.stored.filter(isFromColumn))
    upstreamValues.set(row.ActivityParameterId, { json: row.Value, files: [] });
  const stored = values.stored.filter((row) => !isFromColumn(row));
  return prepareStep({ UserId: workflowRun.UserId, ActivityId, ActivityVersion, upstreamValues, stored });
}

/** Applies the move in the transaction that locks the workflow run. */
export async function moveRows(
  trx: Knex.Transaction,
  workflowRunId: number,
  { step, move, ready, slots }: { step: ForEachStep; move: ForEachMove; ready?: ReadyRows; slots: StepSlots },
): Promise<BeginResult> {
  if (move.stop !== null) await endNotRun(trx, workflowRunId, step.Key, { Because: 'Stopped', Text: move.stop });
  if (move.end !== null) await endOtherStep(trx, { ChecklistRunId: workflowRunId, StepKey: step.Key }, move.end);
  const rows = ready?.rows.slice(0, move.release) ?? [];
  for (const { run, prepared } of rows) if (prepared.refused !== null) await refuseRun(trx, run.Id, prepared);
  const allowed = rows.flatMap(({ run, prepared, replaced }) =>
    prepared.refused === null ? [{ run, inputs: prepared.inputs, replaced }] : [],
  );
  const released = ready ? await releaseRuns(trx, allowed, { band: ready.band, later: 1, slots }) : [];
  const isShort = move.release > released.length;
  return { released, isMore: move.stop !== null || move.end !== null || isShort };
}
