/** What the parts of the panel of a step are given. */
import type { WorkflowStep } from '#shared/contract/workflows.ts';
import type { WorkflowDraft } from './use-workflow-draft.ts';

/** What its parts change of the step. */
export interface StepPartProps<Step extends WorkflowStep = WorkflowStep> {
  draft: WorkflowDraft;
  step: Step;
  isReadOnly: boolean;
  /** @param burst names what is typed letter by letter */
  write: (change: Partial<Step>, burst?: string) => void;
}
