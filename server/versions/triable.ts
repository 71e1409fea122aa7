/** Determines which parts of an activity can be calculated without a run. */
import type { RetryEffect } from '#shared/contract/run-failures.ts';
import type { ActivityDefinition, StepAction, StepDefinition } from '#server/executors/activity-definition.ts';

/** Steps that change something outside the run: a row, a mail, a file, another run. */
const CHANGING = ['Write', 'Export', 'Mail', 'Start'] as const satisfies readonly StepAction[];
/** Steps whose results the calculation needs, and that only work in a run. */
const ASKING: readonly StepAction[] = ['Query', 'Prompt'];

/** Returns what a run of the activity changes outside the run. 'Procedure' is a stored procedure, which may change anything. */
export function effectsOf({ procedure, steps }: ActivityDefinition): RetryEffect[] {
  const effects = CHANGING.filter((action) => steps.some(({ Action }) => Action === action));
  return procedure ? ['Procedure', ...effects] : effects;
}

/** Returns whether a trial skips the step. */
export const isSkippedInTrial = ({ Action }: StepDefinition): boolean => CHANGING.some((action) => action === Action);

/** Returns why the activity cannot be tried, as a text for people; null if it can. */
export function trialObstacle({ procedure, steps }: ActivityDefinition): string | null {
  if (procedure) return 'A stored procedure cannot be tried without running it';
  const asking = steps.find(({ Action }) => ASKING.includes(Action));
  if (!asking) return null;
  const what = asking.Action === 'Query' ? 'reads from a database' : 'asks a person';
  return `A trial run is not possible: the step ${asking.Step} ${what}, which only a real run can do`;
}
