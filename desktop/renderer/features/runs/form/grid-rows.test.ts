import { describe, expect, it } from 'vitest';
import { clearBlock, pasteBlock, removeRow, setCell, withRowToTypeIn, type GridShape } from './grid-rows.ts';

const variable: GridShape = { width: 2, rowsVariable: true, readOnly: [false, false] };
const fixed: GridShape = { width: 2, rowsVariable: false, readOnly: [false, true] };
const at = (top: number, left: number) => ({ top, left, bottom: top, right: left });

describe('an input grid with variable rows', () => {
  it('always ends with an empty row', () => {
    expect(withRowToTypeIn([], variable)).toEqual([['', '']]);
    expect(withRowToTypeIn([['a', '']], variable)).toHaveLength(2);
  });
  it('gets another row when one types in the last, and no other', () => {
    const rows = setCell(
      [
        ['a', 'b'],
        ['', ''],
      ],
      1,
      0,
      'c',
      variable,
    );
    expect(rows).toEqual([
      ['a', 'b'],
      ['c', ''],
      ['', ''],
    ]);
    expect(setCell(rows, 0, 0, 'd', variable)).toHaveLength(3);
  });
  it('loses any row but the last', () => {
    const rows = [
      ['a', ''],
      ['b', ''],
      ['', ''],
    ];
    expect(removeRow(rows, 0, variable)).toEqual([
      ['b', ''],
      ['', ''],
    ]);
    expect(removeRow(rows, 2, variable)).toBe(rows);
  });
  it('grows by what is pasted, up to its limit', () => {
    const copied = [
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ];
    const { rows, dropped } = pasteBlock([['', '']], at(0, 0), copied, variable, 50);
    expect(rows).toEqual([...copied, ['', '']]);
    expect(dropped).toBe(0);
    expect(pasteBlock([['', '']], at(0, 0), copied, variable, 2).dropped).toBe(2);
  });
});

describe('an input grid with fixed rows', () => {
  const rows = [
    ['a', 'x'],
    ['b', 'y'],
  ];
  it('drops what is pasted beyond it and leaves read-only columns alone', () => {
    const result = pasteBlock(
      rows,
      at(1, 0),
      [
        ['1', '2', '3'],
        ['4', '5', '6'],
      ],
      fixed,
      50,
    );
    expect(result.rows).toEqual([
      ['a', 'x'],
      ['1', 'y'],
    ]);
    expect(result.dropped).toBe(4);
  });
  it('is filled by one copied cell wherever it is selected', () => {
    const block = { top: 0, left: 0, bottom: 1, right: 1 };
    expect(pasteBlock(rows, block, [['z']], fixed, 50).rows).toEqual([
      ['z', 'x'],
      ['z', 'y'],
    ]);
  });
  it('keeps the rows that did not change as they are', () => {
    expect(setCell(rows, 0, 0, 'c', fixed)[1]).toBe(rows[1]);
    expect(setCell(rows, 0, 1, 'c', fixed)).toBe(rows);
    expect(clearBlock(rows, at(0, 0), fixed)).toEqual([
      ['', 'x'],
      ['b', 'y'],
    ]);
  });
});
