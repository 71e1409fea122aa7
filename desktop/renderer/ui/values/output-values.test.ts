import { describe, expect, it } from 'vitest';
import { columnNumbers, planPlot } from '#shared/codecs/value-table.ts';
import type { OutputInfo } from '#shared/contract/parameters.ts';
import { singleText, valueTable } from './output-values.ts';

const info = (part: Partial<OutputInfo>): OutputInfo => ({
  RangeType: 'RangeWithColumnHeaders',
  CellUsages: ['Date', 'Number', 'Text'],
  CalculateImmediately: false,
  SqlNames: [],
  HeaderRows: 1,
  HeaderCols: 0,
  RowsVariable: true,
  ColumnHeaderValues: ['Due', 'Amount', 'Note'],
  RowHeaderValues: [],
  Formats: ['dd/mm/yyyy', '#,##0.00', 'General'],
  ...part,
});
const json = JSON.stringify([
  [46027, 10.5, 'a'],
  [46028, { error: '#N/A' }, null],
  [46029, 7, 'c'],
]);

describe('values to look at', () => {
  it('show single cells as Excel shows them, errors too', () => {
    const single = info({ RangeType: 'SingleCell', CellUsages: ['Number'], Formats: ['0.0%'] });
    expect(singleText('0.125', single)).toBe('12.5%');
    expect(singleText('{"error":"#DIV/0!"}', single)).toBe('#DIV/0!');
    expect(singleText(null, single)).toBe('');
  });
  it('are tables with the columns of the workbook', () => {
    const table = valueTable(json, info({}), 'Plan');
    expect(table.columns.map((column) => column.title)).toEqual(['Due', 'Amount', 'Note']);
    expect(table.rows[2]).toEqual({ index: 2, name: '', cells: [46029, 7, 'c'] });
  });
  it('are columns for lists that stand and one row for lists that lie', () => {
    const column = info({ RangeType: 'SingleColumnOfSimilarValues', CellUsages: ['Number'], ColumnHeaderValues: [] });
    expect(valueTable('[1,2]', column, 'Rates')).toMatchObject({
      columns: [{ title: 'Rates' }],
      rows: [{ cells: [1] }, { cells: [2] }],
    });
    const row = info({ RangeType: 'SingleRowOfSimilarValues', CellUsages: ['Number'], ColumnHeaderValues: [] });
    expect(valueTable('[1,2]', row, 'Rates').rows.map(({ cells }) => cells)).toEqual([[1, 2]]);
  });
  it('take their formats by row where headers stand at the left', () => {
    const sideways = info({
      RangeType: 'RangeWithRowHeaders',
      CellUsages: ['Number', 'Text'],
      Formats: ['0%', 'General'],
      ColumnHeaderValues: [],
      RowHeaderValues: ['Rate', 'Note'],
    });
    const rows = valueTable('[[0.5,0.25],["a","b"]]', sideways, '').rows;
    expect(rows).toEqual([
      { index: 0, name: 'Rate', cells: ['50%', '25%'] },
      { index: 1, name: 'Note', cells: ['a', 'b'] },
    ]);
  });
});

describe('a plot of a table', () => {
  it('draws numbers over the first column that rises', () => {
    expect(planPlot(valueTable(json, info({}), ''))).toEqual({ x: 0, series: [1] });
    expect(columnNumbers(valueTable(json, info({}), ''), 1)).toEqual([10.5, null, 7]);
  });
  it('counts the rows where no column rises', () => {
    const numbers = info({ CellUsages: ['Number', 'Number'], ColumnHeaderValues: ['A', 'B'] });
    expect(planPlot(valueTable('[[2,1],[1,5],[3,2]]', numbers, ''))).toEqual({ x: null, series: [0, 1] });
  });
  it('is not offered where there are no numbers, or a single row', () => {
    expect(planPlot(valueTable('[["a"],["b"]]', info({ CellUsages: ['Text'] }), ''))).toBeNull();
    expect(planPlot(valueTable('[[46027,1,"a"]]', info({}), ''))).toBeNull();
  });
});
