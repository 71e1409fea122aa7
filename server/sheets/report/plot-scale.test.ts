import { expect, test } from 'vitest';
import { roundScale } from './plot-scale.ts';

test('a scale goes from round number to round number', () => {
  expect(roundScale(3, 97).ticks).toEqual([0, 20, 40, 60, 80, 100]);
  expect(roundScale(0.1, 0.31).ticks).toEqual([0.1, 0.15, 0.2, 0.25, 0.3, 0.35]);
  expect(roundScale(-5, 5)).toMatchObject({ min: -6, max: 6 });
});

test('a scale exists for every number', () => {
  expect(roundScale(7, 7)).toMatchObject({ min: 0, max: 15 });
  expect(roundScale(0, 0).ticks.length).toBeGreaterThan(1);
  for (const [low, high] of [
    [-1.7e308, 1.7e308],
    [5e-324, 1e-323],
    [1e17, 1e17 + 16],
  ] as const) {
    const { ticks } = roundScale(low, high);
    expect(ticks.length).toBeLessThan(20);
  }
});
