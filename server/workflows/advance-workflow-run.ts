/**
 * Advances workflows: reads the states of a workflow's steps and begins or ends the steps that follow. It may be called
 * at any time and any number of times: every decision is made in a transaction that locks the workflow run, from the
 * rows of its steps alone.
 */
import type { Knex } from 'knex';
import { prepared } from '#server/db/prepared.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { withdrawApprovals } from '#server/workflows/approvals/end-approval.ts';
import { advance, type Advance } from '#shared/rules/workflows/advance.ts';
import { stepsByKey } from '#shared/rules/workflows/graph-order.ts';
import type { ForEachMove } from '#shared/rules/workflows/for-each.ts';
import type { WorkflowPlan, ForEachStep } from '#shared/rules/workflows/types.ts';
import { hasRowWork, moveRows, prepareRows, rowMoves, type ReadyRows } from './advance-rows.ts';
import { prepareBegin } from './begin-step.ts';
import type { BeginStep, BeginResult, StepContext } from './step-context.ts';
import type { WorkflowContext } from './workflow-context.ts';
import { WORKFLOW_RUN_COLUMNS, type WorkflowRunRow, type ReadHead } from './workflow-run-heads.ts';
import { readStates } from './workflow-states.ts';
import { insertNotRun } from './other-steps.ts';
import { repeatAbandoned } from './repeat-abandoned.ts';
import { createStepSlots, type StepSlots } from './step-slots.ts';
import { endNotRun } from './step-runs.ts';

export interface AdvanceContext extends WorkflowContext {
  readHead: ReadHead;
}

/**
 * Advances the workflow until no step follows from its current state. Returns true if a For each step is in progress.
 */
export async function advanceWorkflowRun(context: AdvanceContext, workflowRunId: number): Promise<boolean> {
  let done = await advanceOnce(context, workflowRunId);
  while (done.isMore) done = await advanceOnce(context, workflowRunId);
  return done.hasRows;
}

interface Advanced {
  isMore: boolean;
  hasRows: boolean;
}

async function advanceOnce(context: AdvanceContext, workflowRunId: number): Promise<Advanced> {
  const { database, signals, readHead } = context;
  const { knex } = database;
  const head = await readHead(knex, workflowRunId);
  if (!head) return { isMore: false, hasRows: false };
  const { workflowRun, plan } = head;
  const found = await followUp(knex, workflowRun, plan);
  const hasRows = found.moves.size > 0;
  if (!hasWork(found)) return { isMore: false, hasRows };
  const ready = await makeReady({ ...context, workflowRun, plan }, found);
  const places = createStepSlots(signals, workflowRunId);
  try {
    const done = await inTransaction(knex, (trx) => applyAdvance(context, trx, { workflowRunId, plan, ready, places }));
    const startedCount = places.begin();
    for (const runId of done.released) signals.changed(runId);
    if (done.released.length > startedCount) signals.queued();
    return { isMore: done.isMore, hasRows };
  } catch (error) {
    places.fail();
    throw error;
  }
}

interface FollowUp {
  next: Advance;
  moves: ReadonlyMap<ForEachStep, ForEachMove>;
  /** Keys of steps whose server was interrupted while they ran, and that are repeated automatically. */
  toRepeat: readonly string[];
}

const hasWork = ({ next, moves, toRepeat }: FollowUp): boolean =>
  next.start.length > 0 || next.notRun.length > 0 || next.result !== null || toRepeat.length > 0 || hasRowWork(moves);

async function followUp(db: Knex, workflowRun: WorkflowRunRow, { Graph }: WorkflowPlan): Promise<FollowUp> {
  const states = await readStates(db, workflowRun, Graph);
  const forEachs = Graph.Steps.filter((step) => step.Kind === 'ForEach');
  const isCancelled = workflowRun.CancelTime !== null;
  const { toRepeat } = states;
  return { next: advance(Graph, states.steps, isCancelled), moves: rowMoves(forEachs, states, isCancelled), toRepeat };
}

/** The steps and rows that can begin, by step key, prepared before the workflow run is locked. */
interface Ready {
  steps: ReadonlyMap<string, BeginStep>;
  rows: ReadonlyMap<string, ReadyRows>;
}

async function makeReady(context: StepContext, { next, moves }: FollowUp): Promise<Ready> {
  const known = stepsByKey(context.plan.Graph);
  const steps = new Map<string, BeginStep>();
  for (const key of next.start) steps.set(key, await prepareBegin(context, known.get(key)!));
  const rows = new Map<string, ReadyRows>();
  for (const [step, { release }] of moves)
    if (release > 0) rows.set(step.Key, await prepareRows(context, step, release));
  return { steps, rows };
}

async function applyAdvance(
  { database }: AdvanceContext,
  trx: Knex.Transaction,
  {
    workflowRunId,
    plan,
    ready,
    places,
  }: { workflowRunId: number; plan: WorkflowPlan; ready: Ready; places: StepSlots },
): Promise<BeginResult> {
  // Slots reserved by an earlier attempt of this transaction, which the database rolled back.
  places.releaseAll();
  const workflowRun = await lockWorkflowRun(trx, workflowRunId);
  if (!workflowRun || workflowRun.EndTime) return { released: [], isMore: false };
  const { next, moves, toRepeat } = await followUp(trx, workflowRun, plan);
  await endStepsNotRun(trx, workflowRunId, { plan, notRun: next.notRun });
  await repeatAbandoned(trx, workflowRunId, plan, toRepeat);
  const results: BeginResult[] = toRepeat.length === 0 ? [] : [{ released: [], isMore: true }];
  // Steps found only after the lock are prepared in the next round.
  for (const key of next.start)
    results.push((await ready.steps.get(key)?.(trx, places)) ?? { released: [], isMore: true });
  for (const [step, move] of moves) {
    const rows = ready.rows.get(step.Key);
    results.push(await moveRows(trx, workflowRunId, { step, move, slots: places, ...(rows ? { ready: rows } : {}) }));
  }
  if (next.result !== null) {
    const end = { Status: next.result, EndTime: database.dialect.now(trx) };
    await trx('ChecklistRuns').where('Id', workflowRunId).update(end);
  }
  return { released: results.flatMap(({ released }) => released), isMore: results.some(({ isMore }) => isMore) };
}

async function endStepsNotRun(
  trx: Knex.Transaction,
  ChecklistRunId: number,
  { plan, notRun }: { plan: WorkflowPlan; notRun: Advance['notRun'] },
): Promise<void> {
  const known = stepsByKey(plan.Graph);
  for (const { Key, ...why } of notRun) {
    const { Kind } = known.get(Key)!;
    if (Kind === 'Activity' || Kind === 'ForEach') await endNotRun(trx, ChecklistRunId, Key, why);
    const of = { ChecklistRunId, StepKey: Key };
    // The approval may have begun.
    if (Kind === 'Approval') await withdrawApprovals(trx, ChecklistRunId, Key);
    if (Kind !== 'Activity') await insertNotRun(trx, of, { Kind, ...why });
  }
}

/** Locks the workflow run until the transaction ends. */
export async function lockWorkflowRun(
  trx: Knex.Transaction,
  workflowRunId: number,
): Promise<WorkflowRunRow | undefined> {
  const held = trx('ChecklistRuns')
    .where('Id', workflowRunId)
    .whereNull('PurgeTime')
    .forUpdate()
    .first<WorkflowRunRow | undefined>(WORKFLOW_RUN_COLUMNS);
  return prepared(held);
}
