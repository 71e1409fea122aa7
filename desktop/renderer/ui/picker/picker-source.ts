/** The source of a picker's values: a call, or a fixed list in tests. */
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
  /** Cache key: activity, version, input, column. */
  key: readonly (string | number)[];
  /** True if other values are refused. */
  preventOtherValues: boolean;
  /** True if a blank can be chosen. */
  blank: boolean;
  /** True if its pages can start anywhere, so that the list opens at the current value. */
  opensAtValue: boolean;
  /** @param signal aborts a request that is no longer needed */
  load: (query: PickerQuery, signal?: AbortSignal) => Promise<PickerPage>;
  /** Returns why an item cannot be picked; null if it can. If absent, all items can be picked. */
  refusal?: (value: string) => string | null;
  /** Formats an item as users read and type it. */
  show: (value: string) => string;
  /** Returns the search text for a typed text. */
  seek: (text: string) => string;
  /** True if the text is a complete number or date; absent for other values. */
  isComplete?: (text: string) => boolean;
}

export type PickerItem = PickerPage['Items'][number];

type Texts = Pick<PickerSource, 'show' | 'seek' | 'isComplete'>;

/** Lists hold dates as serial numbers, and all other values as they are shown. */
export function textsOf(usage: CellUsage | undefined): Texts {
  if (usage === 'Date') {
    const read = (text: string) => readDate(text, { format: 'd/mmm/yyyy', region: personRegion() });
    return {
      show: (value) => formatSerialDate(Number(value)) || value,
      seek: (text) => String(read(text)?.value ?? text),
      isComplete: (text) => read(text) !== null,
    };
  }
  if (usage === 'Number') {
    return {
      show: (value) => value,
      seek: neutralNumber,
      isComplete: (text) => exactCell(neutralNumber(text)) !== null,
    };
  }
  return { show: (value) => value, seek: (text) => text };
}

/** Like textsOf, for items that go into cells: each is formatted as it is edited there. */
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
    isComplete: (text) => {
      const cell = parseCellText(text, { ...kind, canAsk: false });
      return usage === 'Date' ? typeof cell === 'number' : exactCell(String(cell)) !== null;
    },
  };
}

/** True if the item equals the wanted text, ignoring case, or has the same numeric value. */
export function isItem(item: string | undefined, wanted: string): boolean {
  if (item === undefined) return false;
  if (item.toLowerCase() === wanted.toLowerCase()) return true;
  const number = exactCell(item);
  return number !== null && number === exactCell(wanted);
}

/**
 * Groups the items of a picker in their original order. If some items have a group, the others go into 'Miscellaneous
 * (blank)'.
 */
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

const BLANK_GROUP = t('Miscellaneous (blank)');
/** Label of the entry that clears a picker. */
export const CLEAR_TEXT = 'blank';

/**
 * Checks or unchecks values in a check list. The result has the order of the items, then values that are not in the
 * list.
 */
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
