import { describe, expect, it } from 'vitest';
import type { OutputInfo } from '#shared/contract/parameters.ts';
import type { ShownValue } from '#renderer/ui/values/ValuesView.tsx';
import { copiedResult, copiedText } from './copy-result.ts';
import { readChosenPlots } from '#renderer/ui/values/chosen-plots.ts';
import { figureSize, resultParts } from './result-parts.ts';

const info = (part: Partial<OutputInfo>): OutputInfo => ({
  RangeType: 'SingleCell',
  CellUsages: ['Number'],
  CalculateImmediately: false,
  SqlNames: [],
  HeaderRows: 0,
  HeaderCols: 0,
  RowsVariable: false,
  ColumnHeaderValues: [],
  RowHeaderValues: [],
  Formats: [],
  ...part,
});

const value = (name: string, json: string | null, part: Partial<OutputInfo> = {}): ShownValue => ({
  id: 1,
  name,
  description: '',
  info: info(part),
  json,
  note: json === null ? 'no value' : '',
  files: [],
  tableToken: null,
});

const TABLE: Partial<OutputInfo> = { RangeType: 'RangeWithColumnHeaders', ColumnHeaderValues: ['Due', 'Amount'] };
const VALUES = [
  value('Plan', '[[46027,1.5],[46028,2]]', {
    ...TABLE,
    CellUsages: ['Date', 'Number'],
    Formats: ['dd/mm/yyyy', 'General'],
  }),
  value('Total', '1234.5'),
  value('Note', '"<b>fine</b>"', { CellUsages: ['Html'] }),
  value('Nothing', null),
];

describe('a result', () => {
  it('shows single values as figures, then HTML, files and what has no value, then tables', () => {
    const { figures, listed, tables } = resultParts(VALUES);
    expect([figures, listed, tables].map((part) => part.map(({ name }) => name))).toEqual([
      ['Total'],
      ['Note', 'Nothing'],
      ['Plan'],
    ]);
  });
  it('shows long texts smaller', () => {
    expect(['1,234,567.89', 'Approved with conditions', 'x'.repeat(41), 'a\nb'].map(figureSize)).toEqual([
      'large',
      'medium',
      'small',
      'small',
    ]);
  });
  it('is copied as names and values, and as tables with their names', () => {
    const tables = copiedResult(VALUES);
    expect(tables.map(({ title, rows }) => [title, rows.length])).toEqual([
      ['', 2],
      ['Plan', 2],
    ]);
    expect(tables[0]!.rows[0]![1]!.value).toEqual({ kind: 'number', value: 1234.5, format: 'General' });
    expect(tables[1]!.rows[0]!.map((cell) => cell.value.kind)).toEqual(['date', 'number']);
    expect(copiedText(tables)).toMatch(/^Total\t.+\nNote\t<b>fine<\/b>\n\nPlan\nDue\tAmount\n/);
  });
  it('reads the stored choice of plots, and no choice from anything else', () => {
    expect(readChosenPlots('["Plan",3]')).toEqual(new Set(['Plan']));
    expect(readChosenPlots('[]')).toEqual(new Set());
    expect([null, '{', '{}', 'null'].map(readChosenPlots)).toEqual([null, null, null, null]);
  });
});
