import type { WatchedRun } from './alerts-repository.ts';
import { isProblem } from './default-rules.ts';

/**
 * Returns the subject for which an alert fires only once. All runs of a workflow run share one subject, and so do all
 * child runs of a run.
 */
export function subjectKey(run: WatchedRun, isWorkflowRun: boolean): string {
  if (isWorkflowRun) return `chain ${run.Id}`;
  if (run.ChecklistRunId !== null) return `chain ${run.ChecklistRunId}`;
  return run.ParentRunId === null ? `run ${run.Id}` : `children ${run.ParentRunId}`;
}

/**
 * Returns the subject for which a rule on outcomes fires only once. Only failures share the subject of the whole: a
 * step that succeeded must not hide that a later one fails, or that the workflow succeeds.
 */
export function outcomeSubject(run: WatchedRun, isWorkflowRun: boolean): string {
  const whole = subjectKey(run, isWorkflowRun);
  if (isProblem(run.Status)) return whole;
  const isPart = !isWorkflowRun && (run.ChecklistRunId !== null || run.ParentRunId !== null);
  return isPart && run.Status === 'Succeeded' ? `${whole} part Succeeded` : `${whole} ${run.Status}`;
}
