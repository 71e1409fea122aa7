/** The state of the checklist editor. Source: specification of activities, sections 2 and 5. */
import type { Checklist, ChecklistEdit } from '#shared/contract/checklists.ts';
import type { Input, InputInfo } from '#shared/contract/parameters.ts';
import {
  checklistIssues,
  isMappable,
  isSameInputName,
  mappingIssue,
  type ChecklistIssue,
} from '#shared/rules/checklist-rules.ts';
import { orderIssue, readOrder } from '#renderer/ui/order-field.ts';
import { t } from '#renderer/language/translate.ts';

export interface DraftActivity {
  Id: number;
  Name: string;
  Schema: string;
  CanRun: boolean;
  IsActive: boolean;
}

/** An input of one of the checklist's activities. */
export interface DraftInput {
  ActivityId: number;
  Id: number;
  Name: string;
  Info: InputInfo;
  /** Name by which the checklist asks for the input; '' if it is not mapped. */
  InputName: string;
  /** As typed; equal for all inputs of the same name. */
  Order: string;
}

export interface ChecklistDraft {
  Name: string;
  Description: string;
  Schema: string;
  Group: string;
  /** As typed. */
  Order: string;
  /** In run order. */
  activities: readonly DraftActivity[];
  /** All inputs of its activities that can be mapped. */
  inputs: readonly DraftInput[];
}

export const NEW_CHECKLIST: ChecklistDraft = {
  Name: '',
  Description: '',
  Schema: '',
  Group: '',
  Order: '',
  activities: [],
  inputs: [],
};

export function draftOf(checklist: Checklist): ChecklistDraft {
  const { Name, Description, Schema, Group, Order, Activities, Inputs, UnmappedInputs } = checklist;
  const inputOf = (input: Input, InputName: string, order: string): DraftInput => ({
    ActivityId: input.ActivityId,
    Id: input.Id,
    Name: input.Name,
    Info: input.Info,
    InputName,
    Order: order,
  });
  const mapped = Inputs.flatMap((one) =>
    one.ActivityInputs.map((input) => inputOf(input, one.InputName, String(one.Order))),
  );
  const others = UnmappedInputs.filter(isMappable).map((input) => inputOf(input, '', ''));
  return {
    Name,
    Description,
    Schema,
    Group,
    Order: Order === null ? '' : String(Order),
    activities: Activities.map(({ Id, Name: name, Schema: schema, CanRun, IsActive }) => ({
      Id,
      Name: name,
      Schema: schema,
      CanRun,
      IsActive,
    })),
    // Sort as in the workbooks.
    inputs: [...mapped, ...others].toSorted((a, b) => a.Id - b.Id),
  };
}

/** Appends the activity and its inputs. Returns the draft unchanged if it already contains the activity. */
export function withActivity(draft: ChecklistDraft, activity: DraftActivity, inputs: readonly Input[]): ChecklistDraft {
  if (draft.activities.some(({ Id }) => Id === activity.Id)) return draft;
  const added = inputs
    .filter(isMappable)
    .map(({ ActivityId, Id, Name, Info }) => ({ ActivityId, Id, Name, Info, InputName: '', Order: '' }));
  return { ...draft, activities: [...draft.activities, activity], inputs: [...draft.inputs, ...added] };
}

export function withoutActivity(draft: ChecklistDraft, id: number): ChecklistDraft {
  return {
    ...draft,
    activities: draft.activities.filter(({ Id }) => Id !== id),
    inputs: draft.inputs.filter(({ ActivityId }) => ActivityId !== id),
  };
}

/** Moves the item at `from` to `to`, which may lie beyond either end. */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const item = items[from];
  const target = Math.max(0, Math.min(to, items.length - 1));
  if (item === undefined || target === from) return items;
  return items.toSpliced(from, 1).toSpliced(target, 0, item);
}

/** Returns the inputs in the order of their activities. */
export function inputRows({ activities, inputs }: ChecklistDraft): DraftInput[] {
  const byActivity = Map.groupBy(inputs, ({ ActivityId }) => ActivityId);
  return activities.flatMap(({ Id }) => byActivity.get(Id) ?? []);
}

