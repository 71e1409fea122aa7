import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputShapeError, type FormInput } from '../codecs/input-form.ts';
import type { Input, InputInfo } from '../contract/parameters.ts';
import { inputInfo } from '../testing/input-info.ts';
import { checkInput, countIssues, decodeInput, encodeInput, fileSizeIssue, initialFormInput } from './input-rules.ts';

function input(info: Partial<InputInfo>, rest: Partial<Input> = {}): Input {
  const Info = inputInfo({ CellUsages: ['Text'], ...info });
  return {
    Id: 7,
    ActivityId: 1,
    Name: 'In',
    Description: '',
    HasAccess: true,
    PresetValue: null,
    PresetValueError: null,
    Info,
    ...rest,
  };
}

const form = (value: FormInput['value'], rest: Partial<FormInput> = {}): FormInput => ({
  value,
  files: [],
  useDefault: false,
  ...rest,
});

const table = (info: Partial<InputInfo> = {}): Input =>
  input({
    RangeType: 'RangeWithColumnHeaders',
    CellUsages: ['Text', 'Number', 'Date', 'Boolean'],
    Specifications: ['Required', 'Required', 'Required', 'Required'],
    Blanks: [false, true, false, false],
    Pickers: Array.from({ length: 4 }, () => ({ Type: 'None' as const, PreventOtherValues: false })),
    MaxSize: [5, null, null, null],
    ColumnHeaderValues: ['Name', 'Amount', 'Day', 'Paid'],
    Width: 4,
    Height: 2,
    RowsVariable: true,
    ...info,
  });

describe('a single value', () => {
  const list = { Pickers: [{ Type: 'List' as const, PreventOtherValues: true }] };
  it.each<[string, Partial<InputInfo>, FormInput['value'], string | null]>([
    ['an empty required text', {}, ' ', 'Value must be provided'],
    ['an empty number', { CellUsages: ['Number'] }, null, 'Value must be provided'],
    [
      'an empty old-style number',
      { CellUsages: ['Number'], Specifications: ['OldStyle'] },
      '',
      'Value must be a number',
    ],
    [
      'an empty old-style date',
      { CellUsages: ['Date'], Specifications: ['OldStyle'] },
      null,
      'Value must be specified',
    ],
    ['a blank that is allowed', { Blanks: [true] }, '', null],
    ['a blank with a default', { AllowDefaultValue: true }, '', null],
    ['an empty condition', { CellUsages: ['Condition'] }, '', null],
    ['a number that is none', { CellUsages: ['Number'] }, 'twelve', 'Value must be a number'],
    ['a percentage', { CellUsages: ['Number'] }, '12 %', null],
    [
      'a date that is none',
      { CellUsages: ['Date'], Formats: ['dd/mm/yyyy'] },
      'soon',
      'Value must be a date, such as 31/Jan/2026',
    ],
    ['a date out of range', { CellUsages: ['Date'] }, -4, 'Value must be a date or time, such as 31/Jan/2026'],
    [
      'a time that is none',
      { CellUsages: ['Date'], Formats: ['hh:mm'] },
      'noon',
      'Value must be a time of day, such as 21:30',
    ],
    [
      'a negative time of day',
      { CellUsages: ['Date'], Formats: ['hh:mm'] },
      -0.5,
      'Value must be a time of day, such as 21:30',
    ],
    ['a negative duration', { CellUsages: ['Date'], Formats: ['[h]:mm'] }, -1.5, null],
    ['a text outside its list', list, 'Mars', 'Please choose a valid value.'],
    ['a text in its list, in another case', list, 'euro', null],
    ['a number outside its list', { ...list, CellUsages: ['Number'] }, 3, 'Please choose a valid value.'],
    ['a text too long', { MaxSize: [3] }, 'four', 'Input text must not exceed 3 characters'],
    ['no file', { CellUsages: ['FilePath'] }, '', 'Please choose a file'],
    ['a text for a Boolean', { CellUsages: ['Boolean'] }, 'yes', 'Please choose a valid value.'],
  ])('%s', (_, info, value, message) => {
    const issues = checkInput(input(info), form(value), () => ['Euro', 'Dollar', '5']);
    expect(issues.map((issue) => issue.message)).toEqual(message === null ? [] : [message]);
  });

  it('is in a list that has it in the 15 digits Excel compares', () => {
    const items = (): string[] => [String(0.1 + 0.2), String(1 / 3 + 1 / 1440 + 1 / 1440 + 1 / 1440 + 1 / 1440)];
    for (const [usage, value] of [
      ['Number', 0.3],
      ['Date', 29_040 / 86_400],
    ] as const)
      expect(checkInput(input({ ...list, CellUsages: [usage] }), form(value), items)).toEqual([]);
  });

  it('is never wrong where the form cannot change it', () => {
    for (const fixed of [
      input({ Specifications: ['Display'] }),
      input({ Specifications: ['Hidden'] }),
      input({}, { PresetValue: '"x"' }),
    ]) {
      expect(checkInput(fixed, form(''))).toEqual([]);
      expect(encodeInput(fixed, form('typed'))).toEqual([{ ActivityParameterId: 7, Value: null, UseDefault: true }]);
    }
    expect(encodeInput(input({}, { HasAccess: false }), form('typed'))[0]!.Value).toBeNull();
  });

  it('sends null for a suggestion left alone, and the value once it is specified', () => {
    const suggested = input({ Specifications: ['Suggested'], DefaultValue: '"from the book"' });
    const start = initialFormInput(suggested);
    expect(start).toEqual({ value: 'from the book', files: [], useDefault: true });
    expect(encodeInput(suggested, start)[0]!.Value).toBeNull();
    expect(encodeInput(suggested, { ...start, value: 'mine', useDefault: false })[0]!.Value).toBe('"mine"');
  });

  it('becomes a number on the way', () => {
    expect(encodeInput(input({ CellUsages: ['Number'] }), form('1,250.5'))[0]!.Value).toBe('1250.5');
    expect(encodeInput(input({ CellUsages: ['Boolean'] }), form(null))[0]!.Value).toBe('false');
    expect(encodeInput(input({ CellUsages: ['Number'], Blanks: [true] }), form(''))[0]!.Value).toBe('null');
  });
});

