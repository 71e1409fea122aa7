import type { WorkflowGraph, InputMapping } from './types.ts';

export interface ChecklistActivity {
  ActivityId: number;
  Name: string;
  /** Inputs that receive the value of a checklist input. */
  Inputs: InputMapping[];
}

/** Returns the step key of an activity in a checklist; an activity occurs only once in a checklist. */
export const checklistStepKey = (activityId: number): string => String(activityId);

/** Compiles a checklist to a graph: its activities run one after another, each only if the previous one succeeded. */
export function compileChecklist(inputs: readonly string[], activities: readonly ChecklistActivity[]): WorkflowGraph {
  return {
    Inputs: inputs.map((Name) => ({ Name })),
    Steps: activities.map(({ ActivityId, Name, Inputs }, index) => ({
      Kind: 'Activity' as const,
      Key: checklistStepKey(ActivityId),
      Name,
      After:
        index === 0 ? [] : [{ Step: checklistStepKey(activities[index - 1]!.ActivityId), When: 'success' as const }],
      Join: 'AllSucceeded' as const,
      OnFailure: 'Stop' as const,
      ActivityId,
      Inputs,
    })),
  };
}
