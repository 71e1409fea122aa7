import { expect, test } from 'vitest';
import { layoutOf } from './graph-layout.ts';
import { isDirection, neighbourOf, type Direction } from './graph-neighbour.ts';

const after = (...keys: string[]) => keys.map((Step) => ({ Step, When: 'success' as const }));

/** Two branches beside each other, which join again. */
const STEPS = [
  { Key: 'start', After: [] },
  { Key: 'left', After: after('start') },
  { Key: 'right', After: after('start') },
  { Key: 'longer', After: after('right') },
  { Key: 'end', After: after('left', 'longer') },
];
const { positions } = layoutOf(STEPS, () => '');
const go = (key: string, direction: Direction) => neighbourOf(STEPS, positions, key, direction);

test('the arrow keys follow the edges up and down, and lead to the step beside', () => {
  expect(go('start', 'ArrowDown')).toBe('right');
  expect(go('right', 'ArrowDown')).toBe('longer');
  expect(go('longer', 'ArrowDown')).toBe('end');
  expect(go('longer', 'ArrowUp')).toBe('right');
  expect(go('left', 'ArrowUp')).toBe('start');
  expect(go('longer', 'ArrowRight')).toBe('left');
  expect(go('left', 'ArrowLeft')).toBe('longer');
});

test('they lead nowhere beyond the last step', () => {
  expect([go('start', 'ArrowUp'), go('end', 'ArrowDown'), go('right', 'ArrowLeft'), go('none', 'ArrowUp')]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect([isDirection('ArrowUp'), isDirection('Enter')]).toEqual([true, false]);
});

test('every step can be reached by arrow keys, also one that follows no other', () => {
  const steps = [...STEPS, { Key: 'alone', After: [] }, { Key: 'far', After: after('alone') }];
  const layout = layoutOf(steps, () => '');
  const reached = new Set(['start']);
  for (const key of reached) {
    for (const direction of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] as const) {
      const next = neighbourOf(steps, layout.positions, key, direction);
      if (next !== null) reached.add(next);
    }
  }
  expect([...reached].sort()).toEqual(steps.map(({ Key }) => Key).sort());
});
