import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCatalogue, type Part } from '../../scripts/screen-texts.ts';
import { readServerTexts } from '../../scripts/server-texts.ts';
import { ROOT } from './source-files.ts';

const texts = readServerTexts();
const languages = readdirSync(`${ROOT}/desktop/renderer/language`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
/** Ignores the names of placeholders, which differ by place. */
const plain = (text: string): string => text.replaceAll(/\{\w+\}/g, '{}');

test('finds what errors and issues say, also over constants, choices and the functions that pass it on', () => {
  const found = new Set(texts.map(({ text }) => plain(text)));
  expect(found.size).toBeGreaterThan(500);
  for (const text of [
    'There is no such run',
    // A constant of another module.
    'You do not have permissions for this operation',
    // An argument of the function that creates the error.
    'Enter both times, or neither',
    'There are already {} alerts: delete one first',
    'Value must be a whole number'.replace('Value', '{}'),
  ]) {
    expect(found).toContain(text);
  }
});

// `npm run texts` adds missing texts for translation.
test.each(languages)('the catalogue %s has what the server and the shared rules say', (language) => {
  const known = (parts: Part[]) =>
    new Set(
      parts
        .flatMap((part) => Object.entries(readCatalogue(language, part)))
        .filter(([, own]) => own !== '')
        .map(([english]) => plain(english)),
    );
  const said = known(['messages', 'more-messages']);
  const screens = known(['start', 'rest']);
  // Texts with values are looked up only in messages, because screens have texts that match too much else.
  const missing = texts.filter(({ text }) => !said.has(plain(text)) && (text.includes('{') || !screens.has(text)));
  expect(missing.map(({ text, path, line }) => `${path}:${line} ${text}`)).toEqual([]);
});
