import type { ChainGraph, InputMapping } from './types.ts';

export interface ChecklistActivity {
  ActivityId: number;
  Name: string;
  /** Inputs that take the value of an input of the checklist. */
  Inputs: InputMapping[];
}

/** Key of an activity's step in a checklist: an activity is in it once. */
export const checklistStepKey = (activityId: number): string => String(activityId);

/** The graph of a checklist: its activities one after another, each if the one before succeeded. */
export function compileChecklist(inputs: readonly string[], activities: readonly ChecklistActivity[]): ChainGraph {
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
