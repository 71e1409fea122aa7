/** Props that the parts of a step's panel share. */
import type { WorkflowStepData } from '#shared/contract/workflows.ts';
import type { WorkflowDraft } from './use-workflow-draft.ts';

/** `write` changes the step. */
export interface StepPartProps<Step extends WorkflowStepData = WorkflowStepData> {
  draft: WorkflowDraft;
  step: Step;
  isReadOnly: boolean;
  /** @param burst identifies text that is typed letter by letter */
  write: (change: Partial<Step>, burst?: string) => void;
}
