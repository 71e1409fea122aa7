/** The form of a checklist as that of an activity: its inputs are asked for, kept and checked the same way. */
import type { Activity } from '#shared/contract/activities.ts';
import type { ChecklistRunInput } from '#shared/contract/checklist-runs.ts';
import type { Checklist, ChecklistInput } from '#shared/contract/checklists.ts';
import type { Input, RunInput } from '#shared/contract/parameters.ts';
import { EDITED_AS_WORKFLOW, isMappable, NOT_MAPPED } from '#shared/rules/checklist-rules.ts';
import { NO_PERMISSION } from '#renderer/api/app-failure.ts';
import type { FormOrigin } from '#renderer/features/runs/form/form-origin.ts';
import { t } from '#renderer/language/translate.ts';

/** Why the checklist cannot be run, as a checklist or as a workflow; null where it can. */
export function notRunnableText(checklist: Checklist, isWorkflow: boolean): string | null {
  const { Workflow, WorkflowId, UnmappedInputs, Activities, CanRun } = checklist;
  if (!isWorkflow && Workflow !== null) return EDITED_AS_WORKFLOW;
  const isUnmapped = UnmappedInputs.some((input) => isMappable(input) || isUnconfigured(input));
  if (!isWorkflow && (WorkflowId === null || isUnmapped)) return NOT_MAPPED;
  const inactive = Activities.filter(({ IsActive }) => !IsActive).map(({ Name }) => Name);
  if (inactive.length > 0) return t('Not active: {inactive}', { inactive: inactive.join(', ') });
  if (CanRun) return null;
  const refused = Activities.filter((activity) => !activity.CanRun).map(({ Name }) => Name);
  return refused.length > 0 ? `${NO_PERMISSION}: ${refused.join(', ')}` : NO_PERMISSION;
}

const isUnconfigured = ({ Info, PresetValue }: Input): boolean =>
  Info.CellUsages[0] === 'StaticFolder' && PresetValue === null;

/** A checklist as the run form takes it; its Id is that of the checklist, its Version the checklist's Revision. */
export function asActivity(checklist: Checklist, isRunnable: boolean): Activity {
  const { Id, Name, Description, Schema, Group, Order, CanEdit, LastRun, Revision } = checklist;
  return {
    Id,
    Name,
    Description,
    Schema,
    Group,
    Order,
    CanEdit,
    LastRun,
    Revision,
    Version: Revision,
    Type: 'Workbook',
    ProcedureName: null,
    Function: '',
    SingleRun: true,
    IsActive: true,
    MemoryCost: 0,
    DisplayInfo: { RunActivityTitle: '', StartDisplayName: '', Classifications: [] },
    CanRun: isRunnable,
    Inputs: checklist.Inputs.toSorted((a, b) => a.Order - b.Order).flatMap(asInput),
    Outputs: [],
    ActivityLinks: [],
    Schedule: null,
    RunRetention: null,
    IsRunning: false,
  };
}

/** The first input of a name is the one that people see; nobody changes what they may not change in one of its activities. */
function asInput({ InputName, ActivityInputs }: ChecklistInput): Input[] {
  const [first] = ActivityInputs;
  if (!first) return [];
  const HasAccess = ActivityInputs.every((input) => input.HasAccess);
  return [{ ...first, Name: InputName, HasAccess }];
}

export function originOf(
  { Inputs, WorkflowId, WorkflowVersion, Workflow }: Checklist,
  isWorkflow: boolean,
): FormOrigin {
  return {
    kind: 'checklist',
    workflowId: isWorkflow ? (Workflow?.Id ?? null) : WorkflowId,
    workflowVersion: isWorkflow ? (Workflow?.Version ?? null) : WorkflowVersion,
    inputs: Inputs,
  };
}

/** The inputs of an earlier run by the names of the checklist's own. */
export const asRunInputs = (inputs: readonly ChecklistRunInput[]): RunInput[] =>
  inputs.map(({ ChecklistInputName, ...input }) => ({ ...input, Name: ChecklistInputName }));
