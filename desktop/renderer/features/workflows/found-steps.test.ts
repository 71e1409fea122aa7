import { expect, test } from 'vitest';
import { foundSteps } from './found-steps.ts';
import { viewportOf } from './use-in-view.ts';

const STEPS = [
  { Name: 'Reconcile invoices', label: 'Succeeded' },
  { Name: 'Report the month', label: 'Failed' },
  { Name: 'Report FX exposure', label: 'Succeeded' },
];

test('steps are found by all words that are typed, in their names and in what is said of them', () => {
  expect(foundSteps(STEPS, ' report ').map(({ Name }) => Name)).toEqual(['Report the month', 'Report FX exposure']);
  expect(foundSteps(STEPS, 'REPORT succ')).toEqual([STEPS[2]]);
  expect(foundSteps(STEPS, 'ledger')).toEqual([]);
  expect(foundSteps(STEPS, '  ')).toEqual([]);
});

const column = (count: number) =>
  new Map(Array.from({ length: count }, (_, index) => [`s${index}`, { x: 0, y: index * 114 }]));
const FRAME = { clientWidth: 500, clientHeight: 460 };

test('all of a small drawing is in the middle of its frame', () => {
  const { x, y, zoom } = viewportOf({ positions: column(2), selected: null }, FRAME, 0.4);
  expect(zoom).toBe(1);
  expect([x, y]).toEqual([(500 - 190) / 2, (460 - 176) / 2]);
});

test('a large one begins where its steps begin, or at the selected one, and can be read', () => {
  const start = viewportOf({ positions: column(200), selected: null }, FRAME, 0.4);
  expect(start).toEqual({ x: (500 - 190 * 0.4) / 2, y: 56, zoom: 0.4 });
  const { y, zoom } = viewportOf({ positions: column(200), selected: 's100' }, FRAME, 0.4);
  expect((11_400 + 31) * zoom + y).toBeCloseTo(230);
});

test('is shown whole, however small, where somebody wants that', () => {
  const { y, zoom } = viewportOf({ positions: column(200), selected: 's100' }, FRAME, 0);
  const height = 199 * 114 + 62;
  expect(height * zoom).toBeCloseTo(460 - 48);
  expect(y).toBeCloseTo(24);
});
