import { describe, expect, it } from 'vitest';
import { clearCells, MAX_ROWS, readCells, removeRows, setCell, withRowToTypeIn, type GridShape } from './grid-rows.ts';
import { pasteCells } from './paste-cells.ts';

const kinds = [
  { usage: 'Text', format: 'General', maxSize: null },
  { usage: 'Number', format: '0', maxSize: null },
] as const;
const shape = (rowsVariable: boolean, readOnlyCol = -1): GridShape => ({
  width: 2,
  rowsVariable,
  maxRows: MAX_ROWS,
  kind: (_, col) => kinds[col]!,
  isReadOnly: (_, col) => col === readOnlyCol,
  isHidden: () => false,
  countsBlankRows: false,
});
const variable = shape(true);
const fixed = shape(false, 1);
const at = (top: number, left: number) => ({ top, left, bottom: top, right: left });

describe('dates pasted into a grid', () => {
  const dates: GridShape = {
    ...variable,
    width: 1,
    kind: () => ({ usage: 'Date', format: 'dd/mm/yyyy', maxSize: null }),
  };
  const paste = (...texts: string[]) =>
    pasteCells(
      [[null]],
      at(0, 0),
      texts.map((text) => [text]),
      dates,
    );
  it('are all read in the order that one of them implies', () => {
    const { rows, notes } = paste('2/3/2026', '1/31/2026');
    expect(rows.map(([cell]) => cell)).toEqual([46_056, 46_053, null]);
    expect(notes).toEqual(['2/3/2026 was read as 3/Feb/2026']);
  });
  it('stay as they are where their orders contradict one another', () => {
    const { rows } = paste('2/3/2026', '1/31/2026', '31/1/2026');
    expect(rows.map(([cell]) => cell)).toEqual(['2/3/2026', 46_053, 46_053, null]);
  });
  it('are read day first where none is unambiguous', () => {
    expect(paste('2/3/2026', '4/3/2026').rows.map(([cell]) => cell)).toEqual([46_083, 46_085, null]);
  });
});

describe('an input grid with variable rows', () => {
  it('always ends with an empty row', () => {
    expect(withRowToTypeIn([], variable)).toEqual([['', null]]);
    expect(withRowToTypeIn([['a', null]], variable)).toHaveLength(2);
  });
  it('gets another row when one types in the last, and in no other', () => {
    const rows = setCell(
      [
        ['a', 1],
        ['', null],
      ],
      1,
      0,
      'c',
      variable,
    );
    expect(rows).toEqual([
      ['a', 1],
      ['c', null],
      ['', null],
    ]);
    expect(setCell(rows, 0, 0, 'd', variable)).toHaveLength(3);
  });
  it('loses any row but the last', () => {
    const rows = [
      ['a', null],
      ['b', null],
      ['', null],
    ];
    expect(removeRows(rows, [0], variable)).toEqual([
      ['b', null],
      ['', null],
    ]);
    expect(removeRows(rows, [2], variable)).toBe(rows);
  });
  it('grows by what is pasted, in the type of each column, up to its limit', () => {
    const { rows, droppedRows } = pasteCells(
      [['', null]],
      at(0, 0),
      [
        ['a', '1'],
        ['b', '12%'],
        ['c', 'x'],
      ],
      variable,
    );
    expect(rows).toEqual([
      ['a', 1],
      ['b', 0.12],
      ['c', 'x'],
      ['', null],
    ]);
    expect(droppedRows).toBe(0);
    const many = Array.from({ length: 50_010 }, () => ['a', '1']);
    expect(pasteCells([['', null]], at(0, 0), many, variable)).toMatchObject({ droppedRows: 10 });
  });
});

describe('an input grid of a table that has room for three rows', () => {
  const three: GridShape = { ...variable, maxRows: 3 };
  const full = [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ];
  it('takes three of what is pasted, and says how many it did not', () => {
    const copied = ['a', 'b', 'c', 'd', 'e'].map((text, at) => [text, String(at + 1)]);
    expect(pasteCells([['', null]], at(0, 0), copied, three)).toMatchObject({ rows: full, droppedRows: 2 });
    expect(pasteCells(full.slice(0, 2), at(1, 0), copied, three)).toMatchObject({ droppedRows: 3 });
  });
  it('offers no fourth row to type into, and again a third after one was removed', () => {
    expect(setCell(full, 2, 0, 'z', three)).toHaveLength(3);
    expect(removeRows(full, [2], three)).toEqual([...full.slice(0, 2), ['', null]]);
  });
});

it('columns that are not shown are passed by when one pastes or copies', () => {
  const hidden: GridShape = {
    ...variable,
    width: 3,
    kind: () => kinds[0],
    isHidden: (col) => col === 1,
  };
  const { rows } = pasteCells([['', 'kept', '']], at(0, 0), [['a', 'b']], hidden);
  expect(rows[0]).toEqual(['a', 'kept', 'b']);
  expect(readCells(rows, [0], { top: 0, left: 0, bottom: 0, right: 2 }, hidden)).toEqual([['a', 'b']]);
});

describe('an input grid with fixed rows', () => {
  const rows = [
    ['a', 1],
    ['b', 2],
  ];
  it('drops what is pasted beyond it and leaves read-only columns alone', () => {
    const result = pasteCells(
      rows,
      at(1, 0),
      [
        ['c', '2', '3'],
        ['d', '5', '6'],
      ],
      fixed,
    );
    expect(result.rows).toEqual([
      ['a', 1],
      ['c', 2],
    ]);
    expect(result).toMatchObject({ droppedRows: 1, droppedColumns: 1, refused: 0 });
    expect(pasteCells(rows, at(0, 0), [['c', '7']], fixed)).toMatchObject({ refused: 1 });
  });
  it('is filled by one copied cell wherever it is selected', () => {
    const block = { top: 0, left: 0, bottom: 1, right: 1 };
    expect(pasteCells(rows, block, [['z']], fixed).rows).toEqual([
      ['z', 1],
      ['z', 2],
    ]);
  });
  it('keeps the rows that did not change as they are', () => {
    expect(setCell(rows, 0, 0, 'c', fixed)[1]).toBe(rows[1]);
    expect(setCell(rows, 0, 1, 9, fixed)).toBe(rows);
    expect(clearCells(rows, [0], at(0, 0), fixed)).toEqual([
      ['', 1],
      ['b', 2],
    ]);
  });
  it('is copied as it would be typed', () => {
    expect(readCells(rows, [0, 1], { top: 0, left: 0, bottom: 1, right: 1 }, fixed)).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
  });
});
