/** Generated workbooks with a table, and formulas below, beside and above it and on another sheet. */
import fc from 'fast-check';
import { columnLetters, formatCell } from '#shared/codecs/cell-address.ts';
import type { CellSpec, WorkbookSpec } from './build-workbook.ts';

/** A cell of the file that others refer to; its row increases if it moves. */
interface Target {
  col: number;
  row: number;
}

/** A formula below, beside or above the table, or on another sheet. */
interface Item extends Target {
  sheet: 0 | 1;
  kind:
    | 'number'
    | 'sum of the column'
    | 'count of the table'
    | 'double of'
    | 'sum from the table to'
    | 'lookup'
    | 'sum of both';
  /** The item it refers to, as an index into the preceding items. */
  of: number;
}

export interface Shape {
  top: number;
  left: number;
  width: number;
  rows: number;
  hasTotals: boolean;
  gap: number;
  isMerged: boolean;
  items: Item[];
}

export const shapes: fc.Arbitrary<Shape> = fc
  .record({
    top: fc.integer({ min: 1, max: 4 }),
    left: fc.integer({ min: 0, max: 3 }),
    width: fc.integer({ min: 2, max: 4 }),
    rows: fc.integer({ min: 1, max: 4 }),
    hasTotals: fc.boolean(),
    gap: fc.integer({ min: 0, max: 2 }),
    isMerged: fc.boolean(),
    drafts: fc.array(
      fc.record({
        sheet: fc.constantFrom<(0 | 1)[]>(0, 0, 0, 1),
        across: fc.integer({ min: -1, max: 5 }),
        down: fc.integer({ min: 0, max: 6 }),
        kind: fc.constantFrom<Item['kind'][]>(
          'number',
          'sum of the column',
          'count of the table',
          'double of',
          'sum from the table to',
          'lookup',
          'sum of both',
        ),
        of: fc.nat(20),
      }),
      { minLength: 1, maxLength: 10 },
    ),
  })
  .map(({ drafts, ...shape }) => {
    const below = shape.top + shape.rows + (shape.hasTotals ? 1 : 0) + 1 + shape.gap;
    const taken = new Set<string>();
    const items = drafts.flatMap(({ sheet, across, down, kind, of }, index): Item[] => {
      const item = { sheet, kind, of, col: Math.max(0, shape.left + across), row: sheet === 1 ? index : below + down };
      const key = `${item.sheet} ${item.col} ${item.row}`;
      if (taken.has(key)) return [];
      taken.add(key);
      return [item];
    });
    // Ensures that something is in the way.
    const first: Item = { sheet: 0, kind: 'sum of the column', of: 0, col: shape.left + 1, row: below };
    return {
      ...shape,
      items: [first, ...items.filter(({ sheet, col, row }) => sheet !== 0 || col !== first.col || row !== first.row)],
    };
  });

/**
 * Builds the workbook with `rows` lines and everything at its final position. `wholeRows` is true if cells beside the
 * table's columns also moved.
 */
export function bookOf(shape: Shape, rows: number, wholeRows: boolean): WorkbookSpec {
  const { top, left, width, hasTotals } = shape;
  const right = left + width - 1;
  const extra = rows - shape.rows;
  const bottom = top + shape.rows + (hasTotals ? 1 : 0);
  const lastRow = top + rows;
  const rowOf = ({ row, col }: Target): number =>
    row > bottom && (wholeRows || (col >= left && col <= right)) ? row + extra : row;
  const addressOf = (target: Target): string => formatCell(rowOf(target), target.col);
  const [cells, other]: [Record<string, CellSpec>, Record<string, CellSpec>] = [{}, {}];
  const names = Array.from({ length: width }, (_, index) => `c${index}`);
  for (const [index, name] of names.entries()) cells[formatCell(top, left + index)] = name;
  for (let row = 0; row < rows; row++) {
    cells[formatCell(top + 1 + row, left)] = `item ${row}`;
    for (let index = 1; index < width; index++)
      cells[formatCell(top + 1 + row, left + index)] =
        index === 1
          ? row + 1
          : { formula: `${formatCell(top + 1 + row, left + 1)}*${index}`, value: (row + 1) * index };
  }
  const number = columnLetters(left + 1);
  const data = `${number}${top + 2}:${number}${lastRow + 1}`;
  if (hasTotals) cells[formatCell(lastRow + 1, left + 1)] = { formula: 'SUBTOTAL(109,T[c1])', value: 0 };
  const earlier: Item[] = [];
  const itemsUpTo = (target: Target): Item[] =>
    shape.items.filter(({ sheet, col, row }) => sheet === 0 && col === target.col && row <= target.row);
  for (const item of shape.items) {
    const on = (text: string): string => (item.sheet === 1 ? `S!${text}` : text);
    const candidates = earlier.filter(({ sheet }) => sheet === 0);
    const target = candidates[item.of % Math.max(1, candidates.length)];
    const formula = ((): string | null => {
      switch (item.kind) {
        case 'sum of the column':
          return `SUM(${on(data)})`;
        case 'count of the table':
          return 'ROWS(T[])+SUM(T[c1])';
        case 'double of':
          return target ? `${on(addressOf(target))}*2` : null;
        case 'sum from the table to':
          // The range ends below the table and therefore grows around the new rows. It contains no item that may refer
          // to this one.
          return target && target.col === left + 1 && itemsUpTo(target).every((one) => earlier.includes(one))
            ? `SUM(${on(`${number}${top + 2}`)}:${addressOf(target)})`
            : null;
        case 'lookup':
          return `INDEX(${on(data)},1)+ROWS(${on(data)})`;
        case 'sum of both':
          return target ? `SUM(${on(addressOf(target))},${on(data)})` : null;
        default:
          return null;
      }
    })();
    const address = item.sheet === 1 ? formatCell(item.row, item.col) : addressOf(item);
    (item.sheet === 1 ? other : cells)[address] = formula === null ? item.of : { formula, value: 0 };
    earlier.push(item);
  }
  const mergedRow = Math.max(bottom + 1, ...shape.items.filter(({ sheet }) => sheet === 0).map(({ row }) => row)) + 2;
  const merged = rowOf({ row: mergedRow, col: wholeRows ? right + 1 : left });
  const block = `${formatCell(top, left)}:${formatCell(lastRow + (hasTotals ? 1 : 0), right)}`;
  return {
    sheets: [
      {
        name: 'S',
        cells,
        ...(shape.isMerged ? { merges: [`${formatCell(merged, left)}:${formatCell(merged, right + 1)}`] } : {}),
        tables: [
          {
            name: 'T',
            ref: block,
            columns: names.map((name, index) =>
              index < 2
                ? { name, ...(hasTotals && index === 1 ? { totalsFormula: 'SUBTOTAL(109,T[c1])' } : {}) }
                : { name, formula: `T[[#This Row],[c1]]*${index}` },
            ),
            totals: hasTotals,
          },
        ],
      },
      { name: 'Other', cells: other },
    ],
    names: { in_T: 'T', out_Sum: `S!${addressOf(shape.items[0]!).replace(/([A-Z]+)(\d+)/, '$$$1$$$2')}` },
  };
}
