import { expect, it } from 'vitest';
import type { Input } from '#shared/contract/parameters.ts';
import { formsOfLink, formsOfValues, linkValues, MAX_LINK_LENGTH } from './prefilled-link.ts';

let lastId = 0;
const input = (Name: string, usage = 'Number', more: object = {}) =>
  ({
    Id: (lastId += 1),
    Name,
    HasAccess: true,
    PresetValue: null,
    PresetValueError: null,
    Info: {
      RangeType: 'SingleCell',
      CellUsages: [usage],
      Formats: ['General'],
      Specifications: ['Required'],
      Blanks: [false],
      Pickers: [],
      MaxSize: [null],
      DefaultValue: null,
      AllowDefaultValue: false,
      Height: 1,
      Width: 1,
      RowsVariable: false,
      ColsVariable: false,
      ...more,
    },
  }) as unknown as Input;

const rate = input('Rate');
const branch = input('Branch & co', 'Text');
const file = input('File', 'FilePath');
const hidden = input('Hidden', 'Number', { Specifications: ['Hidden'] });
const secret = input('Database', 'ConnectionString');
const fixed = { ...input('Fixed'), HasAccess: false };
const all = [rate, branch, file, hidden, secret, fixed];
const form = (value: number | string) => ({ value, files: [], useDefault: false });

it('values go into a link and come out of it again, those that were changed alone', () => {
  const forms = { [rate.Id]: form(0.05), [branch.Id]: form('North # 1') };
  const text = linkValues(all, forms, new Set([rate.Id, branch.Id]));
  expect(formsOfLink(all, `#${text}`)).toEqual({ [rate.Id]: form(0.05), [branch.Id]: form('North # 1') });
  expect(linkValues(all, forms, new Set([rate.Id]))).toBe('Rate=0.05');
});

it('no file, nothing hidden or fixed, and no way into a database is in a link, nor taken from one', () => {
  const forms = Object.fromEntries(all.map(({ Id }) => [Id, form('x')]));
  const others = [file, hidden, secret, fixed];
  expect(linkValues(others, forms, new Set(others.map(({ Id }) => Id)))).toBe('');
  expect(formsOfLink(others, '#File="a"&Hidden=1&Database="x"&Fixed=2')).toEqual({});
});

it('what a link cannot mean is passed over', () => {
  expect(formsOfLink(all, '#Rate=[1,2]&Unknown=1')).toEqual({});
  expect(formsOfLink(all, '#Rate={')).toEqual({});
  expect(formsOfLink(all, `#Rate=5&x=${'y'.repeat(MAX_LINK_LENGTH)}`)).toEqual({});
  expect(formsOfLink(all, '')).toEqual({});
});

it('values that are kept by name fill the inputs that are there', () => {
  const namedValues = [
    { Name: 'Rate', Value: '7', UseDefault: false },
    { Name: 'Gone', Value: '1', UseDefault: false },
  ];
  expect(formsOfValues(all, namedValues)).toEqual({ [rate.Id]: form(7) });
});
