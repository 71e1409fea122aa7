/** The fields of a shape: columns under headers, rows beside headers, or all cells as one where they are alike. */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import { heightOf, widthOf } from './blocks.ts';
import type { CellView, SavedCell } from './cell-view.ts';
import { listItems, validationAt } from './list-items.ts';
import type { Shape } from './shapes.ts';
import { kindOf } from './guessed-kinds.ts';
import { formatOf } from './usages.ts';
import type { Field } from './field.ts';

/** Cells of a field that are looked at: a long table tells its kinds in its first rows. */
const MOST_CELLS = 5_000;

export function fieldsOf(model: WorkbookModel, view: CellView, sheet: number, shape: Shape): Field[] {
  return fieldBlocks(shape).map((block) => {
    const cells = cellsOf(view, sheet, block);
    const first = { row: block.top, col: block.left };
    const validation = validationAt(model, sheet, first);
    const list = validation?.type === 'list' ? listItems(model, view, validation.formula1, sheet) : null;
    const withFormula = cells.filter(({ formula }) => formula !== null).length;
    const formulas = withFormula === 0 ? 'none' : withFormula === cells.length ? 'all' : 'some';
    const { usage, guess } = kindOf(model, view, { sheet, block, cells, validation, list });
    const firstFormula = positionIn(
      block,
      cells.findIndex(({ formula }) => formula !== null),
    );
    return { first, cells, validation, list, usage, guess, format: formatOf(cells), formulas, firstFormula };
  });
}

/** Of a cell counted row by row; null for none. */
const positionIn = (block: CellBlock, at: number): CellPosition | null =>
  at < 0 ? null : { row: block.top + Math.floor(at / widthOf(block)), col: block.left + (at % widthOf(block)) };

function fieldBlocks({ rangeType, data }: Shape): CellBlock[] {
  if (rangeType === 'RangeWithColumnHeaders') {
    return Array.from({ length: widthOf(data) }, (_, i) => ({ ...data, left: data.left + i, right: data.left + i }));
  }
  if (rangeType === 'RangeWithRowHeaders') {
    return Array.from({ length: heightOf(data) }, (_, i) => ({ ...data, top: data.top + i, bottom: data.top + i }));
  }
  return [data];
}

function cellsOf(view: CellView, sheet: number, block: CellBlock): SavedCell[] {
  const cells: SavedCell[] = [];
  for (let row = block.top; row <= block.bottom; row++) {
    for (let col = block.left; col <= block.right && cells.length < MOST_CELLS; col++) {
      cells.push(view.cell(sheet, row, col));
    }
    if (cells.length >= MOST_CELLS) break;
  }
  return cells;
}

/** Names that a database takes without quotes, distinct, for columns of a table. */
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
