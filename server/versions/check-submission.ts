/** Checks the fields of an activity before it is stored. */
import { Value } from 'typebox/value';
import { AppError } from '#server/base/app-error.ts';
import { ActivityUpload } from '#shared/contract/versions.ts';
import { activityNameIssue, activitySubmitIssue } from '#shared/rules/activity-rules.ts';

/** Throws an AppError 400 with the specification's text for the first invalid field. */
export function checkSubmission(submission: Parameters<typeof activitySubmitIssue>[0]): void {
  const issue = activitySubmitIssue(submission);
  if (issue === null) return;
  const name = activityNameIssue(submission.Name);
  throw new AppError('activityInvalid', 400, issue, name === null ? {} : { modelState: { Name: [name] } });
}

export function checkMemoryCost(cost: number): void {
  if (!Value.Check(ActivityUpload.properties.MemoryCost, cost))
    throw new AppError('activityInvalid', 400, 'Memory Cost must not be more than 1,000,000');
}
