import { cellProblem } from '#shared/codecs/cell-text.ts';
import { isClosedCell, type FormCell, type FormInput } from '#shared/codecs/input-form.ts';
import type { Input, InputInfo } from '#shared/contract/parameters.ts';
import { cellKind, type Forms } from './form-inputs.ts';

/**
 * Returns the names of the inputs whose values would be lost if they were stored: texts that are no number or date, or
 * that could be several, until the user corrects them or answers.
 */
export const unreadInputs = (inputs: readonly Input[], forms: Forms): string[] =>
  inputs.filter(({ Id, Info }) => hasUnreadCell(Info, forms[Id])).map(({ Name }) => Name);

function hasUnreadCell(info: InputInfo, form: FormInput | undefined): boolean {
  if (!form || form.useDefault) return false;
  const isUnread = (cell: FormCell, row: number, col: number): boolean => {
    // Read-only cells are not stored, and nobody could correct them.
    if (isClosedCell(info, row, col)) return false;
    const kind = cellKind(info, row, col);
    return (kind.usage === 'Number' || kind.usage === 'Date') && cellProblem(cell, kind) !== null;
  };
  const { value } = form;
  if (!Array.isArray(value)) return isUnread(value, 0, 0);
  return value.some((line, row) =>
    Array.isArray(line) ? line.some((cell, col) => isUnread(cell, row, col)) : isUnread(line, row, 0),
  );
}
