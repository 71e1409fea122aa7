/** Decides which steps of an ended workflow run again in a new run, which reuses the results of all others. */
import { hasSucceeded } from '#shared/contract/run-status.ts';
import { isSameInputName } from '#shared/rules/checklist-rules.ts';
import { advance, hasFailed } from './advance.ts';
import { orderedSteps, stepsBefore } from './graph-order.ts';
import { readsOfStep } from './source-reads.ts';
import type { WorkflowGraph, WorkflowStep, StepState, StepStates } from './types.ts';

/**
 * Which of the steps after a chosen one run again with it. None: only approvals that were given, because they approved
 * other results. Unsuccessful: also those that a resumed workflow would run. All: all of them.
 */
export const FOLLOWING = ['None', 'Unsuccessful', 'All'] as const;
export type Following = (typeof FOLLOWING)[number];

export interface AgainFrom {
  /** Keys of the chosen steps. Unless all steps after them run again, they must not have succeeded. */
  Steps: readonly string[];
  Following: Following;
  /** The only row of the chosen For each step to run again; if absent, all rows, or all that did not succeed. */
  RowKey?: string;
}

/** What a person runs again. If both are absent, the workflow is resumed: what did not succeed runs again. */
export interface RunAgain {
  From?: AgainFrom;
  /**
   * Names of the inputs of the workflow that get other values. The steps that read them run again, and all steps after
   * these.
   */
  ChangedInputs?: readonly string[];
}

export const AGAIN_REASONS = ['Resumed', 'Chosen', 'After', 'Input'] as const;
/**
 * Resumed: it did not succeed, or must be decided again. Chosen: a person chose it. After: it comes after a step that
 * runs again. Input: it reads an input that has changed.
 */
export type AgainReason = (typeof AGAIN_REASONS)[number];

export const AGAIN_ROWS = ['All', 'Unsuccessful', 'One'] as const;

export interface StepAgain {
  Because: AgainReason;
  /** Which rows of a For each step run again. All: its table is read again. */
  Rows: (typeof AGAIN_ROWS)[number];
}

/** Returns the steps that run again, by key. */
export function stepsAgain(
  graph: WorkflowGraph,
  states: StepStates,
  { From, ChangedInputs = [] }: RunAgain,
): ReadonlyMap<string, StepAgain> {
  const again = new Map<string, StepAgain>();
  const reused = reusedSteps(graph, states);
  const affected = new Set<string>();
  for (const step of orderedSteps(graph)) {
    const before = stepsBefore(graph, step.Key);
    const reads = readsInput(graph, step, ChangedInputs);
    if (reads || affected.values().some((key) => before.has(key))) {
      affected.add(step.Key);
      again.set(step.Key, { Because: reads ? 'Input' : 'After', Rows: 'All' });
    } else if (!From) {
      if (!reused.has(step.Key)) again.set(step.Key, { Because: 'Resumed', Rows: 'Unsuccessful' });
    } else {
      const found = againFrom(From, step, { before, state: states.get(step.Key), isReused: reused.has(step.Key) });
      if (found) again.set(step.Key, found);
    }
  }
  return again;
}

/** Returns whether a step reads one of these inputs of the workflow, also through an expression. */
const readsInput = (graph: WorkflowGraph, step: WorkflowStep, names: readonly string[]): boolean =>
  readsOfStep(graph, step).some(
    ({ Kind, Name }) => Kind === 'Input' && names.some((one) => isSameInputName(one, Name)),
  );

interface Around {
  /** Keys of its transitive predecessors. */
  before: ReadonlySet<string>;
  state: StepState | undefined;
  /** Whether a resumed workflow would reuse it. */
  isReused: boolean;
}

function againFrom(
  { Steps, Following, RowKey }: AgainFrom,
  { Key, Kind }: WorkflowStep,
  { before, state, isReused }: Around,
): StepAgain | null {
  const Rows = Following === 'All' ? 'All' : 'Unsuccessful';
  if (Steps.includes(Key)) return { Because: 'Chosen', Rows: RowKey === undefined ? Rows : 'One' };
  if (!Steps.some((chosen) => before.has(chosen))) return null;
  const wasGiven = Kind === 'Approval' && hasSucceeded(state?.Status ?? 'Failed');
  const follows = wasGiven || Following === 'All' || (Following === 'Unsuccessful' && !isReused);
  return follows ? { Because: 'After', Rows } : null;
}

/**
 * Returns the keys of the steps whose results a resumed workflow reuses: those that succeeded, with two exceptions.
 * - Steps that handled the failure of a step that runs again now, because it may succeed this time.
 * - Decisions and approvals after a step that runs again, because its results may differ from what was decided. All other
 *   decisions stay: a formula over the time could decide otherwise now, and steps of both branches would have run.
 */
function reusedSteps(graph: WorkflowGraph, states: StepStates): ReadonlySet<string> {
  const reused = new Set<string>();
  for (const { Key, Kind, After } of orderedSteps(graph)) {
    const state = states.get(Key);
    if (!state || state.NotRunBecause || !hasSucceeded(state.Status)) continue;
    const dealtWithFailure = After.some(({ Step, When }) => When === 'failure' && hasFailed(states.get(Step)));
    const isDecided = Kind === 'Decision' || Kind === 'Approval';
    if (dealtWithFailure || (isDecided && !isAllReused(graph, Key, { states, reused }))) continue;
    reused.add(Key);
  }
  return reused;
}

/** Returns whether no step before this one runs again. */
const isAllReused = (
  graph: WorkflowGraph,
  key: string,
  { states, reused }: { states: StepStates; reused: ReadonlySet<string> },
): boolean =>
  [...stepsBefore(graph, key)].every((before) => reused.has(before) || states.get(before)?.NotRunBecause === 'LeftOut');

/**
 * Returns the steps that would run again, but will not, because a reused result already decides that. The values are
 * the reasons, by step key. What the steps that run again will decide is not known yet.
 */
export function neverAgain(
  graph: WorkflowGraph,
  states: StepStates,
  again: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, string> {
  const reused = [...states].filter(([key]) => !again.has(key));
  const kept = new Map(reused.map(([key, state]): [string, StepState] => [key, { ...state, IsKept: true }]));
  return new Map(advance(graph, kept).notRun.map(({ Key, Text }) => [Key, Text]));
}
