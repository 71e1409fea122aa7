import { expect, it } from 'vitest';
import { isAsked, type CellKind } from '#shared/codecs/cell-text.ts';
import { toSerial } from '#shared/codecs/serial-date.ts';
import { regionOf } from '#shared/codecs/text-region.ts';
import type { GridShape } from './grid-rows.ts';
import { answerColumn, ambiguousColumns } from './ambiguous-cells.ts';
import { pasteCells } from './paste-cells.ts';

function shapeOf(region: string): GridShape {
  const kind = (col: number): CellKind => ({
    usage: col === 0 ? 'Date' : 'Number',
    format: 'General',
    maxSize: null,
    region: regionOf(region),
    canAsk: true,
  });
  return {
    width: 2,
    rowsVariable: true,
    maxRows: 100,
    kind: (_, col) => kind(col),
    isReadOnly: () => false,
    isHidden: () => false,
    countsBlankRows: false,
  };
}

const paste = (shape: GridShape, lines: string[][]) =>
  pasteCells([[null, null]], { top: 0, left: 0, bottom: 0, right: 0 }, lines, shape).rows.slice(0, lines.length);
const day = (month: number, date: number): number => toSerial({ year: 2026, month, day: date })!;

it('a pasted column that suggests another order of dates is asked about once, as a whole', () => {
  const shape = shapeOf('en-US');
  const rows = paste(shape, [
    ['03/04/2026', '1,234.5'],
    ['13/04/2026', '1.500'],
    ['5-Apr-26', '12.25'],
  ]);
  // The other numbers decide which mark is the decimal separator in the second column.
  expect(rows.map(([, number]) => number)).toEqual([1234.5, 1.5, 12.25]);
  expect(rows.map(([date]) => isAsked(date ?? null))).toEqual([true, true, false]);
  const [asked, ...others] = ambiguousColumns(rows, shape);
  expect(others).toEqual([]);
  expect(asked).toMatchObject({ col: 0, row: 0, count: 2 });
  expect(asked!.choices.map(({ cell }) => cell)).toEqual([day(3, 4), day(4, 3)]);
  const answered = answerColumn(rows, 0, asked!.choices[1]!.region, shape);
  expect(answered.slice(0, 3).map(([date]) => date)).toEqual([day(4, 3), day(4, 13), day(4, 5)]);
  expect(ambiguousColumns(answered, shape)).toEqual([]);
});

it('numbers in the marks of another region are asked about where they could be others', () => {
  const shape = shapeOf('en-US');
  const rows = paste(shape, [
    ['', '1.234'],
    ['', '12,5'],
    ['', '1.234,50'],
  ]);
  const [asked] = ambiguousColumns(rows, shape);
  expect(asked!.choices.map(({ cell }) => cell)).toEqual([1.234, 1234]);
  expect(rows.map(([, number]) => number).slice(1)).toEqual([12.5, 1234.5]);
  const answered = answerColumn(rows, 1, asked!.choices[1]!.region, shape);
  expect(answered.slice(0, 3).map(([, number]) => number)).toEqual([1234, 12.5, 1234.5]);
});

it('what the region decides is read without a question', () => {
  const rows = paste(shapeOf('de-DE'), [
    ['03.04.2026', '1.500'],
    ['13.04.2026', '250.000,00'],
  ]);
  expect(rows).toEqual([
    [day(4, 3), 1500],
    [day(4, 13), 250_000],
  ]);
});
