import { describe, expect, it } from 'vitest';
import type { FormCell } from '../codecs/input-form.ts';
import type { Input, InputInfo, ValueRule } from '../contract/parameters.ts';
import { inputInfo } from '../testing/input-info.ts';
import { alertsOf, brokenSingle, checkInput } from './input-rules.ts';
import { allowedText, breaksBounds, ruleAt, ruleMessage, type RuleKind } from './value-rules.ts';

type Case = [ValueRule['Type'], ValueRule['Operator'], number[], FormCell, string, string];

const rule = (Type: ValueRule['Type'], Operator: ValueRule['Operator'], Bounds: number[]): ValueRule => ({
  Top: 0,
  Left: 0,
  Bottom: null,
  Right: 0,
  Alert: 'Stop',
  Title: '',
  Text: '',
  Type,
  Operator,
  Bounds,
});

describe('a rule with bounds', () => {
  it.each<Case>([
    ['whole', 'between', [1, 40], 41, 'Value must be between 1 and 40', '1 to 40'],
    ['whole', 'between', [1, 40], 2.5, 'Value must be a whole number', '1 to 40'],
    ['whole', 'between', [1, 40], 99.5, 'Value must be between 1 and 40', '1 to 40'],
    ['decimal', 'notBetween', [1, 5], 5, 'Value must not be between 1 and 5', 'not 1 to 5'],
    ['decimal', 'equal', [5], 4, 'Value must be 5', '5'],
    ['decimal', 'notEqual', [5], 5, 'Value must not be 5', 'not 5'],
    ['decimal', 'greaterThan', [1_000_000], 5, 'Value must be greater than 1,000,000', 'more than 1,000,000'],
    ['decimal', 'lessThan', [0.5], 0.5, 'Value must be less than 0.5', 'less than 0.5'],
    ['decimal', 'greaterThanOrEqual', [0], -1, 'Value must be at least 0', 'at least 0'],
    ['decimal', 'lessThanOrEqual', [0], 1, 'Value must be at most 0', 'at most 0'],
    ['date', 'greaterThan', [46_023], 46_023, 'Value must be after 1/Jan/2026', 'after 1/Jan/2026'],
    ['date', 'lessThanOrEqual', [46_023], 46_024, 'Value must not be after 1/Jan/2026', 'up to 1/Jan/2026'],
    ['time', 'lessThan', [0.75], 0.8, 'Value must be before 18:00', 'before 18:00'],
    ['time', 'lessThan', [1.5625], 2, 'Value must be before 37:30', 'before 37:30'],
    ['textLength', 'between', [2, 3], 'abcd', 'Value must have between 2 and 3 characters', '2 to 3 characters'],
    ['textLength', 'equal', [2], 'abc', 'Value must have exactly 2 characters', '2 characters'],
    ['textLength', 'lessThanOrEqual', [1], 'ab', 'Value must have at most 1 character', 'at most 1 character'],
    [
      'textLength',
      'lessThanOrEqual',
      [11],
      'a longer text',
      'Value must have at most 11 characters',
      'at most 11 characters',
    ],
    ['textLength', 'between', [0, 1], 'ab', 'Value must have between 0 and 1 characters', '0 to 1 characters'],
  ])('of %s %s %j refuses %j and says what would be right', (type, operator, bounds, value, message, allowed) => {
    const own = rule(type, operator, bounds);
    expect(breaksBounds(own, value, bounds)).toBe(true);
    expect(ruleMessage(own, value, bounds, { format: 'General', column: null })).toBe(message);
    expect(allowedText(own, bounds, 'General')).toBe(allowed);
  });

  it('lets its ends through, and what equals them to 15 digits', () => {
    expect(breaksBounds(rule('whole', 'between', [1, 40]), 40, [1, 40])).toBe(false);
    expect(breaksBounds(rule('decimal', 'lessThanOrEqual', [0.3]), 0.1 + 0.2, [0.3])).toBe(false);
    expect(breaksBounds(rule('textLength', 'between', [2, 3]), 'abc', [2, 3])).toBe(false);
  });

  it('shows the bounds of percentages as such', () => {
    expect(allowedText(rule('decimal', 'between', [0, 0.07]), [0, 0.07], '0.00%')).toBe('0% to 7%');
  });

  it('shows bounds with the marks of the region of the workbook', () => {
    const region = { Id: 'de-DE', Decimal: ',', Group: '.', DayOrder: 'dmy' as const };
    const own = rule('decimal', 'between', [0.5, 1234.5]);
    expect(allowedText(own, own.Bounds, 'General', region)).toBe('0,5 to 1.234,5');
    const context = { format: '0.0%', column: null, region };
    expect(ruleMessage(own, 99, [0.125, 50], context)).toBe('Value must be between 12,5% and 5.000%');
  });

  it('shows bounds said as numbers as the days or times that the cell shows', () => {
    expect(allowedText(rule('decimal', 'between', [0, 1.5]), [0, 1.5], '[h]:mm')).toBe('0:00 to 36:00');
    expect(allowedText(rule('whole', 'greaterThan', [46_023]), [46_023], 'dd/mm/yyyy')).toBe('more than 1/Jan/2026');
    expect(allowedText(rule('textLength', 'equal', [5]), [5], 'dd/mm/yyyy')).toBe('5 characters');
  });

  it('speaks in the words of the workbook where it has some', () => {
    const own = { ...rule('whole', 'lessThan', [5]), Text: 'Too many' };
    expect(ruleMessage(own, 9, [5], { format: 'General', column: 'Boxes' })).toBe('Too many');
  });
});

