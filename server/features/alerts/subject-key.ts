import type { WatchedRun } from './alerts-repository.ts';

/**
 * Returns the subject for which an alert fires only once. All runs of a workflow run share one subject, and so do all
 * child runs of a run.
 */
export function subjectKey(run: WatchedRun, isWorkflowRun: boolean): string {
  if (isWorkflowRun) return `chain ${run.Id}`;
  if (run.ChecklistRunId !== null) return `chain ${run.ChecklistRunId}`;
  return run.ParentRunId === null ? `run ${run.Id}` : `children ${run.ParentRunId}`;
}
