/** The log entries that say what a person runs again. */
import type { Knex } from 'knex';
import { NOT_RUN_LINE } from '#server/queue/run-log-lines.ts';
import type { AgainFrom, RunAgain } from '#shared/rules/workflows/steps-again.ts';
import type { WorkflowPlan } from '#shared/rules/workflows/types.ts';
import { insertWorkflowLogLine } from './other-steps.ts';

const CONFIRMED = 'It was confirmed that this step runs and changes something outside the portal';

export async function logResumed(
  trx: Knex.Transaction,
  ChecklistRunId: number,
  plan: WorkflowPlan,
  what: RunAgain & { confirmed?: readonly string[] },
): Promise<void> {
  const Message = textOf(plan, what);
  if (Message !== null)
    await insertWorkflowLogLine(trx, { ChecklistRunId, StepKey: null }, { ...NOT_RUN_LINE, Message });
  for (const StepKey of what.confirmed ?? [])
    await insertWorkflowLogLine(trx, { ChecklistRunId, StepKey }, { ...NOT_RUN_LINE, Message: CONFIRMED });
}

/** Returns null for a run that is simply resumed. */
function textOf(plan: WorkflowPlan, { From, ChangedInputs = [] }: RunAgain): string | null {
  const inputs = ChangedInputs.map((name) => `"${name}"`).join(', ');
  if (!From) return inputs === '' ? null : `Resumed with other values for ${inputs}`;
  const row = From.RowKey === undefined ? '' : `row "${From.RowKey}" of `;
  const what = `${row}${stepsText(plan, From)}`;
  if (From.Following === 'All') {
    const values = inputs === '' ? '' : `, with other values for ${inputs}`;
    return `Runs again from ${what}${values}; everything else is reused`;
  }
  const rest = From.Following === 'Unsuccessful' ? ' and the steps after it' : '';
  return `Only ${what}${rest} will run again; everything else stays unchanged`;
}

function stepsText({ Graph }: WorkflowPlan, { Steps }: AgainFrom): string {
  const names = Graph.Steps.filter(({ Key }) => Steps.includes(Key)).map(({ Name }) => `"${Name}"`);
  return names.length === 1 ? `step ${names[0]}` : `the steps ${names.join(', ')}`;
}