const input = (info: Partial<InputInfo>): Input => ({
  Id: 1,
  ActivityId: 1,
  Name: 'In',
  Description: '',
  HasAccess: true,
  PresetValue: null,
  PresetValueError: null,
  Info: inputInfo(info),
});

describe('the rules of an input', () => {
  const table = input({
    RangeType: 'RangeWithColumnHeaders',
    CellUsages: ['Number', 'Number'],
    ColumnHeaderValues: ['A', 'B'],
    Width: 2,
    RowsVariable: true,
    Rules: [
      { ...rule('whole', 'lessThan', [5]), Left: 1, Right: 1 },
      { ...rule('whole', 'lessThan', [2]), Bottom: 0 },
      { ...rule('whole', 'lessThan', [9]), Top: 1, Alert: 'Warning', Title: 'Hm', Text: 'Much' },
    ],
  });
  const form = (value: FormCell[][]) => ({ value, files: [], useDefault: false });

  it('hold for their own cells', () => {
    const rows = [
      [3, 9],
      [30, 4],
    ];
    expect(checkInput(table, form(rows))).toEqual([
      { message: 'Value in column A must be less than 2', row: 0, col: 0 },
      { message: 'Value in column B must be less than 5', row: 0, col: 1 },
    ]);
    expect(alertsOf(table, form(rows))).toEqual([{ message: 'Much', title: 'Hm', row: 1, col: 0 }]);
  });

  it('lie sideways where the cells of a list do', () => {
    const Rules = [{ ...rule('whole', 'lessThan', [5]), Bottom: 0, Left: 1, Right: 1 }];
    expect(ruleAt({ RangeType: 'SingleRowOfSimilarValues', Rules }, 1, 0)).toBe(Rules[0]);
    expect(ruleAt({ RangeType: 'SingleRowOfSimilarValues', Rules }, 0, 0)).toBeNull();
  });

  it('say nothing of blanks, nor before what was said without them', () => {
    const single = input({ Rules: [rule('whole', 'greaterThan', [5])], Blanks: [true] });
    const check = (value: FormCell) => checkInput(single, { value, files: [], useDefault: false });
    expect(check(null)).toEqual([]);
    expect(check('x')).toEqual([{ message: 'Value must be a number' }]);
    expect(check('5')).toEqual([{ message: 'Value must be greater than 5' }]);
  });

  it('are reported for a single value, before anybody starts', () => {
    const single = input({ Rules: [rule('whole', 'lessThanOrEqual', [100_000])], CellUsages: ['Number'] });
    const messageFor = (value: FormCell) =>
      brokenSingle(single, { value, files: [], useDefault: false })?.message ?? null;
    expect([null, '', 'x', 7, 200_000].map(messageFor)).toEqual([
      null,
      null,
      null,
      null,
      'Value must be at most 100,000',
    ]);
  });
});

describe('a number with more digits than Excel keeps', () => {
  it('is as long, and as whole, as its 15 digits', () => {
    const length: RuleKind = { Type: 'textLength', Operator: 'lessThanOrEqual' };
    expect(breaksBounds(length, 0.1 + 0.2, [3])).toBe(false);
    expect(breaksBounds(length, 0.123, [4])).toBe(true);
    const whole: RuleKind = { Type: 'whole', Operator: 'between' };
    expect(breaksBounds(whole, 40.00000000000001, [1, 40])).toBe(false);
    expect(breaksBounds(whole, 39.99, [1, 40])).toBe(true);
  });
});
