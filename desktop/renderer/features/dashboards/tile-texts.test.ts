import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import type { OutcomesData, ValuesData } from '#shared/contract/dashboards.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { speak } from '#renderer/language/translate.ts';
import { NEW_TILE, readTile } from './tile-fields.ts';
import { changeOf, outcomesText, plotText } from './tile-texts.ts';

afterEach(() => speak('en', {}));

function german(): void {
  const text = readFileSync(new URL('../../language/de/start.json', import.meta.url), 'utf8');
  speak('de-DE', JSON.parse(text) as Record<string, string>);
}

const values = (numbers: readonly (number | null)[], format = '0.00'): ValuesData => ({
  Id: 'a',
  Kind: 'Values',
  ActivityId: 1,
  Name: 'Close',
  OutputName: 'Total',
  IsOwn: false,
  Info: { Formats: [format], CellUsages: ['Number'] } as unknown as ValuesData['Info'],
  Value: null,
  Rows: null,
  Points: numbers.map((Value, index) => ({ Id: index + 1, Time: '2026-01-05T10:00:00.000Z', Value })),
});

const outcomes = (...statuses: RunStatus[]): OutcomesData => ({
  Id: 'a',
  Kind: 'Outcomes',
  ActivityId: 1,
  ChecklistId: null,
  Name: 'Close',
  IsOwn: false,
  Runs: statuses.map((Status, index) => ({ Id: index + 1, Time: '2026-01-05T10:00:00.000Z', Status })),
});

test('a change has a share where that says something', () => {
  expect(changeOf(values([200, 250]))).toEqual({ direction: 'up', text: '+50.00 (+25 %)' });
  expect(changeOf(values([10, -45]))).toEqual({ direction: 'down', text: '-55.00 (-550 %)' });
  expect(changeOf(values([1, 11]))?.text).toBe('+10.00 (+1,000 %)');
  expect(changeOf(values([1, 12]))?.text).toBe('+11.00');
  expect(changeOf(values([0.0000005, 1.8]))?.text).toBe('+1.80');
  expect(changeOf(values([0, 3]))?.text).toBe('+3.00');
  expect(changeOf(values([1e6, 1e6 + 1]))?.text).toBe('+1.00');
  expect(changeOf(values([null, 3]))).toBeNull();
});

test('a change that the shown digits hide is not a change', () => {
  const unchanged = { direction: 'same', text: 'unchanged' };
  expect(changeOf(values([3, 3]))).toEqual(unchanged);
  expect(changeOf(values([0.001, -0.001]))).toEqual(unchanged);
  expect(changeOf(values([0.001, 0.0012], '#,##0.00;-#,##0.00;"-"'))).toEqual(unchanged);
  expect(changeOf(values([0.001, 0.0012], '0.0000'))?.text).toBe('+0.0002 (+20 %)');
});

test('one run is no plural', () => {
  expect(plotText(values([3]))).toBe('Last 3.00, lowest 3.00, highest 3.00 of 1 run');
  expect(plotText(values([3, 4]))).toBe('Last 4.00, lowest 3.00, highest 4.00 of 2 runs');
  german();
  expect(plotText(values([3]))).toMatch(/ aus 1 Lauf$/);
  expect(plotText(values([3, 4]))).toMatch(/ aus 2 Läufen$/);
  expect(outcomesText(outcomes('Failed', 'Succeeded'))).toBe('1 der letzten 2 Läufe war erfolgreich');
  expect(outcomesText(outcomes('Failed', 'Failed'))).toBe('0 der letzten 2 Läufe waren erfolgreich');
});

test('a number of runs is written in digits alone', () => {
  const read = (runs: string) => readTile({ ...NEW_TILE, source: 'a1', output: '2', runs }, null, []);
  expect(read(' 100 ')).toMatchObject({ tile: { Runs: 100 } });
  for (const runs of ['1e2', '0x9', '101', '1', '', '2.0', '-5'])
    expect(read(runs)).toEqual({ issue: 'Enter a number of runs from 2 to 100' });
});
