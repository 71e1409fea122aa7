import { describe, expect, it } from 'vitest';
import {
  columnWidths,
  drawnWidths,
  fittedWidths,
  filteredIndices,
  moveFocus,
  nextSort,
  sortedIndices,
  toClipboardText,
  type GridColumn,
} from './grid-model.ts';

interface Row {
  name: string;
  size: number | null;
}

const columns: GridColumn<Row>[] = [
  { key: 'name', title: 'Name', text: (row) => row.name },
  { key: 'size', title: 'Size', text: (row) => String(row.size ?? ''), sortValue: (row) => row.size },
];
const rows: Row[] = [
  { name: 'Loan 10', size: 5 },
  { name: 'loan 9', size: null },
  { name: 'Invoice', size: 40 },
];
const all = [0, 1, 2];

describe('grid columns', () => {
  it('are 11 pixels a character and 10 more, between 50 and 400', () => {
    const wide: Row = { name: 'x'.repeat(90), size: 1 };
    expect(columnWidths(columns, rows)).toEqual([7 * 11 + 10, 4 * 11 + 10]);
    expect(columnWidths(columns, [wide])).toEqual([400, 54]);
    expect(columnWidths(columns, rows, { min: 120 })).toEqual([120, 120]);
    expect(columnWidths([{ key: 'a', title: '', text: () => '' }], rows)).toEqual([50]);
  });
});

describe('columns that give way', () => {
  const text = (): string => '';
  const columns = [
    { key: 'a', title: '', text },
    { key: 'b', title: '', text, givesWayTo: 100 },
    { key: 'c', title: '', text, givesWayTo: 200 },
  ];

  it('give an equal share of what they can spare, and no more than is needed', () => {
    const drawn = [500, 500, 500];
    expect(fittedWidths(columns, [50, 300, 400], drawn, 750)).toEqual([50, 300, 400]);
    expect(fittedWidths(columns, [50, 300, 400], drawn, 650)).toEqual([50, 250, 350]);
    expect(fittedWidths(columns, [50, 300, 400], drawn, 10)).toEqual([50, 100, 200]);
  });

  it('stay as they are where they are narrower already, or nothing gives way', () => {
    expect(fittedWidths(columns, [500, 60, 150], [900, 900, 900], 100)).toEqual([500, 60, 150]);
    expect(fittedWidths(columns.slice(0, 1), [500], [900], 100)).toEqual([500]);
  });

  it('first lose what their cells do not take, but those of a given width', () => {
    const given = [{ ...columns[0]!, width: 300 }, ...columns.slice(1)];
    expect(fittedWidths(given, [300, 300, 400], [80, 200, 300], 900)).toEqual([300, 250, 350]);
    expect(fittedWidths(given, [300, 300, 400], [80, 200, 300], 700)).toEqual([300, 150, 250]);
  });

  it('take what title and cells take, in the font of grids', () => {
    const titled = [{ key: 'a', title: 'Full name', text: (row: string) => row }];
    expect(drawnWidths(titled, ['x'.repeat(20)])).toEqual([170]);
    expect(drawnWidths(titled, ['x'])).toEqual([105]);
    expect(drawnWidths(titled, ['x'], { min: 120 })).toEqual([120]);
    // The icon of an input column.
    expect(drawnWidths([{ ...titled[0]!, tone: 'input' }], ['x'])).toEqual([122]);
    // An icon before the text; no sort icon if there is no sorting.
    expect(drawnWidths([{ ...titled[0]!, hasIcon: true }], ['x'.repeat(20)])).toEqual([192]);
    expect(drawnWidths(titled, ['x'], { sortable: false })).toEqual([96]);
  });

  it('leaves room for the mark of an input before a short title', () => {
    const values: GridColumn<string> = { key: 'v', title: 'Values', text: (value) => value };
    expect(columnWidths([values, { ...values, tone: 'output' }], ['x'])).toEqual([76, 82]);
  });
});

describe('grid order', () => {
  it('counts numbers in texts, and leaves blanks at the end both ways', () => {
    expect(sortedIndices(rows, all, columns, { key: 'name', descending: false })).toEqual([2, 1, 0]);
    expect(sortedIndices(rows, all, columns, { key: 'size', descending: false })).toEqual([0, 2, 1]);
    expect(sortedIndices(rows, all, columns, { key: 'size', descending: true })).toEqual([2, 0, 1]);
    expect(sortedIndices(rows, all, columns, null)).toEqual(all);
  });

  it('goes up, down and back as it came', () => {
    const up = nextSort(null, 'name');
    const down = nextSort(up, 'name');
    expect([up, down, nextSort(down, 'name')]).toEqual([
      { key: 'name', descending: false },
      { key: 'name', descending: true },
      null,
    ]);
  });
});

describe('grid filter', () => {
  it('wants every word somewhere in the row', () => {
    expect(filteredIndices(rows, columns, ' LOAN ')).toEqual([0, 1]);
    expect(filteredIndices(rows, columns, 'loan 5')).toEqual([0]);
    expect(filteredIndices(rows, columns, 'loan 40')).toEqual([]);
  });
});

describe('grid copying', () => {
  it('quotes what would break rows or columns', () => {
    expect(
      toClipboardText([
        ['a', 'b\tc'],
        ['say "x"', '1'],
      ]),
    ).toBe('a\t"b\tc"\n"say ""x"""\t1');
  });
});

describe('grid keys', () => {
  const size = { rows: 30, cols: 3, page: 10 };
  const press = (key: string, ctrl = false) => moveFocus({ row: 5, col: 1 }, { key, ctrl }, size);
  it('move within the grid', () => {
    expect(press('ArrowDown')).toEqual({ row: 6, col: 1 });
    expect(press('PageUp')).toEqual({ row: 0, col: 1 });
    expect(press('End', true)).toEqual({ row: 29, col: 2 });
    expect(press('Home')).toEqual({ row: 5, col: 0 });
    expect(press('a')).toBeNull();
  });
});
