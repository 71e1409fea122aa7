/** The values that a step reads, wherever it uses them. */
import { isSameInputName } from '#shared/rules/checklist-rules.ts';
import type { ValueSource, WorkflowStep } from './types.ts';

function readSources(step: WorkflowStep): ValueSource[] {
  switch (step.Kind) {
    case 'Activity':
      return step.Inputs.map(({ From }) => From);
    case 'ForEach':
      return [step.Rows, ...step.Inputs.map(({ From }) => From)];
    case 'Decision':
    case 'Approval':
      return step.Values.map(({ From }) => From);
  }
}

/** Returns whether the value comes from one of the inputs of the workflow. A new kind of source has to be added here. */
function isFromInput(from: ValueSource, names: readonly string[]): boolean {
  switch (from.Kind) {
    case 'Input':
      return names.some((name) => isSameInputName(name, from.Name));
    case 'Output':
    case 'Column':
      return false;
  }
}

/** Returns whether the value comes from one of the steps. A new kind of source has to be added here. */
export function isFromStep(from: ValueSource, steps: ReadonlyMap<string, unknown>): boolean {
  switch (from.Kind) {
    case 'Output':
      return steps.has(from.Step);
    case 'Input':
    case 'Column':
      return false;
  }
}

/** Returns whether the step reads one of the inputs of the workflow. */
export const readsInput = (step: WorkflowStep, names: readonly string[]): boolean =>
  readSources(step).some((from) => isFromInput(from, names));
