/**
 * Writes the values of inputs into their cells. Values are typed, texts are never read as formulas, and tables get as
 * many rows as supplied.
 */
import type { CellEdit } from '#server/calculation/engine.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import type { InputDefinition } from '#server/executors/activity-definition.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import {
  InputShapeError,
  isClosedCell,
  isFileInput,
  parseValue,
  ruleIndex,
  valueShape,
} from '#shared/codecs/input-form.ts';
import type { FormCell, FormInput } from '#shared/codecs/input-form.ts';
import { parseNumber } from '#shared/codecs/number-text.ts';
import { to1904 } from '#shared/codecs/date-systems.ts';
import type { CellUsage, InputInfo } from '#shared/contract/parameters.ts';
import { valueGrid } from '../anchors.ts';
import type { CellView } from '../definitions/cell-view.ts';
import { savedText } from '../definitions/default-values.ts';
import type { Calculation } from './calculation.ts';

/** A value that is not valid for the input, with a message for the user who supplied it. */
export class InputValueError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InputValueError';
  }
}

/** Maximum length of a cell's text. Source: Excel, 'Specifications and limits'. */
const MAX_TEXT_LENGTH = 32_767;

/** Writes a value (JSON text as defined in the contract) into the cells of an input. */
export function writeInput(calculation: Calculation, view: CellView, input: InputDefinition, json: string): void {
  if (!isFileInput(input.Info)) writeRows(calculation, view, input, valueRows(input, json), null);
}

/** Writes rows into the cells of an input, except those equal to `before`: the rows written last time, or null. */
export function writeRows(
  calculation: Calculation,
  view: CellView,
  input: InputDefinition,
  rows: FormCell[][],
  before: FormCell[][] | null,
): void {
  const { location } = input;
  if (location.table !== undefined) {
    const height = before ? Math.max(1, before.length) : location.block.bottom - location.block.top + 1;
    if (Math.max(1, rows.length) !== height) calculation.resize(location.table, Math.max(1, rows.length));
  }
  const block = calculation.now(location.sheet, location.block);
  calculation.write(editsOf(calculation, view, input, { rows, before }, block));
}

/**
 * Returns a function that converts a value of a single-cell input to the edit of its cell. Valid until a table is
 * resized. The function throws InputValueError.
 */
export function singleCellEdit(
  calculation: Calculation,
  view: CellView,
  input: InputDefinition,
): (cell: FormCell) => CellEdit {
  const { sheet, block: saved, anchors } = input.location;
  const { rowAt, colAt } = valueGrid(calculation.now(sheet, saved), anchors);
  const [row, col] = [rowAt(0), colAt(0)];
  const usage = input.Info.CellUsages[0] ?? 'Text';
  const format1904 = calculation.model.date1904 ? (input.Info.Formats[0] ?? 'General') : null;
  const grid = valueGrid(saved, anchors);
  const own = view.cell(sheet, grid.rowAt(0), grid.colAt(0)).value;
  return (cell) => ({ sheet, row, col, value: keepKind(cellValue(input, cell, usage, format1904), own) });
}

/** Writes the names of the files into the cells of a file input, so that formulas can display them. */
export function writeFileNames(calculation: Calculation, input: InputDefinition, names: readonly string[]): void {
  const { sheet, anchors } = input.location;
  const { height, rowAt, colAt } = valueGrid(calculation.now(sheet, input.location.block), anchors);
  const edits: CellEdit[] = [];
  for (let y = 0; y < height; y++) edits.push({ sheet, row: rowAt(y), col: colAt(0), value: names[y] ?? null });
  calculation.write(edits);
}

/** Returns the value as rows of cells in the layout of the sheet. Throws InputValueError. */
export function valueRows(input: InputDefinition, json: string): FormCell[][] {
  try {
    const value = parseValue(input.Info, json);
    const shape = valueShape(input.Info);
    if (shape === 'cell') return [[value as FormCell]];
    if (shape === 'rows') return value as FormCell[][];
    const list = value as FormCell[];
    return input.Info.RangeType === 'SingleRowOfSimilarValues' ? [list] : list.map((cell) => [cell]);
  } catch (error) {
    if (error instanceof InputShapeError) throw new InputValueError(`Input '${input.Name}': ${error.message}`);
    throw error;
  }
}

