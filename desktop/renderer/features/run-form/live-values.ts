/** The server's calculation results for a form in progress: suggestions, lists, immediate outputs. */
import { parseValue, wholeSpecification, type FormCell, type FormInput } from '#shared/codecs/input-form.ts';
import type { RuleIssue, UpdateUiResult } from '#shared/contract/forms.ts';
import type { Input, Output } from '#shared/contract/parameters.ts';
import type { Forms } from './form-inputs.ts';

/** Formula results for one input. */
export interface LiveInput {
  /** The whole value; undefined if formulas fill only some columns. */
  whole?: FormInput['value'];
  /** By column, or by row if row headings are at the left: one element per cell. */
  columns: Readonly<Record<number, readonly FormCell[]>>;
}

export interface LiveRules {
  /** What is currently allowed, in words. */
  allowed: string;
  issues: readonly RuleIssue[];
}

export type RowLists = ReadonlyMap<number, readonly string[]>;

export interface LiveValues {
  inputs: Readonly<Record<number, LiveInput>>;
  /** Items of calculated lists, by listKey. */
  lists: Readonly<Record<string, readonly string[]>>;
  /** Lists of columns whose rows have individual lists: by listKey, then by row. */
  rowLists: Readonly<Record<string, RowLists>>;
  outputs: readonly Output[];
  /** By input: messages of rules whose bounds come from cells or formulas. */
  rules: Readonly<Record<number, LiveRules>>;
  /** The forms that the last response refers to, after it was applied. */
  checked: Forms | null;
  /** JSON texts by key, to detect what a response changes. */
  texts: ReadonlyMap<string, string>;
  isUpdating: boolean;
  /** Why the last request failed. */
  failure: string | null;
}

export const NOTHING_LIVE: LiveValues = {
  inputs: {},
  lists: {},
  rowLists: {},
  outputs: [],
  rules: {},
  checked: null,
  texts: new Map(),
  isUpdating: false,
  failure: null,
};

export const listKey = (inputId: number, column: number): string => `${inputId}:${column}`;

/** Converts a response. Inputs with unchanged values stay the same objects. */
export function liveOf(inputs: readonly Input[], answer: UpdateUiResult, before: LiveValues): LiveValues {
  const texts = new Map<string, string>();
  const live: Record<number, LiveInput> = {};
  const lists: Record<string, readonly string[]> = {};
  for (const { ActivityParameterId: id, ColumnIndex, Value } of answer.Inputs) {
    const input = inputs.find((candidate) => candidate.Id === id);
    if (!input) continue;
    texts.set(`${id}:${ColumnIndex ?? ''}`, Value);
    const own = live[id] ?? { columns: {} };
    live[id] =
      ColumnIndex === null
        ? { ...own, whole: parseValue(input.Info, Value) }
        : { ...own, columns: { ...own.columns, [ColumnIndex]: JSON.parse(Value) as FormCell[] } };
  }
  const rowLists = rowListsOf(answer, texts, before);
  for (const { ActivityParameterId: id, ColumnIndex, Rows, Items } of answer.InputPickerValues) {
    if (Rows) continue;
    const key = listKey(id, ColumnIndex);
    const text = JSON.stringify(Items);
    texts.set(`list ${key}`, text);
    lists[key] = before.texts.get(`list ${key}`) === text ? before.lists[key]! : Items;
  }
  for (const id of Object.keys(live).map(Number)) {
    const isSame = [...texts].every(([key, text]) => !key.startsWith(`${id}:`) || before.texts.get(key) === text);
    if (isSame && before.inputs[id]) live[id] = before.inputs[id];
  }
  const rules = Object.fromEntries(
    (answer.Rules ?? []).map(({ ActivityParameterId, Allowed, Issues }) => [
      ActivityParameterId,
      { allowed: Allowed, issues: Issues },
    ]),
  );
  return {
    inputs: live,
    lists,
    rowLists,
    outputs: answer.Outputs,
    rules,
    checked: null,
    texts,
    isUpdating: false,
    failure: null,
  };
}

/** Returns the lists per row, reusing unchanged objects; records their content in `texts`. */
function rowListsOf(
  { InputPickerValues }: UpdateUiResult,
  texts: Map<string, string>,
  before: LiveValues,
): Record<string, RowLists> {
  const found: Record<string, RowLists> = {};
  const ofRows = InputPickerValues.filter(({ Rows }) => Rows !== undefined);
  const byColumn = Map.groupBy(ofRows, (list) => listKey(list.ActivityParameterId, list.ColumnIndex));
  for (const [key, lists] of byColumn) {
    const text = JSON.stringify(lists);
    texts.set(`list ${key}`, text);
    const isSame = before.texts.get(`list ${key}`) === text;
    found[key] = isSame
      ? before.rowLists[key]!
      : new Map(lists.flatMap(({ Rows = [], Items }) => Rows.map((row) => [row, Items] as const)));
  }
  return found;
}

/** Fills formula results into inputs that the user has not filled in. Typed values stay untouched. */
export function withLiveValues(inputs: readonly Input[], forms: Forms, live: LiveValues): Forms {
  let next = forms;
  for (const input of inputs) {
    const whole = live.inputs[input.Id]?.whole;
    const form = forms[input.Id];
    if (whole === undefined || !form || input.PresetValue !== null) continue;
    const isShown = wholeSpecification(input.Info) === 'Display' || !input.HasAccess;
    if ((form.useDefault || isShown) && JSON.stringify(form.value) !== JSON.stringify(whole)) {
      next = { ...next, [input.Id]: { ...form, value: whole } };
    }
  }
  return next;
}

/** Returns the names of inputs whose displayed value has changed, except the one that the user is editing. */
export function updatedNames(
  inputs: readonly Input[],
  forms: Forms,
  { before, after, changedId }: { before: LiveValues; after: LiveValues; changedId: number | null },
): string[] {
  // The first response fills the form, which is not an update.
  if (before.texts.size === 0) return [];
  return inputs
    .filter((input) => {
      if (input.Id === changedId) return false;
      const keys = [...after.texts.keys()].filter((key) => key.replace('list ', '').startsWith(`${input.Id}:`));
      return keys.some((key) => {
        const isEntireInput = key === `${input.Id}:`;
        const isOverridden = isEntireInput && forms[input.Id]?.useDefault === false && input.HasAccess;
        return !isOverridden && before.texts.get(key) !== after.texts.get(key);
      });
    })
    .map(({ Name }) => Name);
}

/** Returns the formula result for a grid cell; null if there is none or it is unknown yet. */
export function suggestedCell(input: Input, live: LiveInput | undefined, row: number, col: number): FormCell {
  if (!live) return null;
  const sideways = input.Info.RangeType === 'RangeWithRowHeaders';
  return (sideways ? live.columns[row]?.[col] : live.columns[col]?.[row]) ?? null;
}
