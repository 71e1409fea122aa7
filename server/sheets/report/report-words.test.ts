import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OUTCOME_TEXT } from '#shared/contract/run-status.ts';
import { GERMAN_REPORT } from './german-report.ts';
import { reportWords } from './report-words.ts';

const catalogue = (name: string): Record<string, string> =>
  JSON.parse(
    readFileSync(
      new URL(
        name === 'messages'
          ? '../../../shared/messages/de/messages.json'
          : `../../../desktop/renderer/language/de/${name}.json`,
        import.meta.url,
      ),
      'utf8',
    ),
  ) as Record<string, string>;

test('what the screens show too has the same German text there', () => {
  const screens = { ...catalogue('start'), ...catalogue('rest'), ...catalogue('messages') };
  const shared = Object.keys(GERMAN_REPORT).filter((english) => screens[english] !== undefined);
  expect(shared.length).toBeGreaterThan(15);
  expect(shared.map((english) => GERMAN_REPORT[english])).toEqual(shared.map((english) => screens[english]));
});

test('every outcome of a run has a German text', () => {
  expect(Object.values(OUTCOME_TEXT).filter((text) => GERMAN_REPORT[text] === undefined)).toEqual([]);
});

test('times are written in the time zone, in the notation of the country if the language is its own', () => {
  const time = '2026-03-29T23:05:09.000Z';
  const zone = { timeZone: 'Europe/Berlin' };
  expect(reportWords({ language: 'de', region: 'de-DE', ...zone }).time(time)).toBe('30.03.2026 01:05:09');
  expect(reportWords({ language: 'de', region: 'en-US', ...zone }).time(time)).toBe('30/Mar/2026 01:05:09');
  expect(reportWords({ language: 'en', region: 'de-DE', timeZone: 'UTC' }).time(time)).toBe('29/Mar/2026 23:05:09');
});
