/**
 * Computes the next actions of a workflow from the states of its steps. Pure: repeated or concurrent callers get the
 * same result, and the database ensures that it is applied only once.
 */
import { hasSucceeded, isPending, type RunStatus } from '#shared/contract/run-status.ts';
import { orderedSteps, stepsByKey } from './graph-order.ts';
import type { WorkflowEdge, WorkflowGraph, WorkflowStep, NotRunReason, StepState, StepStates } from './types.ts';

export interface NotRun {
  Key: string;
  Because: NotRunReason;
  /** Text for users. */
  Text: string;
}

export interface Advance {
  /** Keys of the steps to start now. */
  start: string[];
  /** Steps that end without having started, and approvals whose decision is no longer needed. */
  notRun: NotRun[];
  /** Status of the whole workflow; null until all steps have ended. */
  result: RunStatus | null;
}

export const CANCELLED_WORKFLOW = 'Not run: the run was cancelled';

/**
 * @param states states of the steps that have started or ended
 * @param isCancelled whether a user has cancelled the whole workflow
 */
export function advance(graph: WorkflowGraph, states: StepStates, isCancelled = false): Advance {
  const after = new Map(states);
  const known = stepsByKey(graph);
  const start: string[] = [];
  const notRun: NotRun[] = [];
  const stopper = graph.Steps.find(
    (step) => step.OnFailure === 'Stop' && hasFailed(states.get(step.Key)) && !states.get(step.Key)?.IsKept,
  );
  for (const step of orderedSteps(graph)) {
    if (after.has(step.Key) && !(isWithdrawable(step, after.get(step.Key)) && (isCancelled || stopper))) continue;
    const verdict = isCancelled
      ? ({ Because: 'Cancelled', Text: CANCELLED_WORKFLOW } as const)
      : stopper
        ? ({ Because: 'Stopped', Text: `Not run: step "${stopper.Name}" did not succeed` } as const)
        : verdictOn(step, known, after);
    if (verdict === 'wait') continue;
    if (verdict === 'start') start.push(step.Key);
    else {
      notRun.push({ Key: step.Key, ...verdict });
      after.set(step.Key, { Status: 'Cancelled', NotRunBecause: verdict.Because });
    }
  }
  const isOver = graph.Steps.every(({ Key }) => {
    const state = after.get(Key);
    return state !== undefined && !isPending(state.Status);
  });
  return { start, notRun, result: isOver ? resultOf(graph, after, isCancelled) : null };
}

/**
 * Returns whether the step is a pending approval. A cancelled or stopped workflow ends such approvals, because nothing
 * depends on their decisions any more.
 */
const isWithdrawable = ({ Kind }: WorkflowStep, state: StepState | undefined): boolean =>
  Kind === 'Approval' && state !== undefined && isPending(state.Status);

/** Returns whether the step started and ended without success. */
export const hasFailed = (state: StepState | undefined): boolean =>
  state !== undefined && !state.NotRunBecause && !isPending(state.Status) && !hasSucceeded(state.Status);

type EdgeEnd = 'pending' | 'taken' | 'skipped' | 'blocked';

function endOfEdge({ When }: WorkflowEdge, source: WorkflowStep | undefined, state: StepState | undefined): EdgeEnd {
  if (!source || !state || isPending(state.Status)) return 'pending';
  if (state.NotRunBecause) return state.NotRunBecause === 'LeftOut' ? 'skipped' : 'blocked';
  if (When === 'always') return 'taken';
  if (hasFailed(state)) {
    if (When === 'failure') return 'taken';
    // If the failure is handled, the edges on success are branches that were not taken.
    return source.OnFailure === 'Handled' ? 'skipped' : 'blocked';
  }
  return leadsOn(When, state) ? 'taken' : 'skipped';
}

function leadsOn(When: WorkflowEdge['When'], { Status, Holds }: StepState): boolean {
  if (When === 'yes' || When === 'no') return Holds === (When === 'yes');
  return When === 'success' || (When === 'warning' && Status === 'SucceededWarn');
}

type Verdict = 'wait' | 'start' | { Because: 'LeftOut' | 'Blocked'; Text: string };

function verdictOn(step: WorkflowStep, known: ReadonlyMap<string, WorkflowStep>, states: StepStates): Verdict {
  if (step.After.length === 0) return 'start';
  const edges = step.After.map((edge) => {
    const source = known.get(edge.Step);
    return { source, end: endOfEdge(edge, source, states.get(edge.Step)) };
  });
  const some = (end: EdgeEnd): boolean => edges.some((edge) => edge.end === end);
  if (step.Join === 'AnySucceeded' && some('taken')) return 'start';
  const blocker = edges.find(({ end }) => end === 'blocked');
  if (step.Join === 'AllSucceeded' && blocker) return blockedBy(blocker.source);
  if (some('pending')) return 'wait';
  if (some('taken')) return 'start';
  if (!blocker)
    return {
      Because: 'LeftOut',
      Text: skippedText(
        edges.flatMap(({ source }) => source ?? []),
        states,
      ),
    };
  return step.Join === 'AllEnded' ? 'start' : blockedBy(blocker.source);
}

const blockedBy = (source: WorkflowStep | undefined): Verdict => ({
  Because: 'Blocked',
  Text: `Not run: step "${source?.Name ?? ''}" did not succeed`,
});

function skippedText(sources: readonly WorkflowStep[], states: StepStates): string {
  const names = [...new Set(sources.map(({ Name }) => `"${Name}"`))].join(', ');
  const only = sources.length === 1 ? sources[0]! : undefined;
  const state = only && states.get(only.Key);
  if (only?.Kind === 'Decision' && state && !state.NotRunBecause && hasSucceeded(state.Status)) {
    return `Not run: the decision ${names} resulted in ${state.Holds ? 'yes' : 'no'}`;
  }
  return `Not run: the outcome of ${sources.length === 1 ? 'step' : 'steps'} ${names} does not lead here`;
}

const SKIPPED_REASONS: readonly (NotRunReason | null)[] = [null, 'LeftOut'];

function resultOf(graph: WorkflowGraph, states: StepStates, isCancelled: boolean): RunStatus {
  if (isCancelled) return 'Cancelled';
  const failed = graph.Steps.filter(({ Key }) => hasFailed(states.get(Key)));
  if (failed.some((step) => !isHandled(graph, step))) return 'Failed';
  // In a workflow resumed for a single step, steps that were not requested again did not run.
  const isUndone = graph.Steps.some(({ Key }) => !SKIPPED_REASONS.includes(states.get(Key)?.NotRunBecause ?? null));
  if (isUndone) return 'Cancelled';
  const hasWarned = graph.Steps.some(({ Key }) => states.get(Key)?.Status === 'SucceededWarn');
  return failed.length > 0 || hasWarned ? 'SucceededWarn' : 'Succeeded';
}

/**
 * An existing failure edge was always taken. If its target did not run, another failure prevented that, which counts
 * separately.
 */
function isHandled({ Steps }: WorkflowGraph, { Key, OnFailure }: WorkflowStep): boolean {
  const deals = ({ After }: WorkflowStep): boolean =>
    After.some((edge) => edge.Step === Key && edge.When === 'failure');
  return OnFailure === 'Handled' && Steps.some(deals);
}
