/** Turns the result of an expression into a value of the contract, if it fits what takes it. */
import { exactCell } from '#shared/codecs/exact-number.ts';
import { ruleIndex, valueShape } from '#shared/codecs/input-form.ts';
import type { JsonCell } from '#shared/codecs/format-value.ts';
import type { ColumnKind } from '#shared/codecs/condition-columns.ts';
import { kindOfUsage, orderOf, type ExpressionType } from '#shared/rules/workflows/expression-types.ts';
import type { ExpressionResult, ExpressionToCalculate } from '#shared/rules/workflows/expression-task.ts';
import type { ValueShape } from '#shared/rules/workflows/step-outputs.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';

/** Cells row by row. */
export interface Grid {
  cells: readonly CellValue[];
  width: number;
}

/** The result does not fit; the message is meant for the author of the expression. */
export class WrongResult extends Error {}

/** Maximum number of cells that an expression may return. */
const MAX_CELLS = 1_000_000;

/** Throws WrongResult. */
export function expressionResult(
  grid: Grid,
  type: ExpressionType,
  wanted: ExpressionToCalculate['wanted'],
): ExpressionResult {
  if (grid.cells.length > MAX_CELLS)
    throw new WrongResult(`It returns more than ${MAX_CELLS.toLocaleString('en-US')} cells`);
  const error = grid.cells.find((cell) => cell instanceof CellError);
  if (error) throw new WrongResult(`It returns the error ${error.code}${placeOf(grid, error)}`);
  if (wanted === 'cell') return anyCell(grid, type);
  if (wanted === 'rows') return namedRows(grid, type);
  const shape = valueShape(wanted);
  if (shape === 'cell') return ofShape(toJson(singleCell(grid), wanted, 0, 0), wanted, type);
  if (shape === 'list') return ofShape(listOf(grid, wanted), wanted, type);
  return ofShape(rowsFor(grid, wanted, type), wanted, type);
}

const ofShape = (value: unknown, shape: ValueShape, { kind }: ExpressionType): ExpressionResult => ({
  json: JSON.stringify(value),
  shape,
  kind,
});

function placeOf({ cells, width }: Grid, error: CellError): string {
  if (cells.length === 1) return '';
  const at = cells.indexOf(error);
  return ` in row ${Math.floor(at / width) + 1}, column ${(at % width) + 1} of its result`;
}

function singleCell({ cells, width }: Grid): CellValue {
  if (cells.length !== 1)
    throw new WrongResult(`It returns ${sizeOf(cells.length / width, width)}, but a single value is needed`);
  return cells[0]!;
}

const sizeOf = (rows: number, columns: number): string =>
  `${rows} ${rows === 1 ? 'row' : 'rows'} and ${columns} ${columns === 1 ? 'column' : 'columns'}`;

const singleShape = (kind: ColumnKind): ValueShape => ({
  RangeType: 'SingleCell',
  CellUsages: [kind],
  ColumnHeaderValues: [],
});

/** The kind of the value decides if nothing is known of the expression. */
function anyCell(grid: Grid, type: ExpressionType): ExpressionResult {
  const cell = singleCell(grid);
  const kind = cell === null ? type.kind : kindOf(cell, type.kind);
  return { json: JSON.stringify(cell), shape: singleShape(kind ?? 'Text'), kind };
}

function kindOf(cell: string | number | boolean | CellError, inferred: ColumnKind | null): ColumnKind {
  if (typeof cell === 'boolean') return 'Boolean';
  if (typeof cell === 'number') return inferred === 'Date' ? 'Date' : 'Number';
  return inferred === 'Number' && typeof exactCell(String(cell)) === 'string' ? 'Number' : 'Text';
}

function rows({ cells, width }: Grid): CellValue[][] {
  const found: CellValue[][] = [];
  for (let at = 0; at < cells.length; at += width) found.push(cells.slice(at, at + width));
  while (found.length > 0 && found.at(-1)!.every(isBlank)) found.pop();
  return found;
}

/** Formulas return '' for blank. */
const isBlank = (cell: CellValue): boolean => cell === null || cell === '';

function namedRows(grid: Grid, { columns, kind }: ExpressionType): ExpressionResult {
  const found = rows(grid);
  if (!columns) throw new WrongResult('Its columns have no names. Return rows of a table, for example with FILTER');
  if (found.length > 0) requireWidth(grid.width, columns.length);
  const shape: ValueShape = {
    RangeType: 'RangeWithColumnHeaders',
    CellUsages: columns.map(({ Usage }) => Usage),
    ColumnHeaderValues: columns.map(({ Name }) => Name),
  };
  const value = found.map((row, y) => row.map((cell, x) => toJson(cell, shape, y, x)));
  return { json: JSON.stringify(value), shape, kind };
}

function requireWidth(width: number, wanted: number): void {
  if (width === wanted) return;
  const count = (columns: number): string => (columns === 1 ? '1 column' : `${columns} columns`);
  throw new WrongResult(`It returns ${count(width)}, but ${count(wanted)} are needed`);
}

function listOf({ cells, width }: Grid, wanted: ValueShape): JsonCell[] {
  const height = cells.length / width;
  if (width !== 1 && height !== 1)
    throw new WrongResult(`It returns ${sizeOf(height, width)}, but a single row or column is needed`);
  const list = cells.slice();
  while (list.length > 0 && isBlank(list.at(-1)!)) list.pop();
  return list.map((cell, at) => toJson(cell, wanted, at, at));
}

function rowsFor(grid: Grid, wanted: ValueShape, { columns }: ExpressionType): JsonCell[][] {
  const found = rows(grid);
  const isTable = wanted.RangeType === 'RangeWithColumnHeaders';
  const isAsKnown = columns !== null && columns.length === grid.width;
  const order = isTable && isAsKnown ? orderOf(columns, wanted.ColumnHeaderValues) : null;
  if (isTable && !order && found.length > 0) requireWidth(grid.width, wanted.CellUsages.length);
  const ordered = order ? found.map((row) => order.map((at) => row[at]!)) : found;
  return ordered.map((row, y) => row.map((cell, x) => toJson(cell, wanted, y, x)));
}

const KIND_TEXT: Record<ColumnKind, string> = {
  Number: 'a number',
  Date: 'a date',
  Boolean: 'TRUE or FALSE',
  Text: 'a text',
};

const TYPE_OF: Record<ColumnKind, 'number' | 'boolean' | 'string'> = {
  Number: 'number',
  Date: 'number',
  Boolean: 'boolean',
  Text: 'string',
};

/** A cell of another type is refused: if it were converted, a text such as 007 would become the number 7. */
function toJson(cell: CellValue, wanted: ValueShape, row: number, col: number): JsonCell {
  if (cell === null || cell === '') return cell;
  if (cell instanceof CellError) return { error: cell.code };
  const kind = kindOfUsage(wanted.CellUsages[ruleIndex(wanted, row, col)]);
  const value = typeof cell === 'number' ? cell + 0 : cell;
  if (typeof value === TYPE_OF[kind]) return value;
  if (kind === 'Number' && typeof value === 'string' && typeof exactCell(value) === 'string') return value;
  const found = typeof value === 'string' ? `the text "${value.slice(0, 100)}"` : shown(value);
  throw new WrongResult(`It returns ${found}, but ${KIND_TEXT[kind]} is needed`);
}

const shown = (value: number | boolean): string =>
  typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : `the number ${value}`;
