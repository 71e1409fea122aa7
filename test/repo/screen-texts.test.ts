import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { entryModules, readCatalogue, readScreens, SCREEN_PARTS, wantedParts } from '../../scripts/screen-texts.ts';
import { listFiles, readText, ROOT } from './source-files.ts';

const screens = readScreens();
const wanted = wantedParts(screens);
const languages = readdirSync(`${ROOT}/desktop/renderer/language`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test('there is something to look at', () => {
  expect(screens.texts.length).toBeGreaterThan(1000);
  expect(languages).toContain('de');
});

test('every text that people read goes through the catalogue', () => {
  expect(screens.bare).toEqual([]);
});

/** A message as the content of an element. */
const SHOWN_MESSAGE = /(?:^\s*|>)(\{(?:\w+\.)*(?:failure|message|issue)\})(?:\s*$|<)|\{\w*[eE]rror\)?\.message\}/gm;
/** Elements, texts that were translated before, and texts of authors, programs and databases. */
const TRANSLATED = [
  'desktop/renderer/features/access/AccessNotice.tsx {message}',
  'desktop/renderer/features/notifications/NotificationItems.tsx {message}',
  'desktop/renderer/features/procedures/TrialRunDialog.tsx {message}',
  'desktop/renderer/features/run-form/grid/GridRowView.tsx {issue}',
  'desktop/renderer/features/runs/status/PromptDialog.tsx {question.message}',
  'desktop/renderer/features/tableviews/RunTableViewPage.tsx {failure}',
  'desktop/renderer/ui/ErrorSummary.tsx {message}',
  'desktop/renderer/ui/states.tsx {message}',
];

test('messages of the server and of shared rules are translated where they are shown', () => {
  const shown = listFiles('desktop/renderer', /\.tsx$/).flatMap((path) =>
    [...readText(path).matchAll(SHOWN_MESSAGE)].map(([whole, part]) => `${path} ${part ?? whole}`),
  );
  expect(shown.toSorted()).toEqual(TRANSLATED);
});

test('no text is translated before the catalogue is there', () => {
  const entry = entryModules(screens);
  const early = screens.texts.filter(({ path, isAtTop }) => isAtTop && entry.has(path));
  expect(early.map(({ path, line, text }) => `${path}:${line} ${text}`)).toEqual([]);
});

// `npm run texts` sorts the catalogues and lists what is left to do.
test.each(languages)('the catalogue %s has each text once, in its part, and nothing else', (language) => {
  for (const part of SCREEN_PARTS) {
    const catalogue = readCatalogue(language, part);
    expect(
      [...wanted[part]].filter((text) => !catalogue[text]),
      `${part}: without translation`,
    ).toEqual([]);
    expect(
      Object.keys(catalogue).filter((text) => !wanted[part].has(text)),
      `${part}: not shown`,
    ).toEqual([]);
  }
});

/** Plural branches are also in braces. */
const VALUE = /(?<!(?:zero|one|two|few|many|other|=\d) )\{(\w+)[,}]/g;
const PLAIN_VALUE = /\{(\w+)\}/g;
const valuesOf = (text: string): string[] => [
  ...new Set([...text.matchAll(text.includes(', plural,') ? VALUE : PLAIN_VALUE)].map(([, name]) => name!)),
];
const tagsOf = (text: string): string[] => [...text.matchAll(/<(\w+)>/g)].map(([, name]) => name!);

test.each(languages)('translations of %s have the values and elements of their texts', (language) => {
  const all = ([...SCREEN_PARTS, 'messages', 'more-messages'] as const).flatMap((part) =>
    Object.entries(readCatalogue(language, part)),
  );
  const wrong = all.filter(
    ([english, own]) =>
      valuesOf(english).toSorted().join() !== valuesOf(own).toSorted().join() ||
      tagsOf(english).toSorted().join() !== tagsOf(own).toSorted().join(),
  );
  expect(wrong).toEqual([]);
});
