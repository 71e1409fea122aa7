/** Where the values of a picker come from: the call behind it, or a fixed list in tests. */
import { exactCell } from '#shared/codecs/exact-number.ts';
import { readDate } from '#shared/codecs/read-date.ts';
import { formatSerialDate } from '#shared/codecs/serial-date.ts';
import type { PickerPage, PickerQuery } from '#shared/contract/activities.ts';
import { editText, parseCellText, type CellKind } from '#shared/codecs/cell-text.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import { personRegion } from '#renderer/language/region.ts';
import { t } from '#renderer/language/translate.ts';
import { neutralNumber } from '#renderer/language/typed-numbers.ts';

export interface PickerSource {
  /** Names the picker in caches: activity, version, input, column. */
  key: readonly (string | number)[];
  /** Other values are refused. */
  preventOtherValues: boolean;
  /** A blank may be chosen. */
  blank: boolean;
  /** Its pages begin anywhere: the list is opened at the value that is filled in. */
  opensAtValue: boolean;
  /** @param signal ends what is no longer waited for */
  load: (query: PickerQuery, signal?: AbortSignal) => Promise<PickerPage>;
  /** Why an item cannot be picked; null where it can, as all can where this is absent. */
  refusal?: (value: string) => string | null;
  /** An item as people read and type it. */
  show: (value: string) => string;
  /** What is searched for where a person typed the text. */
  seek: (text: string) => string;
  /** Whether a text is a number or date as it stands; absent of other values. */
  isWhole?: (text: string) => boolean;
}

export type PickerItem = PickerPage['Items'][number];

type Texts = Pick<PickerSource, 'show' | 'seek' | 'isWhole'>;

/** Days stand in lists as serial numbers; everything else as it is shown. */
export function textsOf(usage: CellUsage | undefined): Texts {
  if (usage === 'Date') {
    const read = (text: string) => readDate(text, { format: 'd/mmm/yyyy', region: personRegion() });
    return {
      show: (value) => formatSerialDate(Number(value)) || value,
      seek: (text) => String(read(text)?.value ?? text),
      isWhole: (text) => read(text) !== null,
    };
  }
  if (usage === 'Number') {
    return {
      show: (value) => value,
      seek: neutralNumber,
      isWhole: (text) => exactCell(neutralNumber(text)) !== null,
    };
  }
  return { show: (value) => value, seek: (text) => text };
}

/** The same of items that are put into cells: each as it is edited there. */
export function textsOfCells(kind: CellKind): Texts {
  const { usage } = kind;
  if (usage !== 'Number' && usage !== 'Date') return textsOf(usage);
  return {
    show: (value) => {
      const number = kind.isExact ? exactCell(value) : value.trim() === '' ? Number.NaN : Number(value);
      return typeof number === 'string' || Number.isFinite(number) ? editText(number, kind) : value;
    },
    seek: (text) => {
      const cell = parseCellText(text, { ...kind, canAsk: false });
      return cell === null ? '' : String(cell);
    },
    isWhole: (text) => {
      const cell = parseCellText(text, { ...kind, canAsk: false });
      return usage === 'Date' ? typeof cell === 'number' : exactCell(String(cell)) !== null;
    },
  };
}

/** Whether an item is what was looked for: texts in any case, numbers by their value. */
export function isItem(item: string | undefined, wanted: string): boolean {
  if (item === undefined) return false;
  if (item.toLowerCase() === wanted.toLowerCase()) return true;
  const number = exactCell(item);
  return number !== null && number === exactCell(wanted);
}

/** The items of a picker in groups, in the order they came; items without a group belong to 'Miscellaneous (blank)' if others have one. */
export function groupItems(items: readonly PickerItem[]): { group: string | null; items: PickerItem[] }[] {
  const anyGroup = items.some((item) => item.Group !== undefined);
  if (!anyGroup) return items.length > 0 ? [{ group: null, items: [...items] }] : [];
  const groups = new Map<string, PickerItem[]>();
  for (const item of items) {
    const group = item.Group || BLANK_GROUP;
    groups.set(group, [...(groups.get(group) ?? []), item]);
  }
  return [...groups].map(([group, members]) => ({ group, items: members }));
}

export const BLANK_GROUP = t('Miscellaneous (blank)');
/** What the entry that empties a picker is called. */
export const CLEAR_TEXT = 'blank';

/** Ticks or unticks values in a checklist; the order is that of the items, then values the list does not have. */
export function toggleValues(
  chosen: readonly string[],
  values: readonly string[],
  on: boolean,
  order: readonly string[],
): string[] {
  const set = new Set(chosen);
  for (const value of values) {
    if (on) set.add(value);
    else set.delete(value);
  }
  const known = order.filter((value) => set.has(value));
  const knownSet = new Set(known);
  return [...known, ...[...set].filter((value) => !knownSet.has(value))];
}
