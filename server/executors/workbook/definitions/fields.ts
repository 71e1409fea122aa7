/**
 * Splits a shape into fields: columns under headers, rows beside headers, or all cells as one field if they are alike.
 */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellAnchors } from '#server/executors/activity-definition.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { RangeType } from '#shared/contract/parameters.ts';
import { valueGrid } from '../anchors.ts';
import type { CellView } from './cell-view.ts';
import { listItems, validationAt } from './list-items.ts';
import type { Shape } from './shapes.ts';
import { kindOf } from './guessed-kinds.ts';
import { formatOf } from './usages.ts';
import type { Field } from './field.ts';

/** Maximum number of cells read per field; the first rows of a long table suffice to infer types. */
const MAX_CELLS_PER_FIELD = 5_000;

export function fieldsOf(model: WorkbookModel, view: CellView, sheet: number, shape: Shape): Field[] {
  return fieldBlocks(shape).map(({ block, anchors }) => {
    const positions = positionsIn(block, anchors);
    const cells = positions.map(({ row, col }) => view.cell(sheet, row, col));
    const first = { row: block.top, col: block.left };
    const validation = validationAt(model, sheet, first);
    const list = validation?.type === 'list' ? listItems(model, view, validation.formula1, sheet) : null;
    const withFormula = cells.filter(({ formula }) => formula !== null).length;
    const formulas = withFormula === 0 ? 'none' : withFormula === cells.length ? 'all' : 'some';
    const { usage, guess } = kindOf(model, view, { sheet, block, cells, positions, validation, list });
    const firstFormula = positions[cells.findIndex(({ formula }) => formula !== null)] ?? null;
    const column = COLUMNS.has(shape.rangeType) && !anchors?.rows ? block : null;
    return { first, column, cells, validation, list, usage, guess, format: formatOf(cells), formulas, firstFormula };
  });
}

/** Shapes whose fields are columns. */
const COLUMNS: ReadonlySet<RangeType> = new Set(['RangeWithColumnHeaders', 'SingleColumnOfSimilarValues']);

interface FieldBlock {
  block: CellBlock;
  anchors?: CellAnchors | undefined;
}

function fieldBlocks({ rangeType, data, anchors }: Shape): FieldBlock[] {
  const { height, width, rowAt, colAt } = valueGrid(data, anchors);
  if (rangeType === 'RangeWithColumnHeaders') {
    const own = anchors?.rows ? { rows: anchors.rows, cols: null } : undefined;
    return Array.from({ length: width }, (_, x) => ({
      block: { ...data, left: colAt(x), right: colAt(x) },
      anchors: own,
    }));
  }
  if (rangeType === 'RangeWithRowHeaders') {
    const own = anchors?.cols ? { rows: null, cols: anchors.cols } : undefined;
    return Array.from({ length: height }, (_, y) => ({
      block: { ...data, top: rowAt(y), bottom: rowAt(y) },
      anchors: own,
    }));
  }
  return [{ block: data, anchors }];
}

/** Returns the cells of a field that hold its values, row by row, up to MOST_CELLS. */
function positionsIn(block: CellBlock, anchors: CellAnchors | undefined): CellPosition[] {
  const { height, width, rowAt, colAt } = valueGrid(block, anchors);
  const count = Math.min(height * width, MAX_CELLS_PER_FIELD);
  return Array.from({ length: count }, (_, at) => ({ row: rowAt(Math.floor(at / width)), col: colAt(at % width) }));
}

/** Returns distinct names for the columns of a table that databases accept without quotes. */
export function sqlNames(headers: readonly string[]): string[] {
  const seen = new Set<string>();
  return headers.map((header, index) => {
    const word = header
      .trim()
      .replace(/[^\p{L}\p{N}_]+/gu, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 60);
    const base = word === '' ? `Column${index + 1}` : /^\p{N}/u.test(word) ? `_${word}` : word;
    let name = base;
    for (let count = 2; seen.has(name.toLowerCase()); count++) name = `${base}_${count}`;
    seen.add(name.toLowerCase());
    return name;
  });
}
