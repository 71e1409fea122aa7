/** What must be true before an ended run is continued in a new one. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { mayRun, type ChecklistAccess } from '#server/access/checklist-access.ts';
import type { VisibleWorkflowRun } from '#server/access/checklist-run-access.ts';
import type { MemberRow } from '#server/access/find-checklist.ts';
import type { Database } from '#server/db/database.ts';
import { startersOf } from '#server/workflows/approvals/approvers.ts';
import {
  requireReusable,
  requireStartedEnded,
  type ChangedRows,
  type PlannedResume,
} from '#server/workflows/reused-runs.ts';
import type { RunAgain } from '#shared/rules/workflows/steps-again.ts';
import type { WorkflowPlan } from '#shared/rules/workflows/types.ts';
import { requireRunnable } from './checklist-start-service.ts';
import { isActivityUse } from './entered-inputs.ts';
import { requireVersionsFit, type LatestVersions, type LatestVersionsDeps } from './latest-versions.ts';
import { requireApprovers } from './start-approvers.ts';

export interface ResumeChecksDeps extends LatestVersionsDeps {
  database: Database;
  access: ChecklistAccess;
}

export interface ResumeToCheck {
  found: VisibleWorkflowRun;
  what: RunAgain;
  planned: PlannedResume;
  Versions: WorkflowPlan['Versions'];
  latest: LatestVersions;
  changed?: ChangedRows | undefined;
}

/**
 * Returns whether steps with effects must be confirmed. Steps that succeeded and run again may repeat their effects;
 * resuming repeats no step that succeeded.
 */
export const isConfirmable = ({ From, ChangedInputs = [] }: RunAgain): boolean =>
  From?.Following === 'All' || ChangedInputs.length > 0;

/**
 * Throws an AppError that says why the run cannot be continued like this: a lost right, an inactive activity, a purged
 * file or value, a version that does not fit, too few approvers, or runs that still execute.
 */
export async function requireReady(deps: ResumeChecksDeps, person: Person, check: ResumeToCheck): Promise<void> {
  const { found, what, planned, Versions, latest, changed } = check;
  const { knex } = deps.database;
  const uses = planned.plan.Graph.Steps.filter(isActivityUse).filter(({ Key }) => planned.again.has(Key));
  const again = latest.activities.filter(({ Id }) => uses.some(({ ActivityId }) => ActivityId === Id));
  await requireMayRun(deps, person, again);
  await requireFiles(deps, again, Versions);
  const changedInputs = what.ChangedInputs ?? [];
  await requireVersionsFit(deps, person, { planned, Versions, activities: latest.activities, changedInputs });
  await requireReusable(knex, planned, changed);
  if (what.From ?? what.ChangedInputs) await requireStartedEnded(knex, planned);
  const asked = planned.plan.Graph.Steps.filter(({ Key }) => planned.again.has(Key));
  await requireApprovers(knex, [person.UserId, ...(await startersOf(knex, found.run.Id))], asked);
}

/** The activities of an older run need not be those of the workflow now. */
async function requireMayRun({ access }: ResumeChecksDeps, person: Person, again: readonly MemberRow[]): Promise<void> {
  const scopes = await access.scopes(person);
  const activities = again.map((activity) => ({ ...activity, CanRun: mayRun(activity, scopes) }));
  requireRunnable({ activities, CanRun: activities.every(({ CanRun }) => CanRun) });
}

/** Only files of versions that are not the newest are ever purged. */
async function requireFiles(
  { versions }: ResumeChecksDeps,
  again: readonly MemberRow[],
  Versions: WorkflowPlan['Versions'],
): Promise<void> {
  for (const { Id, Name, Version: newest } of again) {
    const number = Versions[Id];
    if (number === undefined || number >= newest) continue;
    const version = await versions.get(Id, number);
    if (version?.definition.procedure || version?.file) continue;
    const text = `The file of version ${number} of '${Name}' was purged: run the steps with the latest versions`;
    throw new AppError('versionPurged', 409, text);
  }
}
