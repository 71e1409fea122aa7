/** Reads the outputs of a calculated workbook as JSON texts of the contract. */
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { ErrorTrace } from '#server/calculation/trace-error.ts';
import type { OutputDefinition } from '#server/executors/activity-definition.ts';
import type { RunOutcome } from '#server/executors/executor.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { JsonCell } from '#shared/codecs/format-value.ts';
import { ruleIndex, valueShape } from '#shared/codecs/input-form.ts';
import { from1904 } from '#shared/codecs/date-systems.ts';
import type { Calculation } from './calculation.ts';
import { valueGrid, valuesAtAnchors } from '../anchors.ts';
import { LogCode } from '#shared/rules/log-codes.ts';
import type { RunLog } from './run-log.ts';

export function readOutput(
  calculation: Calculation,
  output: OutputDefinition,
  log: RunLog,
): RunOutcome['outputs'][number] {
  if (isOutputFile(output)) return { Name: output.Name, Value: null, Rows: null };
  const { sheet, anchors } = output.location;
  const block = outputBlock(calculation, output);
  const values = valuesAtAnchors(calculation.read(sheet, block), anchors);
  warnOfErrors(calculation, output, block, values, log);
  const value = jsonValue(calculation, output, values);
  return { Name: output.Name, Value: JSON.stringify(value), Rows: Array.isArray(value) ? value.length : null };
}

/** The result of an Export step is a file, or nothing. */
export const isOutputFile = ({ Info }: Pick<OutputDefinition, 'Info'>): boolean => Info.CellUsages[0] === 'FilePath';

/** Reads the value of an output without warnings about errors in it. */
export function readOutputValue(calculation: Calculation, output: OutputDefinition): JsonValue {
  const { sheet, anchors } = output.location;
  const values = calculation.read(sheet, outputBlock(calculation, output));
  return jsonValue(calculation, output, valuesAtAnchors(values, anchors));
}

type JsonValue = JsonCell | JsonCell[] | JsonCell[][];

function jsonValue(calculation: Calculation, output: OutputDefinition, values: CellValue[][]): JsonValue {
  const shape = valueShape(output.Info);
  const rows = canEndEarly(output) ? withoutBlankEnd(values) : values;
  if (shape === 'cell') {
    const cell = rows[0]?.[0];
    return cell === undefined ? null : toJson(calculation, output, cell, 0, 0);
  }
  const cells = rows.map((row, y) => row.map((value, x) => toJson(calculation, output, value, y, x)));
  return shape === 'list' ? cells.flat() : cells;
}

function outputBlock(calculation: Calculation, { location, Info }: OutputDefinition): CellBlock {
  const { sheet, block, table } = location;
  if (!Info.RowsVariable || table !== undefined) return calculation.now(sheet, block);
  // The range of a dynamic array is known after the calculation. An array that fills only its own cell has no block.
  const { top, left } = calculation.now(sheet, { ...block, bottom: block.top, right: block.left });
  return calculation.spill(sheet, top, left) ?? { top, left, bottom: top, right: left };
}

const canEndEarly = ({ Info }: OutputDefinition): boolean =>
  Info.RowsVariable || Info.RangeType === 'RangeWithColumnHeaders' || Info.RangeType === 'SingleColumnOfSimilarValues';

/** Formulas return '' for blank. */
const isBlank = (value: CellValue): boolean => value === null || value === '';

function withoutBlankEnd(rows: CellValue[][]): CellValue[][] {
  let end = rows.length;
  while (end > 0 && rows[end - 1]!.every(isBlank)) end -= 1;
  return rows.slice(0, end);
}

function toJson(
  calculation: Calculation,
  { Info }: OutputDefinition,
  value: CellValue,
  y: number,
  x: number,
): JsonCell {
  if (value instanceof CellError) return { error: value.code };
  if (typeof value !== 'number' || !calculation.model.date1904) return value;
  const index = ruleIndex(Info, y, x);
  return Info.CellUsages[index] === 'Date' ? from1904(value, Info.Formats[index] ?? 'General') : value;
}

/** Longer formulas are truncated in messages. */
const MAX_FORMULA = 200;

function warnOfErrors(
  calculation: Calculation,
  { Name, location }: OutputDefinition,
  block: CellBlock,
  values: CellValue[][],
  log: RunLog,
): void {
  const { sheet, anchors } = location;
  const { rowAt, colAt } = valueGrid(block, anchors);
  let first: { row: number; col: number; code: string } | undefined;
  let count = 0;
  for (const [y, row] of values.entries()) {
    for (const [x, value] of row.entries()) {
      if (!(value instanceof CellError)) continue;
      count += 1;
      first ??= { row: rowAt(y), col: colAt(x), code: value.code };
    }
  }
  if (!first) return;
  const more = count === 1 ? '' : ` and in ${count - 1} more ${count === 2 ? 'cell' : 'cells'}`;
  const { row, col, code } = first;
  const trace = calculation.trace(sheet, row, col);
  const cellName = cellNameOf(calculation, { sheet, row, col });
  const formula = trace?.formula ? ` (${cut(trace.formula)})` : '';
  const origin = trace ? originText(calculation, trace, { sheet, row, col }) : '';
  log.warn(`Output '${Name}' has the error ${code} in ${cellName}${formula}${more}${origin}`, LogCode.ErrorInOutput);
}

interface OutputCell {
  sheet: number;
  row: number;
  col: number;
}

function cellNameOf({ model }: Calculation, { sheet, row, col }: OutputCell): string {
  const own = model.sheets[sheet];
  // Saved values of linked workbooks come after the workbook's own sheets.
  return `cell ${formatCell(row, col)} of ${own ? `sheet '${own.name}'` : 'a linked workbook'}`;
}

const cut = (formula: string): string => (formula.length > MAX_FORMULA ? `${formula.slice(0, MAX_FORMULA)}…` : formula);

/** Describes where the error originates, if it is another cell. */
function originText(calculation: Calculation, { origin, isComplete }: ErrorTrace, from: OutputCell): string {
  if (origin.sheet === from.sheet && origin.row === from.row && origin.col === from.col) return '';
  const verb = isComplete ? 'It originates in' : 'It was traced back to';
  return `. ${verb} ${cellNameOf(calculation, origin)}${origin.formula ? `: ${cut(origin.formula)}` : ''}`;
}
