/** What the editor of a checklist holds while one works on it. Source: specification of activities, sections 2 and 5. */
import type { Checklist, ChecklistEdit } from '#shared/contract/checklists.ts';
import type { Input, InputInfo } from '#shared/contract/parameters.ts';
import {
  checklistIssues,
  isMappable,
  isSameInputName,
  mappingIssue,
  type ChecklistIssue,
} from '#shared/rules/checklist-rules.ts';
import { orderIssue, readOrder } from '#renderer/features/activities/order-field.ts';
import { t } from '#renderer/language/translate.ts';

export interface DraftActivity {
  Id: number;
  Name: string;
  Schema: string;
  CanRun: boolean;
  IsActive: boolean;
}

/** An input of one of the activities. */
export interface DraftInput {
  ActivityId: number;
  Id: number;
  Name: string;
  Info: InputInfo;
  /** By which the checklist asks for it; '' where it is not mapped. */
  InputName: string;
  /** As typed; the same of all inputs of a name. */
  Order: string;
}

export interface ChecklistDraft {
  Name: string;
  Description: string;
  Schema: string;
  Group: string;
  /** As typed. */
  Order: string;
  /** In the order in which they run. */
  activities: readonly DraftActivity[];
  /** Those that can be mapped, of all its activities. */
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
  const inputOf = (input: Input, InputName: string, place: string): DraftInput => ({
    ActivityId: input.ActivityId,
    Id: input.Id,
    Name: input.Name,
    Info: input.Info,
    InputName,
    Order: place,
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
    // As they stand in their workbooks.
    inputs: [...mapped, ...others].toSorted((a, b) => a.Id - b.Id),
  };
}

/** Whether there is nothing to save. */
export function isSameDraft(a: ChecklistDraft, b: ChecklistDraft): boolean {
  const summary = ({ activities, inputs, ...fields }: ChecklistDraft): string =>
    JSON.stringify([
      fields,
      activities.map(({ Id }) => Id),
      inputs.map(({ Id, InputName, Order }) => [Id, InputName, Order]),
    ]);
  return a === b || summary(a) === summary(b);
}

/** With the activity at the end, and its inputs; as it was where the activity is in it already. */
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

/** The list with the item at `from` taken to `to`, which may lie beyond either end. */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const item = items[from];
  const place = Math.max(0, Math.min(to, items.length - 1));
  if (item === undefined || place === from) return items;
  return items.toSpliced(from, 1).toSpliced(place, 0, item);
}

/** Inputs in the order of their activities. */
export function inputRows({ activities, inputs }: ChecklistDraft): DraftInput[] {
  const byActivity = Map.groupBy(inputs, ({ ActivityId }) => ActivityId);
  return activities.flatMap(({ Id }) => byActivity.get(Id) ?? []);
}

/** Maps the inputs to a name, or says why they cannot be. */
export function mapInputs(
  inputs: readonly DraftInput[],
  ids: ReadonlySet<number>,
  typed: string,
): { inputs: readonly DraftInput[] } | { issue: string } {
  const chosen = inputs.filter(({ Id }) => ids.has(Id));
  const others = inputs.filter(({ Id }) => !ids.has(Id));
  if (typed.trim() === '') return { issue: t('Input name must be provided.') };
  const issue = mappingIssue(typed, chosen, others);
  if (issue !== null) return { issue };
  const known = others.find(({ InputName }) => isSameInputName(InputName, typed));
  const InputName = known?.InputName ?? typed.trim();
  const Order = known?.Order ?? chosen.find((input) => input.InputName !== '')?.Order ?? nextOrder(inputs);
  return { inputs: inputs.map((input) => (ids.has(input.Id) ? { ...input, InputName, Order } : input)) };
}

export const unmapInputs = (inputs: readonly DraftInput[], ids: ReadonlySet<number>): readonly DraftInput[] =>
  inputs.map((input) => (ids.has(input.Id) ? { ...input, InputName: '', Order: '' } : input));

/** The order of one is that of all inputs of its name. */
export const setOrder = (inputs: readonly DraftInput[], name: string, Order: string): readonly DraftInput[] =>
  inputs.map((input) => (isSameInputName(input.InputName, name) ? { ...input, Order } : input));

/** Maps every input that is not mapped yet by its own name, those of one name and type together. */
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

/** What keeps the draft from being saved. */
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

/** The draft as it is saved. `Id` 0 makes a new checklist, and `UniqueId` names it: sent twice, one is made. */
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

/** The names of its inputs, each with the inputs under it; with none of them mapped, what was mapped before is so no more. */
function mappingsOf(draft: ChecklistDraft): ChecklistEdit['Inputs'] {
  const mapped = inputRows(draft).filter(({ InputName }) => InputName !== '');
  return [...Map.groupBy(mapped, ({ InputName }) => InputName)].map(([InputName, inputs], index) => ({
    InputName,
    Order: readOrder(inputs[0]!.Order) ?? index + 1,
    ActivityInputs: inputs.map(({ Id }) => ({ Id })),
  }));
}
