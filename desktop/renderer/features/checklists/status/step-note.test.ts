import { afterAll, beforeAll, expect, test } from 'vitest';
import { speak } from '#renderer/language/translate.ts';
import { messageText } from './step-note.ts';

beforeAll(() =>
  speak('de', {
    'Yes: {condition}': 'Ja: {condition}',
    'No: {condition}': 'Nein: {condition}',
    ' is ': ' ist ',
    blank: 'leer',
  }),
);
afterAll(() => speak('en', {}));

test('a decision is shown in the language of the person, its condition as it was written', () => {
  expect(messageText('Yes: Overdue > 0 (Overdue is 357.57)')).toBe('Ja: Overdue > 0 (Overdue ist 357.57)');
  expect(messageText('No: (A > 1) AND B = "this is it" (A is blank, B is 2)')).toBe(
    'Nein: (A > 1) AND B = "this is it" (A ist leer, B ist 2)',
  );
  // Values are not translated.
  expect(messageText('Yes: A > "" (A is what is left blank)')).toBe('Ja: A > "" (A is what is left blank)');
  expect(messageText('Yes: 1 = 1')).toBe('Ja: 1 = 1');
  expect(messageText('What people wrote')).toBe('What people wrote');
});
