/** Prepares the checklists and workflows that schedules start. */
import type { NewWorkflowRun, NewStep } from '#server/workflows/start-workflow-run.ts';
import type { SuppliedInputs, Refusal, StartedBy } from './scheduled-runs.ts';

/** The checklist run to start, or why it cannot be started. */
export type ScheduledWorkflowStart =
  | Refusal
  | { refused: null; workflowRun: NewWorkflowRun; steps: readonly NewStep[] };

/** Prepares a start on behalf of the person whom a schedule runs as. */
export interface WorkflowScheduleStarter {
  /** Checks whether the person may still run the checklist, and returns what to start. */
  prepare: (
    checklistId: number,
    userId: number,
    supplied?: Exclude<SuppliedInputs, 'kept'>,
    by?: StartedBy,
  ) => Promise<ScheduledWorkflowStart>;
  /** Returns why the person may no longer see the checklist, or null if they may. */
  refusal: (checklistId: number, userId: number) => Promise<Refusal | null>;
}
