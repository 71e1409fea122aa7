/** What of an activity can be calculated without a run. */
import type { ActivityDefinition, StepAction, StepDefinition } from '#server/executors/executor.ts';

/** What makes something outside the run: a row, a mail, a file, another run. */
const CHANGING: readonly StepAction[] = ['Write', 'Export', 'Mail', 'Start'];
/** What the calculation cannot do without, and that is answered to runs alone. */
const ASKING: readonly StepAction[] = ['Query', 'Prompt'];

/** Whether a trial does without the step. */
export const isLeftOut = ({ Action }: StepDefinition): boolean => CHANGING.includes(Action);

/** Why nothing can be tried of it, for people; null where it can. */
export function trialObstacle({ procedure, steps }: ActivityDefinition): string | null {
  if (procedure) return 'A stored procedure cannot be tried without running it';
  const asking = steps.find(({ Action }) => ASKING.includes(Action));
  if (!asking) return null;
  const what = asking.Action === 'Query' ? 'reads from a database' : 'asks a person';
  return `The activity cannot be tried: its step ${asking.Step} ${what}, which only a run does`;
}
