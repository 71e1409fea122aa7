import { hasSucceeded } from '#shared/contract/run-status.ts';
import { hasFailed } from './advance.ts';
import { orderedSteps, stepsBefore, stepsByKey } from './graph-order.ts';
import type { ChainGraph, StepState, StepStates } from './types.ts';

/**
 * The keys of the steps whose results a resumed chain uses again: those that succeeded. Not what dealt with a failure of a step that now runs
 * again, as it may succeed this time; not decisions, which are made anew from what there is then; and not approvals after anything that runs again, as it may
 * come to something else than what was approved.
 */
export function reusedSteps(graph: ChainGraph, states: StepStates): ReadonlySet<string> {
  const reused = new Set<string>();
  for (const { Key, Kind, After } of orderedSteps(graph)) {
    const state = states.get(Key);
    if (Kind === 'Decision' || !state || state.NotRunBecause || !hasSucceeded(state.Status)) continue;
    const dealtWithFailure = After.some(({ Step, When }) => When === 'failure' && hasFailed(states.get(Step)));
    if (dealtWithFailure || (Kind === 'Approval' && !isAllReused(graph, Key, { states, reused }))) continue;
    reused.add(Key);
  }
  return reused;
}

/** A step that is run again by hand: alone, or with what comes after it and did not succeed. */
export interface StepAgain {
  StepKey: string;
  GoOn: boolean;
  /** The one of its rows that is run again; all that did not succeed where absent. */
  RowKey?: string;
}

/**
 * The keys of the steps whose results a chain uses again in which one step runs again: those of all others, as they ended, whatever that was.
 * Where it is to go on, of those after it the ones of `reusedSteps`. What was approved after it was approved with other outputs, and is asked again.
 */
export function reusedBeside(graph: ChainGraph, states: StepStates, { StepKey, GoOn }: StepAgain): ReadonlySet<string> {
  const resumed = reusedSteps(graph, states);
  const isAgain = ({ Key, Kind }: ChainGraph['Steps'][number]): boolean => {
    if (Key === StepKey) return true;
    if (!stepsBefore(graph, Key).has(StepKey)) return false;
    const isApproved = Kind === 'Approval' && hasSucceeded(states.get(Key)?.Status ?? 'Failed');
    return isApproved || (GoOn && !resumed.has(Key));
  };
  return new Set(graph.Steps.filter((step) => !isAgain(step)).map(({ Key }) => Key));
}

/** Whether a step of a chain that has ended can be run again: not one that succeeded, nor one that a branch left out. */
export const canRunAgain = (state: StepState | undefined): boolean =>
  state !== undefined && !hasSucceeded(state.Status) && state.NotRunBecause !== 'LeftOut';

/** Whether of all that ran before a step nothing runs again; decisions over the same values come to the same. */
function isAllReused(
  graph: ChainGraph,
  key: string,
  { states, reused }: { states: StepStates; reused: ReadonlySet<string> },
): boolean {
  const known = stepsByKey(graph);
  return [...stepsBefore(graph, key)].every((before) => {
    const state = states.get(before);
    if (known.get(before)?.Kind === 'Decision') return state !== undefined && hasSucceeded(state.Status);
    return reused.has(before) || state?.NotRunBecause === 'LeftOut';
  });
}
