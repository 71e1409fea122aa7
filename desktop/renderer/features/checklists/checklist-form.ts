/**
 * Adapts a checklist to the run form of an activity, so that its inputs are filled in, stored and validated the same
 * way.
 */
import type { Activity } from '#shared/contract/activities.ts';
import type { ChecklistRunInput } from '#shared/contract/checklist-runs.ts';
import type { Checklist, ChecklistInput } from '#shared/contract/checklists.ts';
import type { Input, RunInput } from '#shared/contract/parameters.ts';
import { EDITED_AS_WORKFLOW, isMappable, NOT_MAPPED } from '#shared/rules/checklist-rules.ts';
import { NO_PERMISSION } from '#renderer/api/app-failure.ts';
import type { FormOrigin } from '#renderer/features/run-form/form-origin.ts';
import { t } from '#renderer/language/translate.ts';

/** Returns why the checklist cannot be run as a checklist or as a workflow; null if it can. */
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

export type FormChecklist = Pick<
  Checklist,
  'Id' | 'Name' | 'Description' | 'Schema' | 'Group' | 'Order' | 'CanEdit' | 'LastRun' | 'Revision' | 'Inputs'
>;

/** Returns the checklist as the run form expects it: Id is the checklist's id, Version is its Revision. */
export function asActivity(checklist: FormChecklist, isRunnable: boolean): Activity {
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

/**
 * Returns the input that people see: the first one of its name. It is editable only if the user may change it in all
 * activities.
 */
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

/** Returns the inputs of an earlier run under the checklist's own input names. */
export const asRunInputs = (inputs: readonly ChecklistRunInput[]): RunInput[] =>
  inputs.map(({ ChecklistInputName, ...input }) => ({ ...input, Name: ChecklistInputName }));
