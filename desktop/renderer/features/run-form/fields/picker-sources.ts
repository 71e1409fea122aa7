/** Creates the pickers of a form's inputs, with the calls that return their values. */
import type { ConditionColumn } from '#shared/codecs/condition-columns.ts';
import { encodeInput } from '#shared/codecs/input-form.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { Input, RunInputValue } from '#shared/contract/parameters.ts';
import { pickFrom } from '#shared/rules/list-picker.ts';
import { kindOfColumn, type Forms } from '#renderer/features/run-form/form-inputs.ts';
import { pickValues } from '#renderer/features/run-form/form-calls.ts';
import { OWN_FORM, type FormOrigin } from '#renderer/features/run-form/form-origin.ts';
import type { ConditionPicker } from '#renderer/ui/condition/ConditionField.tsx';
import { textsOf, textsOfCells, type PickerSource } from '#renderer/ui/picker/picker-source.ts';

/** What affects a picker's items besides the activity. */
export interface PickerEnvironment {
  /** Items of a calculated list, if known. */
  items?: readonly string[];
  /** Values of the inputs that a Database picker needs. */
  others?: readonly RunInputValue[];
  /** How the form was opened. */
  origin?: FormOrigin;
}

/** Returns the picker of an input's column; null if it has none. */
export function pickerSource(
  activity: Pick<Activity, 'Id' | 'Version'>,
  input: Input,
  index: number,
  { items, others = [], origin = OWN_FORM }: PickerEnvironment = {},
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

/** Returns what the condition editor needs; null if there are no columns to compare. */
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

/** Returns the values of other inputs of the activity that a Database picker's query needs. */
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

/**
 * Returns a number for a list object; another object of the same column is fetched again. Unchanged lists keep their
 * object.
 */
function listVersion(items: readonly string[]): number {
  const known = listVersions.get(items);
  if (known !== undefined) return known;
  const next = (lists += 1);
  listVersions.set(items, next);
  return next;
}

const listVersions = new WeakMap<readonly string[], number>();
let lists = 0;
