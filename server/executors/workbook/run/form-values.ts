/** Reads what a form shows from its model: results of formulas in inputs, items of lists, immediate outputs. */
import type {
  ActivityDefinition,
  CellAnchors,
  InputDefinition,
  ListArea,
  PlacedText,
} from '#server/executors/activity-definition.ts';
import type { FormUpdate } from '#server/executors/executor.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import { valueShape } from '#shared/codecs/input-form.ts';
import type { FormCell } from '#shared/codecs/input-form.ts';
import { valueGrid, valuesAtAnchors } from '../anchors.ts';
import type { CellView } from '../definitions/cell-view.ts';
import { toFormCell } from '../definitions/default-values.ts';
import { cellItems } from '../definitions/list-items.ts';
import type { Calculation } from './calculation.ts';
import { readOutput } from './outputs.ts';
import { createRunLog } from './run-log.ts';
import type { Evaluate } from './value-rules.ts';

/** Longer lists are truncated, because a form would have to receive them with each change. */
const MAX_ITEMS = 20_000;

/** Maximum number of table rows with their own lists: each list is calculated on every change. */
const MAX_LISTED_ROWS = 1000;

/** Returns the columns (or rows) of an input whose formula results are visible to users. */
function calculatedFields({ Info }: InputDefinition): number[] {
  return (Info.Calculated ?? []).flatMap((isCalculated, index) =>
    isCalculated && Info.Specifications[index] !== 'Hidden' ? [index] : [],
  );
}

/** Returns true if formulas supply the value of the input as a whole. */
export const isCalculatedWhole = (input: InputDefinition): boolean =>
  input.Info.CellUsages.length === 1 && calculatedFields(input).length > 0;

/** Returns the value that formulas give the whole input, as JSON text of the contract. */
export function readWhole(calculation: Calculation, input: InputDefinition): FormUpdate['values'][number] {
  const block = calculation.now(input.location.sheet, input.location.block);
  const rows = readCells(calculation, input, block, 0, input.location.anchors);
  const shape = valueShape(input.Info);
  const value = shape === 'cell' ? rows[0]![0] : shape === 'list' ? rows.flat() : rows;
  return { Name: input.Name, column: null, value: JSON.stringify(value) };
}

/** Returns the calculated columns of a table (rows if headers are on the left), each as a list. */
export function readColumns(calculation: Calculation, input: InputDefinition): FormUpdate['values'] {
  if (input.Info.CellUsages.length === 1) return [];
  const { anchors } = input.location;
  const block = calculation.now(input.location.sheet, input.location.block);
  const { rowAt, colAt } = valueGrid(block, anchors);
  const sideways = input.Info.RangeType === 'RangeWithRowHeaders';
  return calculatedFields(input).map((index) => {
    const field = sideways
      ? { ...block, top: rowAt(index), bottom: rowAt(index) }
      : { ...block, left: colAt(index), right: colAt(index) };
    const own = anchors && (sideways ? { ...anchors, rows: null } : { ...anchors, cols: null });
    return {
      Name: input.Name,
      column: index,
      value: JSON.stringify(readCells(calculation, input, field, index, own).flat()),
    };
  });
}

function readCells(
  calculation: Calculation,
  input: InputDefinition,
  block: CellBlock,
  index: number,
  anchors: CellAnchors | undefined,
): FormCell[][] {
  const usage = input.Info.CellUsages[index] ?? 'Text';
  const { date1904 } = calculation.model;
  return valuesAtAnchors(calculation.read(input.location.sheet, block), anchors).map((row) =>
    row.map((value: CellValue) => toFormCell(value, usage, date1904, input.Info.Formats[index])),
  );
}

export function readLists(
  calculation: Calculation,
  view: CellView,
  definition: ActivityDefinition,
  evaluate: Evaluate,
): FormUpdate['lists'] {
  return definition.inputs.flatMap(({ Name, pickerAreas = [] }) =>
    pickerAreas.flatMap((area, column) =>
      area ? listsOf(calculation, view, area, evaluate).map((list) => ({ Name, column, ...list })) : [],
    ),
  );
}

