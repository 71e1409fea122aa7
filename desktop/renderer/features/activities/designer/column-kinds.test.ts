import { describe, expect, it } from 'vitest';
import type { Mark } from '#shared/contract/designs.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import { firstRowIsHeadings, kindsOf, withKind } from './column-kinds.ts';

const mark = (Options: Mark['Options'] = {}, given: Partial<Mark> = {}): Mark => ({
  Role: 'Input',
  Name: 'Lines',
  Sheet: 'Sheet1',
  Range: 'A1:C9',
  Options,
  ...given,
});
const found: { CellUsages: CellUsage[]; RangeType: 'RangeWithColumnHeaders' } = {
  CellUsages: ['Text', 'Number', 'Number'],
  RangeType: 'RangeWithColumnHeaders',
};

describe('the kinds of columns', () => {
  it('are those of the cells unless the author has written others', () => {
    expect(kindsOf(mark(), found)).toEqual(['Text', 'Number', 'Number']);
    expect(kindsOf(mark({ CellUsages: 'text, date, NUMBER' }), found)).toEqual(['Text', 'Date', 'Number']);
    expect(kindsOf(mark({ CellUsages: 'Text' }), found)).toEqual(['Text', 'Text', 'Text']);
  });

  it('ignore what does not fit the columns', () => {
    for (const CellUsages of ['Text,Date', 'Text,Nothing,Date', ''])
      expect(kindsOf(mark({ CellUsages }), found)).toEqual(found.CellUsages);
  });

  it('change one by one, before the server has analysed the first change', () => {
    const first = withKind(mark(), found, 1, 'Date');
    const second = withKind(first, found, 2, 'Text');
    expect(second.Options).toEqual({ CellUsages: 'Text,Date,Text' });
    expect(kindsOf(second, found)).toEqual(['Text', 'Date', 'Text']);
  });
});

describe('the first row of a table', () => {
  it('is what the server found until the author chooses', () => {
    expect(firstRowIsHeadings(mark(), found, 'inside')).toBe(true);
    expect(firstRowIsHeadings(mark(), found, 'letters')).toBe(false);
    expect(firstRowIsHeadings(mark({ Headers: 'FALSE' }), found, 'inside')).toBe(false);
    expect(firstRowIsHeadings(mark({ Headers: 'TRUE' }), found, 'above')).toBe(true);
  });

  it('cannot be chosen for Excel tables, single rows and other shapes', () => {
    expect(firstRowIsHeadings(mark(), found, 'table')).toBeNull();
    expect(firstRowIsHeadings(mark({}, { Table: 'in_Lines' }), found, 'inside')).toBeNull();
    expect(firstRowIsHeadings(mark({}, { Range: 'A1:C1' }), found, 'inside')).toBeNull();
    expect(firstRowIsHeadings(mark(), { RangeType: 'MatrixWithHeaders' }, 'inside')).toBeNull();
    expect(firstRowIsHeadings(mark(), found, undefined)).toBeNull();
  });
});
