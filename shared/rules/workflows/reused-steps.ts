import { hasSucceeded } from '#shared/contract/run-status.ts';
import { hasFailed } from './advance.ts';
import { orderedSteps, stepsBefore, stepsByKey } from './graph-order.ts';
import type { WorkflowGraph, StepState, StepStates } from './types.ts';

/**
 * Returns the keys of the steps whose results a resumed workflow reuses: those that succeeded, with three exceptions.
 * - Steps that handled the failure of a step that runs again now, because it may succeed this time.
 * - Decisions, which are evaluated again with the current values.
 * - Approvals after a step that runs again, because its results may differ from what was approved.
 */
export function reusedSteps(graph: WorkflowGraph, states: StepStates): ReadonlySet<string> {
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

/** A step that a user runs again: either alone, or together with the unsuccessful steps after it. */
export interface StepAgain {
  StepKey: string;
  GoOn: boolean;
  /** The only row to run again; if absent, all unsuccessful rows. */
  RowKey?: string;
}

/**
 * Returns the keys of the steps whose results are reused when one step runs again: all other steps, whatever their
 * outcome. With GoOn, only those of the steps after it that `reusedSteps` contains. Approvals after it are requested
 * again, because they approved other outputs.
 */
export function reusedBeside(
  graph: WorkflowGraph,
  states: StepStates,
  { StepKey, GoOn }: StepAgain,
): ReadonlySet<string> {
  const resumed = reusedSteps(graph, states);
  const isAgain = ({ Key, Kind }: WorkflowGraph['Steps'][number]): boolean => {
    if (Key === StepKey) return true;
    if (!stepsBefore(graph, Key).has(StepKey)) return false;
    const isApproved = Kind === 'Approval' && hasSucceeded(states.get(Key)?.Status ?? 'Failed');
    return isApproved || (GoOn && !resumed.has(Key));
  };
  return new Set(graph.Steps.filter((step) => !isAgain(step)).map(({ Key }) => Key));
}

/** Returns whether a step of an ended workflow can be run again: not if it succeeded, nor if a branch skipped it. */
export const canRunAgain = (state: StepState | undefined): boolean =>
  state !== undefined && !hasSucceeded(state.Status) && state.NotRunBecause !== 'LeftOut';

/**
 * Returns whether no step before this one runs again. Decisions over the same values have the same outcome, so they do
 * not count.
 */
function isAllReused(
  graph: WorkflowGraph,
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
