/** The outputs that steps pass on, for drawing workflows: only the properties that determine what fits. */
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { joinedTables } from './joined-rows.ts';
import type { WorkflowStep } from './types.ts';

/** The properties of an input or output that determine what fits it. */
export type ValueShape = Pick<InputInfo | OutputInfo, 'RangeType' | 'CellUsages' | 'ColumnHeaderValues'>;

export interface PassedOutput {
  Name: string;
  Info: ValueShape;
}

/** By activity id. */
export type OutputsById = ReadonlyMap<number, { Outputs: readonly PassedOutput[] }>;

/**
 * Returns what later steps can use from a step: the outputs of an activity, or the combined tables of a ForEach step.
 */
export function stepOutputs(step: WorkflowStep, activities: OutputsById): readonly PassedOutput[] {
  const outputs = 'ActivityId' in step ? (activities.get(step.ActivityId)?.Outputs ?? []) : [];
  return step.Kind === 'ForEach' ? joinedTables(outputs.map(asOutput)) : outputs;
}

const asOutput = ({ Name, Info }: PassedOutput): { Name: string; Info: OutputInfo } => ({
  Name,
  Info: {
    ...Info,
    CalculateImmediately: false,
    SqlNames: [],
    HeaderRows: 0,
    HeaderCols: 0,
    RowsVariable: true,
    RowHeaderValues: [],
    Formats: [],
  },
});
