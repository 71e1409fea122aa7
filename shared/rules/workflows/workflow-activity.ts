import type { Input, Output } from '#shared/contract/parameters.ts';
import type { WorkflowActivity } from '#shared/contract/workflows.ts';
import { isMappable } from '#shared/rules/checklist-rules.ts';
import type { ValueShape } from './step-outputs.ts';

interface KnownActivity extends Pick<WorkflowActivity, 'Id' | 'Name' | 'Schema' | 'IsActive'> {
  Inputs: readonly Pick<Input, 'Name' | 'Info' | 'PresetValue'>[];
  Outputs: readonly Pick<Output, 'Name' | 'Info'>[];
}

/** Returns what drawing a workflow requires about an activity. */
export function workflowActivity({ Id, Name, Schema, IsActive, Inputs, Outputs }: KnownActivity): WorkflowActivity {
  return {
    Id,
    Name,
    Schema,
    IsActive,
    Inputs: Inputs.map((input) => ({
      Name: input.Name,
      IsMappable: isMappable(input),
      IsOptional: input.Info.AllowDefaultValue,
      Info: shapeOf(input.Info),
    })),
    Outputs: Outputs.map((output) => ({ Name: output.Name, Info: shapeOf(output.Info) })),
  };
}

const shapeOf = ({ RangeType, CellUsages, ColumnHeaderValues }: ValueShape): ValueShape => ({
  RangeType,
  CellUsages,
  ColumnHeaderValues,
});
