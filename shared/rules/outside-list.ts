/** Checks values against the list of a picker. */
import { numberCell, type FormCell } from '../codecs/input-form.ts';
import { parseNumber } from '../codecs/number-text.ts';
import type { InputInfo, Picker } from '../contract/parameters.ts';
import { inDigits } from './value-rules.ts';

/** Returns the items of a fixed picker list by column; null if there is none or the items are unknown here. */
export type PickerItems = (col: number) => readonly string[] | null;

/** Returns whether formulas or other inputs determine the list, and values outside it are refused. */
export const isCalculatedList = (picker: Picker | undefined): boolean =>
  picker?.Type === 'List' && picker.PreventOtherValues && picker.Calculated === true;

/**
 * Returns whether a non-blank value is not in its list; false if other values are accepted. `index` is the result of
 * ruleIndex.
 */
export function outsideList(info: InputInfo, index: number, cell: FormCell, items: PickerItems): boolean {
  const picker = info.Pickers[index] ?? info.Pickers[0];
  if (picker?.Type !== 'List' || !picker.PreventOtherValues) return false;
  const allowed = items(index);
  if (allowed === null) return false;
  const usage = info.CellUsages[index] ?? info.CellUsages[0];
  if (usage === 'Number' || usage === 'Date') {
    if (info.ExactNumbers && usage === 'Number') {
      const number = numberCell(info, String(cell));
      return !allowed.some((item) => numberCell(info, item) === number);
    }
    const number = usage === 'Date' ? Number(cell) : (parseNumber(String(cell)) ?? NaN);
    return !allowed.some((item) => inDigits(parseNumber(item) ?? NaN) === inDigits(number));
  }
  const text = String(cell).toLowerCase();
  return !allowed.some((item) => item.toLowerCase() === text);
}
