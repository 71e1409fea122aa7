/** Turns values of the contract into cells. */
import { exactCell } from '#shared/codecs/exact-number.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { ruleIndex, valueShape } from '#shared/codecs/input-form.ts';
import type { ExpressionValue } from '#shared/rules/workflows/expression-task.ts';
import type { ValueShape } from '#shared/rules/workflows/step-outputs.ts';
import { cellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { ExpressionError } from './parse-expression.ts';

export interface ReadCells {
  shape: ValueShape;
  values: CellValue[][];
  width: number;
}

const NOT_AVAILABLE = cellError('#N/A')!;

export function cellsOf({ shape, json, isEntered }: ExpressionValue): ReadCells {
  if (json === null) return missing(shape);
  const parsed: unknown = JSON.parse(json);
  const rows = rowsOf(shape, parsed).map((row) => row.map((cell) => (isEntered && cell === '' ? null : toCell(cell))));
  const columns = shape.RangeType === 'RangeWithColumnHeaders' ? shape.CellUsages.length : 1;
  return { shape, values: rows, width: Math.max(columns, widest(rows)) };
}

/** A value that no step has returned is #N/A: as a blank, it would count as 0. */
function missing(shape: ValueShape): ReadCells {
  const width = shape.RangeType === 'RangeWithColumnHeaders' ? Math.max(1, shape.CellUsages.length) : 1;
  return { shape, values: [Array.from({ length: width }, () => NOT_AVAILABLE)], width };
}

const widest = (rows: readonly (readonly unknown[])[]): number =>
  rows.reduce((width, row) => Math.max(width, row.length), 0);

function rowsOf(shape: ValueShape, parsed: unknown): unknown[][] {
  if (valueShape(shape) === 'cell') return [[parsed]];
  const list = Array.isArray(parsed) ? (parsed as unknown[]) : [parsed];
  if (valueShape(shape) === 'rows') return list.map((row) => (Array.isArray(row) ? (row as unknown[]) : [row]));
  return shape.RangeType === 'SingleRowOfSimilarValues' ? [list] : list.map((cell) => [cell]);
}

function toCell(cell: unknown): CellValue {
  if (typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean') return cell;
  if (cell === null || typeof cell !== 'object' || !('error' in cell)) return null;
  return cellError(String(cell.error)) ?? cellError('#VALUE!')!;
}

/** Returns the cells that a name stands for. A table without rows has a blank one, as in Excel. */
export function blockOf({ values, width }: ReadCells, column: number | null): CellBlock {
  const bottom = Math.max(0, values.length - 1);
  return column === null
    ? { top: 0, left: 0, bottom, right: Math.max(0, width - 1) }
    : { top: 0, left: column, bottom, right: column };
}

/**
 * Throws ExpressionError if the cells hold a number with more digits than a calculation keeps. The contract writes such
 * numbers as texts, which functions such as SUM would ignore.
 */
export function requireExact({ shape, values }: ReadCells, column: number | null): void {
  if (!shape.CellUsages.includes('Number')) return;
  for (const [y, row] of values.entries()) {
    for (const [x, cell] of row.entries()) {
      if (typeof cell !== 'string' || (column !== null && column !== x)) continue;
      if (shape.CellUsages[ruleIndex(shape, y, x)] !== 'Number' || typeof exactCell(cell) !== 'string') continue;
      throw new ExpressionError(
        `It reads the number ${cell}, which has more than 15 digits and would be rounded. Only a formula that is nothing but its name passes it on unchanged`,
      );
    }
  }
}
