/**
 * What follows from where the steps of a chain stand. Pure: whoever asks, and however often, gets the same answer, which the database makes
 * true once.
 */
import { hasSucceeded, isPending, type RunStatus } from '#shared/contract/run-status.ts';
import { orderedSteps, stepsByKey } from './graph-order.ts';
import type { ChainEdge, ChainGraph, ChainStep, NotRunReason, StepState, StepStates } from './types.ts';

export interface NotRun {
  Key: string;
  Because: NotRunReason;
  /** For people. */
  Text: string;
}

export interface Advance {
  /** Keys of the steps that begin now. */
  start: string[];
  /** Steps that end without having begun, and approvals that nobody needs to decide any more. */
  notRun: NotRun[];
  /** Status of the whole; null while something is to come. */
  result: RunStatus | null;
}

export const CANCELLED_CHAIN = 'Not run: the run was cancelled';

/**
 * @param states of the steps that have begun or ended
 * @param isCancelled whether a person has cancelled the whole
 */
export function advance(graph: ChainGraph, states: StepStates, isCancelled = false): Advance {
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
      ? ({ Because: 'Cancelled', Text: CANCELLED_CHAIN } as const)
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

/** Whether it waits for people alone: where nothing follows of it any more, a chain that has ended else does not wait for them. */
const isWithdrawable = ({ Kind }: ChainStep, state: StepState | undefined): boolean =>
  Kind === 'Approval' && state !== undefined && isPending(state.Status);

/** Whether it began and came to no good end. */
export const hasFailed = (state: StepState | undefined): boolean =>
  state !== undefined && !state.NotRunBecause && !isPending(state.Status) && !hasSucceeded(state.Status);

type EdgeEnd = 'pending' | 'taken' | 'leftOut' | 'blocked';

function endOfEdge({ When }: ChainEdge, source: ChainStep | undefined, state: StepState | undefined): EdgeEnd {
  if (!source || !state || isPending(state.Status)) return 'pending';
  if (state.NotRunBecause) return state.NotRunBecause === 'LeftOut' ? 'leftOut' : 'blocked';
  if (When === 'always') return 'taken';
  if (hasFailed(state)) {
    if (When === 'failure') return 'taken';
    // Where the failure is dealt with, what would have followed a success is a branch like any other.
    return source.OnFailure === 'Handled' ? 'leftOut' : 'blocked';
  }
  return leadsOn(When, state) ? 'taken' : 'leftOut';
}

function leadsOn(When: ChainEdge['When'], { Status, Holds }: StepState): boolean {
  if (When === 'yes' || When === 'no') return Holds === (When === 'yes');
  return When === 'success' || (When === 'warning' && Status === 'SucceededWarn');
}

type Verdict = 'wait' | 'start' | { Because: 'LeftOut' | 'Blocked'; Text: string };

function verdictOn(step: ChainStep, known: ReadonlyMap<string, ChainStep>, states: StepStates): Verdict {
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
      Text: leftOutText(
        edges.flatMap(({ source }) => source ?? []),
        states,
      ),
    };
  return step.Join === 'AllEnded' ? 'start' : blockedBy(blocker.source);
}

const blockedBy = (source: ChainStep | undefined): Verdict => ({
  Because: 'Blocked',
  Text: `Not run: step "${source?.Name ?? ''}" did not succeed`,
});

function leftOutText(sources: readonly ChainStep[], states: StepStates): string {
  const names = [...new Set(sources.map(({ Name }) => `"${Name}"`))].join(', ');
  const only = sources.length === 1 ? sources[0]! : undefined;
  const state = only && states.get(only.Key);
  if (only?.Kind === 'Decision' && state && !state.NotRunBecause && hasSucceeded(state.Status)) {
    return `Not run: the decision ${names} came to ${state.Holds ? 'yes' : 'no'}`;
  }
  return `Not run: what came of ${sources.length === 1 ? 'step' : 'steps'} ${names} does not lead here`;
}

const LEFT_OUT: readonly (NotRunReason | null)[] = [null, 'LeftOut'];

function resultOf(graph: ChainGraph, states: StepStates, isCancelled: boolean): RunStatus {
  if (isCancelled) return 'Cancelled';
  const failed = graph.Steps.filter(({ Key }) => hasFailed(states.get(Key)));
  if (failed.some((step) => !isHandled(graph, step))) return 'Failed';
  // Of a chain that goes on with one step alone: what nobody asked for again was not done.
  const isUndone = graph.Steps.some(({ Key }) => !LEFT_OUT.includes(states.get(Key)?.NotRunBecause ?? null));
  if (isUndone) return 'Cancelled';
  const hasWarned = graph.Steps.some(({ Key }) => states.get(Key)?.Status === 'SucceededWarn');
  return failed.length > 0 || hasWarned ? 'SucceededWarn' : 'Succeeded';
}

/** An edge on failure that is there was taken: what kept its step from running is a failure of its own. */
function isHandled({ Steps }: ChainGraph, { Key, OnFailure }: ChainStep): boolean {
  const deals = ({ After }: ChainStep): boolean => After.some((edge) => edge.Step === Key && edge.When === 'failure');
  return OnFailure === 'Handled' && Steps.some(deals);
}
