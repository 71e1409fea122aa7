import { expect, test } from 'vitest';
import { dictionariesFor, NO_SPELLING, spellingOf } from './spelling.ts';

const FOLDER = 'https://files.example.org/dictionaries/';

test.each([
  ['nobody has said anything', undefined, undefined, { isOn: false, isOffered: true, dictionaries: null }],
  ['the person wants it', undefined, true, { isOn: true, isOffered: true, dictionaries: null }],
  ['the company has dictionaries', FOLDER, undefined, { isOn: true, isOffered: true, dictionaries: FOLDER }],
  ['it has them, and the person wants none', FOLDER, false, { isOn: false, isOffered: true, dictionaries: FOLDER }],
  ['the company forbids it, whatever was chosen before', 'none', true, NO_SPELLING],
])('where %s', (_what, dictionaries, chosen, expected) => {
  expect(spellingOf('linux', { dictionaries }, chosen)).toEqual(expected);
  expect(spellingOf('win32', { dictionaries }, chosen)).toEqual(expected);
  expect(spellingOf('darwin', { dictionaries }, chosen)).toEqual({ ...NO_SPELLING, isOn: true });
});

test('dictionaries are those of the system’s languages, or of the same language elsewhere, else English', () => {
  const available = ['de-DE', 'en-GB', 'en-US', 'fr-FR', 'pt-BR'];
  expect(dictionariesFor(['de-CH', 'en-us', 'fr'], available)).toEqual(['de-DE', 'en-US', 'fr-FR']);
  expect(dictionariesFor(['de-CH', 'de-DE'], available)).toEqual(['de-DE']);
  expect(dictionariesFor(['tlh'], available)).toEqual(['en-US']);
  expect(dictionariesFor(['tlh'], [])).toEqual([]);
});
