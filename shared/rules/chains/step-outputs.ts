/** What steps hand on, for those who draw them: as much of it as says what fits. */
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { joinedTables } from './joined-rows.ts';
import type { ChainStep } from './types.ts';

/** Of an input or output as much as says what fits it. */
export type ValueShape = Pick<InputInfo | OutputInfo, 'RangeType' | 'CellUsages' | 'ColumnHeaderValues'>;

export interface HandedOn {
  Name: string;
  Info: ValueShape;
}

/** By the activity's id. */
export type OutputsById = ReadonlyMap<number, { Outputs: readonly HandedOn[] }>;

/** What later steps can take of one: of an activity its outputs, of a For each the tables that its rows give together. */
export function stepOutputs(step: ChainStep, activities: OutputsById): readonly HandedOn[] {
  const outputs = 'ActivityId' in step ? (activities.get(step.ActivityId)?.Outputs ?? []) : [];
  return step.Kind === 'ForEach' ? joinedTables(outputs.map(asOutput)) : outputs;
}

const asOutput = ({ Name, Info }: HandedOn): { Name: string; Info: OutputInfo } => ({
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
