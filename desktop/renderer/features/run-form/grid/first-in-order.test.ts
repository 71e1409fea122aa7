import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstInOrder } from './first-in-order.ts';

const byTens = (a: number, b: number): number => Math.floor(a / 10) - Math.floor(b / 10);

test('the first of many are those that sorting all would put first, equal ones as they came', () => {
  const many = fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 300 });
  fc.assert(
    fc.property(many, fc.integer({ min: 0, max: 40 }), (items, count) => {
      expect(firstInOrder(items, count, byTens)).toEqual(items.toSorted(byTens).slice(0, count));
    }),
  );
});