describe('a table', () => {
  it('says in which column of which cell something is wrong', () => {
    const rows = [
      ['Anna', 'x', 46_027, true],
      ['', null, null, false],
      ['Bernhard', 5, 'soon', false],
    ];
    expect(checkInput(table(), form(rows))).toEqual([
      { message: 'Value in column Amount must be a number', row: 0, col: 1 },
      { message: 'Value in column Name must be specified', row: 1, col: 0 },
      { message: 'Value in column Day must be specified', row: 1, col: 2 },
      { message: 'Input text must not exceed 5 characters', row: 2, col: 0 },
      { message: 'Value in column Day must be a date or time, such as 31/Jan/2026', row: 2, col: 2 },
    ]);
  });

  it('leaves out the blank rows at its end, and no others', () => {
    const rows = [
      ['Anna', 1, 46_027, true],
      ['', null, null, false],
      ['Ben', '2 %', 46_028, false],
      ['', null, null, false],
    ];
    expect(JSON.parse(encodeInput(table(), form(rows))[0]!.Value!)).toEqual([
      ['Anna', 1, 46_027, true],
      ['', null, null, false],
      ['Ben', 0.02, 46_028, false],
    ]);
  });

  it('takes at most as many rows as there is room for, not counting blank ones at its end', () => {
    const row = ['a', 1, 46_000, true];
    const bounded = table({ MaxRows: 2 });
    expect(checkInput(bounded, form([row, row, [null, null, null, false]]))).toEqual([]);
    expect(checkInput(bounded, form([row, row, row]))).toEqual([{ message: 'Only 2 of 3 rows fit' }]);
    expect(checkInput(table({ MaxRows: 1 }), form([row, row]))).toEqual([{ message: 'Only 1 of 2 rows fits' }]);
    const below = table({ MaxRows: 2, RowsEnd: "table 'Rates'" });
    expect(checkInput(below, form([row, row, row]))).toEqual([{ message: "Only 2 of 3 rows fit above table 'Rates'" }]);
  });

  it('wants a row where it is required', () => {
    expect(checkInput(table(), form([]))).toEqual([{ message: 'Value must be provided' }]);
    expect(checkInput(table({ Specifications: ['Optional'] }), form([]))).toEqual([]);
  });

  it('refuses JSON of another shape', () => {
    const fixed = table({ RowsVariable: false });
    const decode = (Value: string) => () => decodeInput(fixed, [{ ActivityParameterId: 7, Value }]);
    expect(decode('[[1,2,3]]')).toThrow(InputShapeError);
    expect(decode('5')).toThrow('The value must be a list');
    expect(decode('[[1,2,3,4],[1,2,3,4],[1,2,3,4]]')).toThrow('more than 2 rows');
    expect(decode('[[[],2,3,4]]')).toThrow('A cell must be');
    expect(decode('[[1,2')).toThrow('not JSON');
    const one = table({ RowsVariable: false, Height: 1 });
    expect(() => decodeInput(one, [{ ActivityParameterId: 7, Value: '[[1,2,3,4],[1,2,3,4]]' }])).toThrow(/than 1 row$/);
  });
});

