import { hasSucceeded } from '#shared/contract/run-status.ts';
import { hasFailed } from './advance.ts';
import { orderedSteps } from './graph-order.ts';
import type { ChainGraph, StepStates } from './types.ts';

/**
 * The keys of the steps that a resumed chain keeps: those that succeeded. Not what dealt with a failure of a step that now runs again, as it
 * may succeed this time; and not decisions, which are made anew from what there is then.
 */
export function keptSteps(graph: ChainGraph, states: StepStates): ReadonlySet<string> {
  const kept = new Set<string>();
  for (const { Key, Kind, After } of orderedSteps(graph)) {
    const state = states.get(Key);
    if (Kind === 'Decision' || !state || state.NotRunBecause || !hasSucceeded(state.Status)) continue;
    const dealtWithFailure = After.some(({ Step, When }) => When === 'failure' && hasFailed(states.get(Step)));
    if (!dealtWithFailure) kept.add(Key);
  }
  return kept;
}