/** Maps the inputs to a name, or returns why this is not possible. */
export function mapInputs(
  inputs: readonly DraftInput[],
  ids: ReadonlySet<number>,
  typed: string,
): { inputs: readonly DraftInput[] } | { issue: string } {
  const chosen = inputs.filter(({ Id }) => ids.has(Id));
  const others = inputs.filter(({ Id }) => !ids.has(Id));
  if (typed.trim() === '') return { issue: t('Enter a name for the input.') };
  const issue = mappingIssue(typed, chosen, others);
  if (issue !== null) return { issue };
  const known = others.find(({ InputName }) => isSameInputName(InputName, typed));
  const InputName = known?.InputName ?? typed.trim();
  const Order = known?.Order ?? chosen.find((input) => input.InputName !== '')?.Order ?? nextOrder(inputs);
  return { inputs: inputs.map((input) => (ids.has(input.Id) ? { ...input, InputName, Order } : input)) };
}

export const unmapInputs = (inputs: readonly DraftInput[], ids: ReadonlySet<number>): readonly DraftInput[] =>
  inputs.map((input) => (ids.has(input.Id) ? { ...input, InputName: '', Order: '' } : input));

/** Sets the order of all inputs of the name. */
export const setOrder = (inputs: readonly DraftInput[], name: string, Order: string): readonly DraftInput[] =>
  inputs.map((input) => (isSameInputName(input.InputName, name) ? { ...input, Order } : input));

/** Maps every unmapped input by its own name. Inputs of the same name and type are mapped together. */
export function mapByName(inputs: readonly DraftInput[]): readonly DraftInput[] {
  let mapped = inputs;
  for (const { Id, Name } of inputs.filter(({ InputName }) => InputName === '')) {
    const result = mapInputs(mapped, new Set([Id]), Name);
    if ('inputs' in result) mapped = result.inputs;
  }
  return mapped;
}

function nextOrder(inputs: readonly DraftInput[]): string {
  const orders = inputs.map(({ Order }) => readOrder(Order) ?? 0);
  return String(Math.max(0, ...orders) + 1);
}

/** Returns the issues that prevent saving the draft. */
export function draftIssues(draft: ChecklistDraft): ChecklistIssue[] {
  const issues = checklistIssues({
    Name: draft.Name,
    Order: readOrder(draft.Order),
    activityCount: draft.activities.length,
    inputs: draft.inputs,
  });
  const ordered = issues.map((issue) =>
    issue.field === 'Order' ? { ...issue, message: orderIssue(draft.Order) ?? issue.message } : issue,
  );
  const wrong = draft.inputs.filter(({ InputName, Order }) => InputName !== '' && readOrder(Order) === undefined);
  const names = new Map(wrong.map(({ InputName, Order }) => [InputName, Order]));
  const ofInputs = [...names].map(([name, Order]): ChecklistIssue => ({
    field: 'Inputs',
    message: `${name}: ${orderIssue(Order)}`,
  }));
  return [...ordered, ...ofInputs];
}

/**
 * Returns the request body that saves the draft. `Id` 0 creates a checklist; `UniqueId` identifies it, so a repeated
 * request creates only one.
 */
export function toEdit(
  { Id, Revision, UniqueId }: Pick<ChecklistEdit, 'Id' | 'Revision' | 'UniqueId'>,
  draft: ChecklistDraft,
): ChecklistEdit {
  return {
    Id,
    Revision,
    UniqueId,
    Name: draft.Name.trim(),
    Description: draft.Description,
    Schema: draft.Schema,
    Group: draft.Group.trim(),
    Order: readOrder(draft.Order) ?? null,
    Activities: draft.activities.map((activity) => ({ Id: activity.Id })),
    Inputs: mappingsOf(draft),
  };
}

/** Returns the checklist's input names with the inputs mapped to each. An empty list removes all stored mappings. */
function mappingsOf(draft: ChecklistDraft): ChecklistEdit['Inputs'] {
  const mapped = inputRows(draft).filter(({ InputName }) => InputName !== '');
  return [...Map.groupBy(mapped, ({ InputName }) => InputName)].map(([InputName, inputs], index) => ({
    InputName,
    Order: readOrder(inputs[0]!.Order) ?? index + 1,
    ActivityInputs: inputs.map(({ Id }) => ({ Id })),
  }));
}
