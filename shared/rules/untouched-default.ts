/**
 * Detects inputs that still hold the workbook's own value. They are not checked against data validations, just like
 * inputs without an entry.
 */
import { cleanValue, isClosedCell, mayUseDefault, parseValue, valueShape } from '../codecs/input-form.ts';
import type { FormCell, FormInput } from '../codecs/input-form.ts';
import type { InputInfo } from '../contract/parameters.ts';
import { isCalculatedList } from './outside-list.ts';

/** Also returns false if other inputs determine the list of values, because they may have changed. */
export function holdsDefault(info: InputInfo, value: FormInput['value']): boolean {
  if (info.DefaultValue === null || !mayUseDefault(info) || info.Pickers.some(isCalculatedList)) return false;
  const own = rowsOf(info, cleanValue(info, parseValue(info, info.DefaultValue)));
  const current = rowsOf(info, cleanValue(info, value));
  const written = rowsOf(info, value);
  if (own.length !== current.length) return false;
  return own.every((cells, row) =>
    cells.every((cell, col) => {
      if (isClosedCell(info, row, col)) return true;
      const now = current[row]![col] ?? null;
      // A text that is not a number is cleaned to null but differs from a blank.
      return now === cell && (now !== null || isBlank(written[row]![col] ?? null));
    }),
  );
}

const isBlank = (cell: FormCell): boolean => cell === null || (typeof cell === 'string' && cell.trim() === '');

function rowsOf(info: InputInfo, value: FormInput['value']): FormCell[][] {
  const shape = valueShape(info);
  if (shape === 'cell') return [[value as FormCell]];
  return shape === 'list' ? (value as FormCell[]).map((cell) => [cell]) : (value as FormCell[][]);
}
