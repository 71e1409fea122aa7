import { expect, test } from 'vitest';
import type { ProcedureParameter } from '#shared/contract/procedures.ts';
import { draftIssue, newDrafts, trialValues } from './trial-values.ts';

const parameter = (Name: string, more: Partial<ProcedureParameter>): ProcedureParameter => ({
  Name,
  DataType: 'integer',
  Direction: 'In',
  RangeType: 'SingleCell',
  CellUsage: 'Number',
  HasDefault: false,
  DefaultText: null,
  Items: null,
  Columns: [],
  ...more,
});

const lines = parameter('lines', {
  DataType: 'order_line[]',
  RangeType: 'RangeWithColumnHeaders',
  CellUsage: 'Text',
  Columns: [
    { Name: 'id', DataType: 'integer', CellUsage: 'Number' },
    { Name: 'day', DataType: 'date', CellUsage: 'Date' },
    { Name: 'text', DataType: 'text', CellUsage: 'Text' },
  ],
});

test('values start blank, and are omitted if the procedure has a default', () => {
  const parameters = [
    parameter('a', {}),
    parameter('b', { HasDefault: true }),
    parameter('c', { CellUsage: 'Boolean' }),
    parameter('d', { Direction: 'Out' }),
  ];
  expect(trialValues(parameters, newDrafts(parameters))).toEqual([
    { Name: 'a', LeftOut: false, Value: null },
    { Name: 'b', LeftOut: true, Value: null },
    { Name: 'c', LeftOut: false, Value: 'false' },
  ]);
});

test('rows are read as they are copied from a sheet: numbers, days as serial numbers, blanks as NULL', () => {
  const draft = { cell: null, lines: '1\t2026-10-01\tDesk\n2\t\t', isSkipped: false };
  expect(draftIssue(lines, draft)).toBeNull();
  const [{ Value } = { Value: null }] = trialValues([lines], { lines: draft });
  expect(JSON.parse(Value!)).toEqual([
    [1, 46_296, 'Desk'],
    [2, null, null],
  ]);
});

test('blank lines are skipped, and messages count them as lines', () => {
  const draft = { cell: null, lines: '1\t\t\n\n\t\t\n2\t\tx\n\t\t\n', isSkipped: false };
  expect(draftIssue(lines, draft)).toBeNull();
  expect(JSON.parse(trialValues([lines], { lines: draft })[0]!.Value!)).toEqual([
    [1, null, null],
    [2, null, 'x'],
  ]);
  expect(draftIssue(lines, { ...draft, lines: '\n1\t2' })).toBe('Line 2 has 2 of 3 cells');
  const one = { ...lines, Columns: lines.Columns.slice(0, 1) };
  expect(draftIssue(one, { ...draft, lines: '1\t2' })).toBe('Line 1 has 2 of 1 cell');
  expect(trialValues([lines], { lines: { ...draft, lines: ' ' } })[0]!.Value).toBe('[]');
});

test.each([
  ['1\t2026-10-01', 'Line 1 has 2 of 3 cells'],
  ['1\t2026-10-01\tDesk\nmany\t2026-10-01\tDesk', 'Line 2, id: Value must be a number'],
])('%j is not sent: %s', (text, issue) => {
  expect(draftIssue(lines, { cell: null, lines: text, isSkipped: false })).toBe(issue);
  expect(draftIssue(lines, { cell: null, lines: text, isSkipped: true })).toBeNull();
});

test('no rows are an empty table', () => {
  expect(trialValues([lines], newDrafts([lines]))).toEqual([{ Name: 'lines', LeftOut: false, Value: '[]' }]);
});
