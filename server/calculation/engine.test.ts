import { expect, it } from 'vitest';
import { arrayTooLarge } from './engine.ts';

it('reports the size of an array that is too large', () => {
  expect(arrayTooLarge(30_000_000, 1).message).toBe('An array of 30000000 rows and 1 column is too large');
  expect(arrayTooLarge(1, 30_000_000).message).toBe('An array of 1 row and 30000000 columns is too large');
  expect(arrayTooLarge(5000, 5000).message).toBe('An array of 5000 rows and 5000 columns is too large');
});
