/** Finds the description of an input or output in the cells themselves. */
import type { DataValidation, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { Shape } from './shapes.ts';

/** Returns the prompt of the validation, otherwise the note on the first cell or on its header; '' if there is none. */
export function describe(
  model: WorkbookModel,
  sheet: number,
  { data, headerRows, headerCols }: Shape,
  validation: DataValidation | null,
): string {
  if (validation?.prompt) return validation.prompt.trim();
  const { notes } = model.sheets[sheet]!;
  const top = data.top - headerRows;
  const left = data.left - headerCols;
  const note =
    notes.find(({ row, col }) => row === data.top && col === data.left) ??
    notes.find(({ row, col }) => row === top && col === left);
  return note ? withoutAuthor(note.text) : '';
}

/** Excel begins a note with a line like 'Jane Doe:'. */
const withoutAuthor = (text: string): string => text.replace(/^[^\n]{1,80}:\r?\n(?=\s*\S)/, '').trim();
