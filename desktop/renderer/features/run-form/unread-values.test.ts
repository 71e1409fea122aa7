import { expect, it } from 'vitest';
import type { Input } from '#shared/contract/parameters.ts';
import { parseCellText } from '#shared/codecs/cell-text.ts';
import { regionOf } from '#shared/codecs/text-region.ts';
import { unreadInputs } from './unread-values.ts';

let lastId = 0;
const input = (Name: string, RangeType: string, CellUsages: string[], Specifications = ['Required']) =>
  ({
    Id: (lastId += 1),
    Name,
    Info: { RangeType, CellUsages, Formats: ['General'], MaxSize: [null], Specifications },
  }) as unknown as Input;
const single = input('Rate', 'SingleCell', ['Number']);
const list = input('Days', 'SingleColumnOfSimilarValues', ['Date']);
const table = input('Items', 'RangeWithColumnHeaders', ['Text', 'Number']);
const all = [single, list, table];

it('names inputs with texts that would be lost as values', () => {
  const form = (value: unknown, useDefault = false) => ({ value, files: [], useDefault }) as never;
  const of = (...values: unknown[]) =>
    unreadInputs(all, Object.fromEntries(all.map(({ Id }, at) => [Id, form(values[at])])));
  expect(of(0.05, [46_027, null], [['12a', 3]])).toEqual([]);
  expect(of('12a', [46_027, 'tomorrow'], [['a', 'b']])).toEqual(['Rate', 'Days', 'Items']);
  // The user was asked what the text means, and has not answered.
  const kind = { usage: 'Number', format: 'General', maxSize: null, region: regionOf('en-US'), canAsk: true } as const;
  expect(of(parseCellText('1.500', kind), [], [])).toEqual(['Rate']);
  // The workbook's own value applies.
  expect(unreadInputs([single], { [single.Id]: form('12a', true) })).toEqual([]);
});

it('ignores texts in read-only columns, which the workbook calculates', () => {
  const partly = input('Lines', 'RangeWithColumnHeaders', ['Number', 'Number'], ['Required', 'Display']);
  const of = (quantity: unknown) =>
    unreadInputs([partly], { [partly.Id]: { value: [[quantity, 'n/a']], files: [], useDefault: false } as never });
  expect([of(3), of('3a')]).toEqual([[], ['Lines']]);
});