interface OfferedList {
  items: string[];
  /** Absent for all rows. */
  rows?: number[];
}

function listsOf(calculation: Calculation, view: CellView, area: ListArea, evaluate: Evaluate): OfferedList[] {
  if (area.formula && area.isPerRow) return listsOfRows(calculation, view, area, area.formula, evaluate);
  return [{ items: itemsNow(calculation, view, area, evaluate).slice(0, MAX_ITEMS) }];
}

/**
 * Rows with the same items share a list. Beyond the limits no list is offered, but the rule of the validation still
 * applies.
 */
function listsOfRows(
  calculation: Calculation,
  view: CellView,
  { sheet, block }: ListArea,
  formula: PlacedText,
  evaluate: Evaluate,
): OfferedList[] {
  const { top, bottom, left } = calculation.now(sheet, block);
  const lists = new Map<string, { items: string[]; rows: number[] }>();
  let count = 0;
  for (let row = top; row <= bottom && row - top < MAX_LISTED_ROWS; row++) {
    const items = itemsAt(calculation, view, formula, { row, col: left }, evaluate);
    const key = JSON.stringify(items);
    const known = lists.get(key);
    if (known) known.rows.push(row - top);
    if (known || items.length === 0) continue;
    count += items.length;
    if (count > MAX_ITEMS) break;
    lists.set(key, { items, rows: [row - top] });
  }
  return [...lists.values()];
}

/** Returns the current items of a list. */
export function itemsNow(calculation: Calculation, view: CellView, area: ListArea, evaluate: Evaluate): string[] {
  if (!area.formula) return readItems(calculation, view, area);
  const { top: row, left: col } = calculation.now(area.sheet, area.block);
  return itemsAt(calculation, view, area.formula, { row, col }, evaluate);
}

/** Returns the items that a formula yields at a cell. */
function itemsAt(
  calculation: Calculation,
  view: CellView,
  formula: PlacedText,
  at: CellPosition,
  evaluate: Evaluate,
): string[] {
  const { values, range } = evaluate(formula, at);
  const width = range ? range.right - range.left + 1 : 1;
  const cells = values.map((value, index) => {
    const [down, across] = [Math.floor(index / width), index % width];
    const format = range ? formatNow(calculation, view, range.sheet, range.top + down, range.left + across) : 'General';
    return { value, format };
  });
  return cellItems(cells, calculation.model.date1904).items;
}

/** Returns the number format of a current cell; rows that were not in the version have none. */
function formatNow(calculation: Calculation, view: CellView, sheet: number, row: number, col: number): string {
  const saved = calculation.rowInVersion(sheet, row, col);
  return saved === null ? 'General' : view.cell(sheet, saved, col).format;
}

function readItems(calculation: Calculation, view: CellView, { sheet, block, spills }: ListArea): string[] {
  const first = calculation.now(sheet, { ...block, bottom: block.top, right: block.left });
  const filled = spills ? calculation.spill(sheet, first.top, first.left) : null;
  const now = filled ?? calculation.now(sheet, block);
  const { format } = view.cell(sheet, block.top, block.left);
  const cells = calculation.read(sheet, now).flatMap((row, y) =>
    row.map((value, x) => {
      const own = formatNow(calculation, view, sheet, now.top + y, now.left + x);
      // Rows that a table or a formula has gained use the format of its first row.
      return { value, format: own === 'General' ? format : own };
    }),
  );
  return cellItems(cells, calculation.model.date1904).items;
}

export function readImmediateOutputs(calculation: Calculation, definition: ActivityDefinition): FormUpdate['outputs'] {
  // An error in an output is shown as its value; nobody reads a log at this stage.
  const log = createRunLog(() => undefined);
  return definition.outputs
    .filter(({ Info }) => Info.CalculateImmediately)
    .map((output) => {
      const { Name, Value } = readOutput(calculation, output, log);
      return { Name, Value };
    });
}
