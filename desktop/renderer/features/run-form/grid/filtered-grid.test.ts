import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '#test/support/cpu-time.ts';
import type { FormCell } from '#shared/codecs/input-form.ts';
import { insertRows, removeRows, type GridRows, type GridShape } from './grid-rows.ts';
import { fillDown, fillFrom, fillRight } from './fill-cells.ts';
import { findInRows, linesToSearch, nextFound, type FindContext } from './find-cells.ts';
import {
  columnTexts,
  filteredRows,
  screenRowOf,
  rowAt,
  rowsOfBlock,
  shownAfter,
  shownAfterInsert,
  shownAfterRemoval,
} from './grid-layout.ts';
import { hasSameCells, NO_HISTORY, redoStep, remember, undoStep } from './grid-history.ts';
import { pasteCells } from './paste-cells.ts';
import { sortRows } from './sort-rows.ts';
import { summarizeCells, summaryTexts } from './summarize.ts';

const KINDS = [
  { usage: 'Text', format: '@', maxSize: 5 },
  { usage: 'Number', format: '0.00', maxSize: null },
] as const;
const DATE = { usage: 'Date', format: 'dd/mm/yyyy', maxSize: null } as const;
const shape: GridShape = {
  width: 2,
  rowsVariable: true,
  maxRows: 50_000,
  kind: (_, col) => KINDS[col]!,
  isReadOnly: () => false,
  isHidden: () => false,
  countsBlankRows: false,
};
const none = (): FormCell => null;
const rows: GridRows = [
  ['b', 2],
  ['a', 10],
  ['b', 1],
  ['c', null],
  ['b', 3],
  ['', null],
];
/** The rows with a 'b', and the empty row for typing. */
const shown = [0, 2, 4, 5];
const block = (top: number, left: number, bottom = top, right = left) => ({ top, left, bottom, right });

describe('a filter', () => {
  it('leaves the rows that all columns let through, and the one to type into', () => {
    expect(filteredRows(rows, new Map([[0, new Set(['b'])]]), shape, none)).toEqual(shown);
    const both = new Map([
      [0, new Set(['b'])],
      [1, new Set(['1.00', '3.00'])],
    ]);
    expect(filteredRows(rows, both, shape, none)).toEqual([2, 4, 5]);
    expect(columnTexts(rows, 1, shape, none)).toEqual(['2.00', '10.00', '1.00', '', '3.00']);
  });
  it('follows rows that come and go', () => {
    expect(shownAfterInsert(shown, 2, 2)).toEqual([0, 2, 3, 4, 6, 7]);
    expect(shownAfterRemoval(shown, [1, 2])).toEqual([0, 2, 3]);
    expect(shownAfter(shown, 6, 8)).toEqual([0, 2, 4, 5, 6, 7]);
    expect([screenRowOf(3, rows, shown), rowAt(2, rows, shown), rowAt(5, rows, shown)]).toEqual([2, 4, 7]);
    expect(rowsOfBlock(block(1, 0, 4), rows, shown)).toEqual([2, 4]);
  });
});

describe('while a filter hides rows', () => {
  const hiddenOf = (all: GridRows) => [all[1], all[3]];

  it('sorting moves the rows shown among their places', () => {
    const sorted = sortRows(rows, 1, false, { shape, shown });
    expect(sorted.map(([, number]) => number)).toEqual([1, 10, 2, null, 3, null]);
    expect(hiddenOf(sorted)).toEqual(hiddenOf(rows));
  });
  it('pasting goes into the rows shown and then below the last', () => {
    const pasted = pasteCells(rows, block(2, 0), [['p'], ['q'], ['r'], ['s']], shape, shown);
    expect(pasted.rows.map(([text]) => text)).toEqual(['b', 'a', 'p', 'c', 'q', 'r', 's', '']);
    expect(pasted).toMatchObject({ skippedHidden: true, count: 4, droppedRows: 0 });
    expect(pasteCells(rows, block(0, 1, 4, 1), [['7']], shape, shown).rows.map(([, n]) => n)).toEqual([
      7,
      10,
      7,
      null,
      7,
      null,
    ]);
  });
  it('filling copies over the rows shown', () => {
    const filled = fillFrom(rows, block(0, 1, 2, 1), { direction: 'down', count: 1 }, { shape, shown, invert: false });
    expect(filled.rows.map(([, n]) => n)).toEqual([2, 10, 1, null, 2, null]);
    expect(fillDown(rows, block(0, 1, 4, 1), shape, shown)!.rows.map(([, n]) => n)).toEqual([2, 10, 2, null, 2, null]);
  });
  it('the line under the grid counts the rows shown', () => {
    expect(summarizeCells(rows, block(0, 1, 4, 1), shape, shown)).toMatchObject({ sum: 6, count: 3 });
  });
  it('nothing is found in rows that are hidden', () => {
    const find = (context: FindContext) => findInRows(rows, linesToSearch(rows, 'A', context), 'A', context);
    const context = { shape, shown, suggestionAt: none };
    expect(find(context)).toEqual([]);
    expect(find({ ...context, shown: null })).toEqual([{ row: 1, col: 0 }]);
  });
});

