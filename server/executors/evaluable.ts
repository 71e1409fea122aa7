/** Determines which activities can be calculated for rows of values, without runs. */
import type { StepAction, StepDefinition } from './activity-definition.ts';

/** Steps that only look at cells, so that each row is refused as its run would be. */
const LOOKING: readonly StepAction[] = ['Check', 'Log'];
/** Steps whose files nobody would receive, and whose results no cell needs. */
const SKIPPED: readonly StepAction[] = ['Export'];

export const isExecuted = ({ Action }: StepDefinition): boolean => LOOKING.includes(Action);

/** Returns the steps that only a run can execute. */
export const stepsOfRuns = (steps: readonly StepDefinition[]): StepDefinition[] =>
  steps.filter(({ Action }) => !LOOKING.includes(Action) && !SKIPPED.includes(Action));
