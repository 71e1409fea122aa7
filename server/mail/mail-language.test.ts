import { expect, test } from 'vitest';
import { mailWords } from './mail-language.ts';

test('why a run failed is translated with its values, and unknown sentences stay as they are', () => {
  const { say } = mailWords('de');
  expect(say("Output 'Rate' has the error #DIV/0!")).toBe('Das Ergebnis „Rate“ hat den Fehler #DIV/0!');
  expect(say('Not run: step "Close" did not succeed')).toBe(
    'Nicht ausgeführt: Der Schritt „Close“ war nicht erfolgreich',
  );
  expect(say('The rate is missing')).toBe('The rate is missing');
  expect(say('constructor')).toBe('constructor');
});

test('everything stays in English for people who have not chosen a language', () => {
  expect(mailWords(null).say('The run failed')).toBe('The run failed');
});
