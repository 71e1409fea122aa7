import { expect, it } from 'vitest';
import { onlySuggestion } from './use-suggestion-keys.ts';

it('one suggestion is left where it alone contains what is typed', () => {
  const suggestions = ['Sales', 'Sales EU', 'Costs'];
  expect(onlySuggestion('cos', suggestions)).toBe('Costs');
  expect(onlySuggestion(' eu', suggestions)).toBe('Sales EU');
  expect(onlySuggestion('sales', suggestions)).toBeNull();
  expect(onlySuggestion('', suggestions)).toBeNull();
  expect(onlySuggestion('Costs', suggestions)).toBeNull();
  expect(onlySuggestion('Other', suggestions)).toBeNull();
});
