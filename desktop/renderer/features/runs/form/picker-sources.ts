/** The pickers of a form's inputs, behind the calls that answer their values. */
import type { ConditionColumn } from '#shared/codecs/condition-columns.ts';
import { encodeInput } from '#shared/codecs/input-form.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { Input, RunInputValue } from '#shared/contract/parameters.ts';
import { pickFrom } from '#shared/rules/list-picker.ts';
import { kindOfColumn, type Forms } from './form-inputs.ts';
import { pickValues } from './form-calls.ts';
import { OWN_FORM, type FormOrigin } from './form-origin.ts';
import type { ConditionPicker } from './ConditionField.tsx';
import { textsOf, textsOfCells, type PickerSource } from './picker-source.ts';

/** What decides a picker's items beside the activity. */
export interface PickerSurroundings {
  /** Those of a calculated list, as far as they are known. */
  items?: readonly string[];
  /** Values of the inputs that a Database picker asks for. */
  others?: readonly RunInputValue[];
  /** How the form was opened. */
  origin?: FormOrigin;
}

/** The picker of an input's column; null where it has none. */
export function pickerSource(
  activity: Pick<Activity, 'Id' | 'Version'>,
  input: Input,
  index: number,
  { items, others = [], origin = OWN_FORM }: PickerSurroundings = {},
): PickerSource | null {
  const column = input.Info.Pickers[index] ?? input.Info.Pickers[0];
  if (!column || (column.Type !== 'List' && column.Type !== 'Database')) return null;
  const params = { activityId: input.ActivityId, inputId: input.Id, index };
  const asked = others.length > 0 ? { OtherInputValues: [...others] } : {};
  return {
    key: [
      activity.Id,
      activity.Version,
      input.Id,
      index,
      JSON.stringify(others),
      ...(items ? [listVersion(items)] : []),
    ],
    preventOtherValues: column.PreventOtherValues,
    blank: input.Info.Blanks[index] ?? input.Info.Blanks[0] ?? false,
    opensAtValue: column.Type === 'Database',
    load: async (query, signal) =>
      items ? pickFrom(items, query) : pickValues(origin, params, { ...query, ...asked }, signal),
    ...textsOfCells(kindOfColumn(input.Info, index)),
  };
}

/** What the editor of a condition works with; null for a column without columns to compare. */
export function conditionPicker(
  activity: Pick<Activity, 'Id' | 'Version'>,
  input: Input,
  index: number,
  origin: FormOrigin = OWN_FORM,
): ConditionPicker | null {
  const column = input.Info.Pickers[index] ?? input.Info.Pickers[0];
  if (column?.Type !== 'Condition' || !column.Columns || column.Columns.length === 0) return null;
  const params = { activityId: input.ActivityId, inputId: input.Id, index };
  const valuesOf = ({ Name, Kind }: ConditionColumn): PickerSource => ({
    key: [activity.Id, activity.Version, input.Id, index, Name],
    preventOtherValues: false,
    blank: true,
    opensAtValue: false,
    load: async (query, signal) => pickValues(origin, params, { ...query, ColumnName: Name }, signal),
    ...textsOf(Kind),
  });
  return { columns: column.Columns, valuesOf };
}

/** What a Database picker's query is told of the other inputs of its activity. */
export function otherValues(
  inputs: readonly Input[],
  input: Input,
  index: number,
  { forms, origin }: { forms: Forms; origin: FormOrigin },
): RunInputValue[] {
  const names = input.Info.Pickers[index]?.OtherInputs ?? [];
  const isAsked = ({ ActivityId, Name }: Input): boolean => ActivityId === input.ActivityId && names.includes(Name);
  if (origin.kind !== 'checklist') {
    return inputs.filter(isAsked).flatMap((other) => encodeInput(other, forms[other.Id]!));
  }
  return origin.inputs.flatMap(({ InputId, ActivityInputs }) =>
    ActivityInputs.filter(isAsked).flatMap((other) => encodeInput(other, forms[InputId]!)),
  );
}

/** Names a list by what is in it: another list of the same column is fetched anew. */
function listVersion(items: readonly string[]): number {
  const known = listVersions.get(items);
  if (known !== undefined) return known;
  const next = (lists += 1);
  listVersions.set(items, next);
  return next;
}

const listVersions = new WeakMap<readonly string[], number>();
let lists = 0;
