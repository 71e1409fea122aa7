import { describe, expect, it } from 'vitest';
import { initialFormInput } from '../codecs/input-form.ts';
import type { FormInput } from '../codecs/input-form.ts';
import type { Input, InputInfo, ValueRule } from '../contract/parameters.ts';
import { inputInfo } from '../testing/input-info.ts';
import { alertsOf, brokenSingle, checkInput } from './input-rules.ts';

const RULE: ValueRule = {
  Top: 0,
  Left: 0,
  Bottom: null,
  Right: 0,
  Alert: 'Stop',
  Title: '',
  Text: '',
  Type: 'whole',
  Operator: 'between',
  Bounds: [1, 40],
};

const input = (info: Partial<InputInfo>): Input => ({
  Id: 1,
  ActivityId: 1,
  Name: 'In',
  Description: '',
  HasAccess: true,
  PresetValue: null,
  PresetValueError: null,
  Info: inputInfo({ AllowDefaultValue: true, ...info }),
});

const form = (value: FormInput['value']): FormInput => ({ value, files: [], useDefault: false });

describe('a default that nobody has touched', () => {
  const single = input({ Rules: [RULE], DefaultValue: '99' });

  it('is not held against its validation', () => {
    expect(checkInput(single, initialFormInput(single))).toEqual([]);
    expect(brokenSingle(single, initialFormInput(single))).toBeNull();
    const warns = input({ Rules: [{ ...RULE, Alert: 'Warning' }], DefaultValue: '99' });
    expect(alertsOf(warns, initialFormInput(warns))).toEqual([]);
    // retyped as text
    expect(checkInput(single, form('99'))).toEqual([]);
  });

  it('is held against it once it is another, or where a value has to be entered', () => {
    expect(checkInput(single, form(98))).toEqual([{ message: 'Value must be between 1 and 40' }]);
    const needed = input({ Rules: [RULE], DefaultValue: '99', AllowDefaultValue: false });
    expect(checkInput(needed, form(99))).toHaveLength(1);
  });

  it('may be a text outside its list, unless other inputs decide what the list is', () => {
    const picker = { Type: 'List' as const, PreventOtherValues: true };
    const list = input({ CellUsages: ['Text'], Pickers: [picker], DefaultValue: '"Mars"' });
    expect(checkInput(list, initialFormInput(list), () => ['Venus'])).toEqual([]);
    const calculated = input({ ...list.Info, Pickers: [{ ...picker, Calculated: true }] });
    expect(checkInput(calculated, initialFormInput(calculated), () => ['Venus'])).toHaveLength(1);
  });

  const table = input({
    RangeType: 'RangeWithColumnHeaders',
    CellUsages: ['Number', 'Number'],
    Specifications: ['Required', 'Required'],
    Blanks: [false, false],
    Width: 2,
    Height: 2,
    RowsVariable: true,
    ColumnHeaderValues: ['a', 'b'],
    Rules: [RULE],
    DefaultValue: '[[99,1],[2,null]]',
  });

  it('may be a table with blank cells', () => {
    expect(checkInput(table, initialFormInput(table))).toEqual([]);
    // blank rows that a grid adds for typing
    expect(
      checkInput(
        table,
        form([
          [99, 1],
          [2, ''],
          [null, null],
        ]),
      ),
    ).toEqual([]);
    expect(
      checkInput(
        table,
        form([
          [99, 1],
          [3, null],
        ]),
      ),
    ).toHaveLength(2);
  });

  it('is another where a text that is no number stands in a blank cell', () => {
    expect(
      checkInput(
        table,
        form([
          [99, 1],
          [2, 'many'],
        ]),
      ),
    ).toHaveLength(2);
  });
});