describe('sorting', () => {
  const order = (col: number, descending: boolean) =>
    sortRows(rows, col, descending, { shape, shown: null }).map((cells) => cells[col]);
  it('puts blanks last both ways, and keeps the order of what is equal', () => {
    expect(order(1, false)).toEqual([1, 2, 3, 10, null, null]);
    expect(order(1, true)).toEqual([10, 3, 2, 1, null, null]);
    expect(sortRows(rows, 0, false, { shape, shown: null }).map(([, n]) => n)).toEqual([10, 2, 1, 3, null, null]);
  });
  it('has numbers before texts before truth values, whatever the letter case', () => {
    const mixed: GridRows = [['b'], [true], ['A'], [5], ['a'], ['x']];
    const all = { shape: { ...shape, rowsVariable: false }, shown: null };
    expect(sortRows(mixed, 0, false, all).map(([cell]) => cell)).toEqual([5, 'A', 'a', 'b', 'x', true]);
  });
  it('has numbers of very many digits at their place, and no sum of them', () => {
    const exact: GridShape = { ...shape, width: 1, kind: () => ({ ...KINDS[1], isExact: true }) };
    const large = [['12345678901234567891'], [7], ['12345678901234567890'], ['-12345678901234567890'], [null]];
    expect(sortRows(large, 0, false, { shape: exact, shown: null }).map(([cell]) => cell)).toEqual([
      '-12345678901234567890',
      7,
      '12345678901234567890',
      '12345678901234567891',
      null,
    ]);
    expect(summaryTexts(summarizeCells(large, block(0, 0, 4), exact, null)!)).toEqual([{ name: 'Count', text: '4' }]);
    const filled = fillFrom(
      large,
      block(0, 0, 1),
      { direction: 'down', count: 1 },
      { shape: exact, shown: null, invert: false },
    );
    expect(filled.rows[2]).toEqual(['12345678901234567891']);
  });
  it('gives the same rows where nothing changes', () => {
    const sorted = sortRows(rows, 1, false, { shape, shown: null });
    expect(sortRows(sorted, 1, false, { shape, shown: null })).toBe(sorted);
  });
});

