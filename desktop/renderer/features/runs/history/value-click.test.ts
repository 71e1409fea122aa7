import { expect, it } from 'vitest';
import type { InputInfo } from '#shared/contract/parameters.ts';
import type { ValueCondition } from '#shared/contract/run-history.ts';
import { conditionOf, withCondition } from './value-click.ts';

const of = { Direction: 'input', ActivityParameterId: 3 } as const;
const info = (usage: string, more: object = {}) =>
  ({ RangeType: 'SingleCell', CellUsages: [usage], Formats: ['General'], ...more }) as unknown as InputInfo;
const value = (Value: unknown, FileName: string | null = null) => ({
  ActivityParameterId: 3,
  Value: JSON.stringify(Value),
  Rows: null,
  FileName,
});

it('a value that is clicked on is what is searched for', () => {
  expect(conditionOf(of, info('Number'), value(1.5))).toEqual({ ...of, Operator: '=', Value: 1.5 });
  expect(conditionOf(of, info('Text'), value('North'))).toEqual({ ...of, Operator: '=', Value: 'North' });
  expect(conditionOf(of, info('FilePath'), value(null, 'a.csv'))).toEqual({ ...of, Operator: '=', Value: 'a.csv' });
  expect(conditionOf(of, info('Date', { Formats: ['d/m/yyyy h:mm'] }), value(46_000.5))).toEqual({
    ...of,
    Operator: '=',
    Value: 46_000,
    Days: true,
  });
  expect(conditionOf(of, info('Text'), value(''))).toEqual({ ...of, Operator: 'empty' });
  expect(conditionOf(of, info('Text'), undefined)).toEqual({ ...of, Operator: 'empty' });
});

it('what cannot be searched for is nothing', () => {
  expect(conditionOf(of, info('Text'), value('x'.repeat(101)))).toBeNull();
  expect(conditionOf(of, info('Number'), value({ error: '#N/A' }))).toBeNull();
  expect(conditionOf(of, info('Number', { RangeType: 'MatrixWithHeaders' }), value(null))).toBeNull();
});

it('takes the place of what was searched for in the same input', () => {
  const other: ValueCondition = { Direction: 'output', ActivityParameterId: 3, Operator: 'filled' };
  const before: ValueCondition = { ...of, Operator: '>', Value: 1 };
  const clicked: ValueCondition = { ...of, Operator: '=', Value: 5 };
  expect(withCondition([before, other], clicked)).toEqual([other, clicked]);
});