describe('files', () => {
  const single = input({ CellUsages: ['FilePath'], MaxSize: [2048] });
  const column = input({ RangeType: 'SingleColumnOfSimilarValues', CellUsages: ['FilePath'], RowsVariable: true });
  const files = [
    { FileId: 'a', FileName: 'a.csv' },
    { FileId: 'b', FileName: 'b.csv' },
  ];

  it('are one entry each', () => {
    expect(encodeInput(column, form([], { files }))).toEqual([
      { ActivityParameterId: 7, ArrayIndex: 0, FileId: 'a', FileName: 'a.csv' },
      { ActivityParameterId: 7, ArrayIndex: 1, FileId: 'b', FileName: 'b.csv' },
    ]);
    expect(encodeInput(column, form([]))[0]!.Value).toBe('[]');
    expect(decodeInput(column, encodeInput(column, form([], { files }))).files).toEqual(files);
  });

  it('are asked for and bounded', () => {
    expect(checkInput(column, form([]))).toEqual([{ message: 'Please choose at least one file' }]);
    expect(checkInput(single, form('', { files }))).toHaveLength(1);
    const fixed = input({ RangeType: 'SingleColumnOfSimilarValues', CellUsages: ['FilePath'], Height: 2 });
    expect(checkInput(fixed, form([], { files }))).toEqual([]);
    const tooMany = [...files, { FileId: 'c', FileName: 'c.csv' }];
    expect(checkInput(fixed, form([], { files: tooMany }))).toEqual([{ message: 'Please choose at most 2 files' }]);
    expect(checkInput(column, form([], { files: tooMany }))).toEqual([]);
    expect(fileSizeIssue(single.Info, 2049)).toBe('Size of the input file exceeds the limit of 2 KB');
    expect(fileSizeIssue(single.Info, 2048)).toBeNull();
  });

  it('do not go where no file is taken', () => {
    expect(() => decodeInput(input({}), [{ ActivityParameterId: 7, FileId: 'a', FileName: 'a' }])).toThrow(
      'does not accept files',
    );
  });
});

it('what the form sends, the server reads as the same', () => {
  const cell = fc.tuple(
    fc.string({ minLength: 1, maxLength: 5 }).filter((text) => text.trim() !== ''),
    fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    fc.integer({ min: 1, max: 2_958_465 }),
    fc.boolean(),
  );
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 20 }), (rows) => {
      const sent = encodeInput(table(), form(rows));
      const read = decodeInput(table(), sent);
      expect(encodeInput(table(), read)).toEqual(sent);
      expect(checkInput(table(), read)).toEqual([]);
    }),
  );
});

describe('columns that are only shown, or not shown', () => {
  const mixed = table({
    Specifications: ['Display', 'Required', 'Hidden', 'Required'],
    Blanks: [false, false, false, false],
  });

  it('leave the others open', () => {
    expect(checkInput(mixed, form([['', 'x', null, true]]))).toEqual([
      { message: 'Value in column Amount must be a number', row: 0, col: 1 },
    ]);
  });

  it('send null, and the others what was typed', () => {
    const [sent] = encodeInput(mixed, form([['shown', '7', 46_000, true]]));
    expect(JSON.parse(sent!.Value!)).toEqual([[null, 7, null, true]]);
  });

  it('close the input where there are no others', () => {
    const closed = table({ Specifications: ['Display', 'Hidden', 'Display', 'Display'] });
    expect(encodeInput(closed, form([['a', 1, 2, true]]))).toMatchObject([{ Value: null, UseDefault: true }]);
    expect(checkInput(closed, form([['', 'x', null, true]]))).toEqual([]);
  });
});

describe('a preset value that no longer fits', () => {
  it('is an issue, whatever the form holds', () => {
    const broken = input({}, { PresetValue: '"x"', PresetValueError: 'No longer fits' });
    expect(checkInput(broken, form('y'))).toEqual([{ message: 'No longer fits' }]);
    expect(initialFormInput(broken).value).toBe('');
  });
});

describe('very many wrong cells', () => {
  const list = input({ RangeType: 'SingleColumnOfSimilarValues', CellUsages: ['Number'], Height: 250 });

  it('are listed one by one up to a hundred, and counted from there on', () => {
    const issues = checkInput(list, form(Array.from({ length: 250 }, () => 'x')));
    expect(issues).toHaveLength(101);
    expect(issues[100]).toEqual({ message: '150 more cells are invalid', more: 150 });
    expect(countIssues(issues)).toBe(250);
  });

  it('are all listed if they are a hundred', () => {
    const values = Array.from({ length: 250 }, (_, row) => (row < 100 ? 'x' : row));
    const issues = checkInput(list, form(values));
    expect([issues.length, countIssues(issues)]).toEqual([100, 100]);
  });
});