/** Converts rows back to a value of the input's shape. */
export function formValue(info: InputInfo, rows: FormCell[][]): FormInput['value'] {
  const shape = valueShape(info);
  if (shape === 'cell') return rows[0]?.[0] ?? null;
  return shape === 'list' ? rows.flat() : rows;
}

function editsOf(
  calculation: Calculation,
  view: CellView,
  input: InputDefinition,
  { rows, before }: { rows: FormCell[][]; before: FormCell[][] | null },
  block: CellBlock,
): CellEdit[] {
  const { sheet, block: saved, anchors, table } = input.location;
  const { height, width, rowAt, colAt } = valueGrid(block, anchors);
  const isSingle = input.Info.RangeType === 'SingleCell';
  const edits: CellEdit[] = [];
  for (let y = 0; y < height; y++) {
    const row = rowAt(y);
    const savedRow = saved.top + row - block.top;
    for (let x = 0; x < width; x++) {
      const col = colAt(x);
      const supplied = rows[y]?.[x] ?? null;
      if (before && y < before.length && before[y]![x] === supplied) continue;
      // Display-only cells of a grid keep the workbook's values. A single cell may still have a preset value.
      if (!isSingle && isClosedCell(input.Info, y, x)) continue;
      const index = ruleIndex(input.Info, y, x);
      const usage = input.Info.CellUsages[index] ?? 'Text';
      // Rows that a table gains have no cell in the file, so the formula of its first row decides for them.
      const cell = view.cell(sheet, table !== undefined && savedRow > saved.bottom ? saved.top : savedRow, col);
      if (!isSingle && cell.formula && isBlankCell(supplied, usage)) continue;
      const value = cellValue(
        input,
        supplied,
        usage,
        calculation.model.date1904 ? (input.Info.Formats[index] ?? 'General') : null,
      );
      edits.push({ sheet, row, col, value: savedRow <= saved.bottom ? keepKind(value, cell.value) : value });
    }
  }
  return edits;
}

/** A form cannot leave a Boolean blank, so false counts as blank in a calculated column. */
export const isBlankCell = (cell: FormCell, usage: CellUsage): boolean =>
  cell === null || cell === '' || (usage === 'Boolean' && cell === false);

/** A number that was returned unchanged by a Text input remains a number. */
function keepKind(value: CellValue, saved: CellValue): CellValue {
  const isSame = typeof value === 'string' && (typeof saved === 'number' || typeof saved === 'boolean');
  return isSame && savedText(saved) === value ? saved : value;
}

function cellValue(input: InputDefinition, cell: FormCell, usage: CellUsage, format1904: string | null): CellValue {
  if (cell === null || cell === '') return null;
  switch (usage) {
    case 'ActivityRunId':
    case 'Number': {
      const value = typeof cell === 'number' ? cell : parseNumber(String(cell));
      if (value === null) throw new InputValueError(`Input '${input.Name}': '${shown(cell)}' is not a number`);
      return value;
    }
    case 'Date':
      if (typeof cell !== 'number') throw new InputValueError(`Input '${input.Name}': '${shown(cell)}' is not a date`);
      return format1904 === null ? cell : to1904(cell, format1904);
    case 'Boolean':
      if (typeof cell !== 'boolean')
        throw new InputValueError(`Input '${input.Name}': '${shown(cell)}' is neither true nor false`);
      return cell;
    default: {
      const text = savedText(cell);
      if (text.length > MAX_TEXT_LENGTH)
        throw new InputValueError(`Input '${input.Name}': a cell cannot hold more than ${MAX_TEXT_LENGTH} characters`);
      return text;
    }
  }
}

const shown = (cell: FormCell): string => String(cell).slice(0, 60);
