/** Values held against the list that an input is chosen from. */
import { numberCell, type FormCell } from '../codecs/input-form.ts';
import { parseNumber } from '../codecs/number-text.ts';
import type { InputInfo, Picker } from '../contract/parameters.ts';
import { inDigits } from './value-rules.ts';

/** The items of a fixed picker list by column, or null where there is none or they are not known here. */
export type PickerItems = (col: number) => readonly string[] | null;

/** Whether formulas or other inputs decide what may be chosen, and nothing else is taken. */
export const isCalculatedList = (picker: Picker | undefined): boolean =>
  picker?.Type === 'List' && picker.PreventOtherValues && picker.Calculated === true;

/** Whether a value, which is not blank, is none of those that its list allows; never where other values are taken. `index` as ruleIndex gives it. */
export function outsideList(info: InputInfo, index: number, cell: FormCell, items: PickerItems): boolean {
  const picker = info.Pickers[index] ?? info.Pickers[0];
  if (picker?.Type !== 'List' || !picker.PreventOtherValues) return false;
  const allowed = items(index);
  if (allowed === null) return false;
  const usage = info.CellUsages[index] ?? info.CellUsages[0];
  if (usage === 'Number' || usage === 'Date') {
    if (info.ExactNumbers && usage === 'Number') {
      const given = numberCell(info, String(cell));
      return !allowed.some((item) => numberCell(info, item) === given);
    }
    const given = usage === 'Date' ? Number(cell) : (parseNumber(String(cell)) ?? NaN);
    return !allowed.some((item) => inDigits(parseNumber(item) ?? NaN) === inDigits(given));
  }
  const text = String(cell).toLowerCase();
  return !allowed.some((item) => item.toLowerCase() === text);
}
