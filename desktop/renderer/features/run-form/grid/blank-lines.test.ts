import { describe, expect, it } from 'vitest';
import type { InputInfo } from '#shared/contract/parameters.ts';
import { countsBlankRows } from '#shared/rules/blank-rows.ts';
import { input } from '#test/support/portal.ts';
import { MAX_ROWS, type GridRows, type GridShape } from './grid-rows.ts';
import { parseClipboardBlock } from './paste-block.ts';
import { pasteCells } from './paste-cells.ts';

const KINDS = [
  { usage: 'Text', format: '@', maxSize: null },
  { usage: 'Number', format: '0', maxSize: null },
] as const;
const shape: GridShape = {
  width: 2,
  rowsVariable: true,
  maxRows: MAX_ROWS,
  kind: (_, col) => KINDS[col]!,
  isReadOnly: () => false,
  isHidden: () => false,
  countsBlankRows: false,
};
const NONE: GridRows = [['', null]];
const at = (top: number, left: number) => ({ top, left, bottom: top, right: left });
const paste = (text: string, rows = NONE, where = at(0, 0), grid = shape) =>
  pasteCells(rows, where, parseClipboardBlock(text), grid);

describe('blank rows of a paste', () => {
  it('are skipped within it and at its end, and counted only within it', () => {
    const pasted = paste('a\t1\n\t\nb\t2\n \t \n\t\nc\t3\n\t\n\t\n');
    expect(pasted.rows).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['', null],
    ]);
    expect(pasted).toMatchObject({ count: 3, blankRows: 3, block: { top: 0, bottom: 2 }, droppedRows: 0 });
    expect(paste('a\t1\n\t\n').blankRows).toBe(0);
  });
  it('need no room', () => {
    const two: GridShape = { ...shape, maxRows: 2 };
    expect(paste('a\t1\n\t\nb\t2\n\t\n', NONE, at(0, 0), two)).toMatchObject({ droppedRows: 0, count: 2 });
  });
  it('stay where the values beside them would come to stand beside others', () => {
    const named: GridRows = [
      ['a', null],
      ['b', null],
      ['c', null],
      ['', null],
    ];
    const pasted = paste('1\n\n3\n\n\n\n', named, at(0, 1));
    expect(pasted.rows.map(([, number]) => number)).toEqual([1, null, 3, null]);
    expect(pasted).toMatchObject({ blankRows: 0, count: 4 });
  });
  it('are skipped where the columns beside them are empty', () => {
    expect(paste('1\n\n3', NONE, at(0, 1)).rows.map(([, number]) => number)).toEqual([1, 3, null]);
  });
  it('stay in a grid whose rows have their places, and where a blank row is a value', () => {
    const rows: GridRows = [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ];
    const fixed: GridShape = { ...shape, rowsVariable: false };
    expect(paste('x\t7\n\t\ny\t9', rows, at(0, 0), fixed).rows).toEqual([
      ['x', 7],
      ['', null],
      ['y', 9],
    ]);
    const gaps = paste('x\t7\n\t\ny\t9\n\t\n', NONE, at(0, 0), { ...shape, countsBlankRows: true });
    expect(gaps.rows.map(([text]) => text)).toEqual(['x', '', 'y', '']);
    expect(gaps.blankRows).toBe(0);
  });
  it('clear what they are pasted over where nothing else is pasted, and make no rows', () => {
    const rows: GridRows = [
      ['a', 1],
      ['b', 2],
      ['', null],
    ];
    expect(paste('\t\n\t\n\t\n\t\n\t\n', rows, at(1, 0)).rows).toEqual([
      ['a', 1],
      ['', null],
      ['', null],
    ]);
    expect(paste('\t\n\t\n\t\n').rows).toEqual([['', null]]);
  });
});

describe('a row of blanks is a value', () => {
  const countsBlank = (info: Partial<InputInfo>): boolean => countsBlankRows(input('A', info).Info);
  const table = { RangeType: 'RangeWithColumnHeaders', Width: 2, CellUsages: ['Text', 'Number'] } as const;
  it('in a list whose cells may be blank, and in a table that falls back to the workbook', () => {
    expect(countsBlank({ RangeType: 'SingleColumnOfSimilarValues', Blanks: [true] })).toBe(true);
    expect(countsBlank({ ...table, CellUsages: ['Text', 'Number'], Specifications: ['Optional', 'Suggested'] })).toBe(
      true,
    );
    expect(countsBlank({ ...table, CellUsages: ['Text', 'Number'], Specifications: ['Display', 'Optional'] })).toBe(
      true,
    );
  });
  it('in no other', () => {
    expect(countsBlank({ RangeType: 'SingleColumnOfSimilarValues', CellUsages: ['Number'] })).toBe(false);
    expect(countsBlank({ ...table, CellUsages: ['Text', 'Number'], Blanks: [true, true] })).toBe(false);
    expect(countsBlank({ ...table, CellUsages: ['Text', 'Number'], Specifications: ['Optional', 'Required'] })).toBe(
      false,
    );
    expect(countsBlank({ ...table, CellUsages: ['Text', 'Number'], Specifications: ['Optional'] })).toBe(false);
  });
});
