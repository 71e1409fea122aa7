import { expect, it } from 'vitest';
import { counted } from './counted.ts';

it('uses the singular for one alone', () => {
  expect([0, 1, 2].map((count) => counted(count, 'more row'))).toEqual(['0 more rows', '1 more row', '2 more rows']);
  expect([1, 2].map((count) => counted(count, 'activity', 'activities'))).toEqual(['1 activity', '2 activities']);
});