describe('filling', () => {
  const options = { shape, shown: null, invert: false };
  it('continues down, beyond the last row, and up', () => {
    const down = fillFrom(rows, block(4, 1, 5, 1), { direction: 'down', count: 3 }, options);
    expect(down.rows).toHaveLength(10);
    const series = fillFrom(
      [
        ['x', 1],
        ['y', 2],
        ['', null],
      ],
      block(0, 0, 1, 1),
      { direction: 'down', count: 2 },
      options,
    );
    expect(series.rows).toEqual([
      ['x', 1],
      ['y', 2],
      ['x', 3],
      ['y', 4],
      ['', null],
    ]);
    expect(fillFrom(rows, block(4, 1), { direction: 'up', count: 2 }, options).rows.map(([, n]) => n)).toEqual([
      2,
      10,
      3,
      3,
      3,
      null,
    ]);
  });
  it('reads what goes into a column of another kind, and cuts nothing off', () => {
    const dated = { ...shape, kind: (_: number, col: number) => (col === 0 ? KINDS[1] : DATE) };
    expect(fillRight([[10, null]], block(0, 0, 0, 1), dated, null)!.rows[0]).toEqual([10, 10]);
    const right = fillFrom([['12', 5]], block(0, 0), { direction: 'right', count: 1 }, options);
    expect(right.rows[0]).toEqual(['12', 13]);
    expect(fillFrom([['a', 123456.5]], block(0, 1), { direction: 'left', count: 1 }, options).rows[0]).toEqual([
      '123456.5',
      123456.5,
    ]);
  });
  it('down and right takes what stands above and before, for one cell too', () => {
    expect(fillDown(rows, block(1, 1), shape, null)!.rows[1]).toEqual(['a', 2]);
    expect(fillDown(rows, block(0, 0, 2, 1), shape, null)!.rows.slice(0, 3)).toEqual([
      ['b', 2],
      ['b', 2],
      ['b', 2],
    ]);
    expect(fillRight(rows, block(0, 0, 0, 1), shape, null)!.rows[0]).toEqual(['b', 'b']);
    expect(fillDown(rows, block(0, 0), shape, null)).toBeNull();
  });
  it('leaves cells alone that nobody may change, and counts them', () => {
    const locked: GridShape = { ...shape, isReadOnly: (row) => row === 1 };
    const filled = fillDown(rows, block(0, 1, 2, 1), locked, null)!;
    expect(filled).toMatchObject({ refused: 1 });
    expect(filled.rows.slice(0, 3).map(([, n]) => n)).toEqual([2, 10, 2]);
  });
});

describe('rows', () => {
  it('are put in, and taken out, many thousands at once', () => {
    expect(insertRows(rows, 1, 2, shape).map(([text]) => text)).toEqual(['b', '', '', 'a', 'b', 'c', 'b', '']);
    const many = Array.from({ length: 50_000 }, (_, row): FormCell[] => [`r${row}`, row]);
    const removed = many.map((_, row) => row).slice(10);
    const took = cpuTimeMs(() => expect(removeRows(many, removed, shape)).toHaveLength(11));
    // Removing the rows one by one takes more than ten seconds.
    expect(took).toBeLessThan(1000);
  });
  it('do not push others out where there is room for so many only', () => {
    const full: GridShape = { ...shape, maxRows: 6 };
    expect(insertRows(rows, 0, 1, full).map(([text]) => text)).toEqual(['', 'b', 'a', 'b', 'c', 'b']);
  });
});

it('the line under the grid says what the status bar of Excel says', () => {
  expect(summaryTexts(summarizeCells(rows, block(0, 1, 4, 1), shape, null)!)).toEqual([
    { name: 'Average', text: '4.00' },
    { name: 'Count', text: '4' },
    { name: 'Min', text: '1.00' },
    { name: 'Max', text: '10.00' },
    { name: 'Sum', text: '16.00' },
  ]);
  expect(summaryTexts(summarizeCells(rows, block(0, 0, 1, 0), shape, null)!)).toEqual([{ name: 'Count', text: '2' }]);
  expect(summarizeCells(rows, block(0, 0), shape, null)).toBeNull();
});

it('finding goes round the end', () => {
  const found = [
    { row: 0, col: 1 },
    { row: 2, col: 0 },
  ];
  expect(nextFound(found, { row: 0, col: 1 }, 1)).toBe(1);
  expect(nextFound(found, { row: 5, col: 0 }, 1)).toBe(0);
  expect(nextFound(found, { row: 0, col: 0 }, -1)).toBe(1);
});

it('what is taken back can be done again until something else is done', () => {
  const layout = { filters: new Map(), shown: null, widths: new Map(), frozen: 0 };
  const [a, b, c] = [1, 2, 3].map((value) => ({ rows: [[value]], layout }));
  const history = remember(remember(NO_HISTORY, a!), b!);
  const undone = undoStep(history, c!)!;
  expect(undone.state).toBe(b);
  expect(redoStep(undone.history, b!)!.state).toBe(c);
  expect(redoStep(remember(undone.history, b!), a!)).toBeNull();
  expect(hasSameCells([[1, 'x']], [[1, 'x']])).toBe(true);
  expect(hasSameCells([[1, 'x']], [[1, 'y']])).toBe(false);
});
