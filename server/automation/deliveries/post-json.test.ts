import { expect, it } from 'vitest';
import { lateText } from './post-json.ts';

it('says how long the answer was waited for', () => {
  expect([1000, 10_000].map(lateText)).toEqual([
    'It did not respond within 1 second',
    'It did not respond within 10 seconds',
  ]);
});
