import { AppError } from '#server/base/app-error.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { approversIssue } from '#server/workflows/approvals/approvers.ts';
import type { WorkflowStep } from '#shared/rules/workflows/types.ts';

/**
 * Throws an AppError 409 if an approval step has too few approvers, so that a run does not fail for that reason at a
 * late step.
 * @param starterIds the user who starts the run, and those who started the runs that it resumes
 */
export async function requireApprovers(
  db: Db,
  starterIds: readonly number[],
  steps: readonly WorkflowStep[],
): Promise<void> {
  for (const step of steps) {
    if (step.Kind !== 'Approval') continue;
    const { Roles, UserIds, Needed, StarterMayApprove } = step;
    const Except = StarterMayApprove ? [] : [...starterIds];
    const issue = await approversIssue(db, Needed, { Roles, UserIds, Except });
    if (issue !== null) throw new AppError('noApprovers', 409, `The workflow cannot be run. ${step.Name}: ${issue}`);
  }
}
