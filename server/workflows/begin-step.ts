/** Begins steps of each kind. Slow work is done before the transaction that begins the step. */
import { prepared as planned } from '#server/db/prepared.ts';
import { prepareApproval } from '#server/workflows/approvals/begin-approval.ts';
import { readPriorityBand } from '#server/queue/priority-bands.ts';
import type { ActivityStep, WorkflowPlan, WorkflowStep } from '#shared/rules/workflows/types.ts';
import type { PreparedStep } from './workflow-context.ts';
import { prepareDecision } from './begin-decision.ts';
import { prepareForEach } from './begin-for-each.ts';
import { RELEASED, releaseRuns } from './release-runs.ts';
import type { RunToRelease } from './run-to-release.ts';
import { missingRow, refuseRun } from './step-runs.ts';
import { readFilledInputs } from './filled-values.ts';
import { readStoredInputs } from './step-values.ts';
import type { BeginStep, StepContext } from './step-context.ts';

export async function prepareBegin(context: StepContext, step: WorkflowStep): Promise<BeginStep> {
  if (step.Kind === 'Activity') return prepareRun(context, step);
  if (step.Kind === 'Decision') return prepareDecision(context, step);
  if (step.Kind === 'ForEach') return prepareForEach(context, step);
  return prepareApproval(context, step);
}

async function prepareRun(context: StepContext, step: ActivityStep): Promise<BeginStep> {
  const { database, plan, workflowRun } = context;
  const { knex } = database;
  const waiting = knex('ActivityRuns').where({
    ChecklistRunId: workflowRun.Id,
    StepKey: step.Key,
    WaitsForSteps: true,
  });
  // If nothing fills its inputs now, the only check is whether the person may run the activity.
  const isFilledNow = step.Inputs.some(({ From }) => From.Kind === 'Output' || From.Kind === 'Expression');
  const nothing = { ...versionOf(plan, step), UserId: workflowRun.UserId, upstreamValues: new Map(), stored: [] };
  const [run, band, known] = await Promise.all([
    planned(waiting.first(RELEASED)) as Promise<RunToRelease | undefined>,
    readPriorityBand(knex, step.ActivityId),
    isFilledNow ? null : context.prepareStep(nothing),
  ]);
  if (!run) return missingRow(workflowRun.Id, step.Key);
  const prepared = known ?? (await prepareInputs(context, step, run));
  return async (trx, slots) => {
    if (prepared.refused !== null) {
      await refuseRun(trx, run.Id, prepared);
      return { released: [], isMore: true };
    }
    const released = await releaseRuns(trx, [{ run, inputs: prepared.inputs }], { band, slots });
    return { released, isMore: released.length === 0 };
  };
}

const versionOf = ({ Versions }: WorkflowPlan, { ActivityId }: ActivityStep) => ({
  ActivityId,
  ActivityVersion: Versions[ActivityId]!,
});

async function prepareInputs(context: StepContext, step: ActivityStep, run: RunToRelease): Promise<PreparedStep> {
  const { database, workflowRun, prepareStep } = context;
  const upstream = await readFilledInputs(context, step);
  if (upstream.refused !== null) return upstream;
  const { upstreamValues } = upstream;
  const stored = await readStoredInputs(database.knex, run.Id);
  const { ActivityId, ActivityVersion } = run;
  return prepareStep({ UserId: workflowRun.UserId, ActivityId, ActivityVersion, upstreamValues, stored });
}
