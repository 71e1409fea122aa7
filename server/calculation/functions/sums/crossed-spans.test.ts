/** Compares bounds on two columns, long enough for an index of both, with counts and sums made row by row. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { buildModel, type TestCell } from '#server/calculation/testing/build-model.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { RankTree } from './rank-tree.ts';

const ROWS = 320;
const FORMULAS = [
  '=COUNTIFS(B$1:B$320,"<="&B#,C$1:C$320,">"&C#)',
  '=SUMIFS(D$1:D$320,B$1:B$320,"<="&B#,C$1:C$320,">"&C#)',
  '=SUMIFS(E$1:E$320,B$1:B$320,"<="&B#,C$1:C$320,">"&C#)',
  '=IFERROR(AVERAGEIFS(D$1:D$320,A$1:A$320,A#,B$1:B$320,"<="&B#,C$1:C$320,">"&C#),0)',
  '=IFERROR(AVERAGEIFS(E$1:E$320,A$1:A$320,A#,B$1:B$320,"<="&B#,C$1:C$320,">"&C#),0)',
  '=MAXIFS(D$1:D$320,B$1:B$320,"<="&B#,C$1:C$320,">"&C#)',
  '=SUMPRODUCT((B$1:B$320<=B#)*(C$1:C$320>C#)*D$1:D$320)',
  '=SUMPRODUCT((A$1:A$320=A#)*(B$1:B$320<=B#)*(C$1:C$320>C#))',
];
/** Every seventh row and the last one have formulas, which is enough to build the index. */
const ASKED = Array.from({ length: ROWS }, (_, row) => row).filter((row) => row % 7 === 0 || row === ROWS - 1);

interface Row {
  a: string;
  b: number;
  c: CellValue;
  d: CellValue;
  e: number;
}

function expected(rows: readonly Row[], own: Row): number[] {
  const both = rows.filter(({ b, c }) => b <= own.b && typeof c === 'number' && c > Number(own.c));
  const ofKind = both.filter(({ a }) => a === own.a);
  const sum = (of: readonly CellValue[]): number =>
    of.reduce<number>((total, value) => total + (typeof value === 'number' ? value : 0), 0);
  const numbers = (of: readonly Row[], key: 'd' | 'e'): CellValue[] =>
    of.map((row) => row[key]).filter((value) => typeof value === 'number');
  const average = (of: readonly CellValue[]): number => (of.length === 0 ? 0 : sum(of) / of.length);
  const max = Math.max(...(numbers(both, 'd') as number[]));
  return [
    both.length,
    sum(both.map(({ d }) => d)),
    sum(both.map(({ e }) => e)),
    average(numbers(ofKind, 'd')),
    average(numbers(ofKind, 'e')),
    max === -Infinity ? 0 : max,
    sum(both.map(({ d }) => d)),
    ofKind.length,
  ];
}

const cents = fc.integer({ min: -900, max: 90_000 }).map((value) => value / 100);
const row = (isOrdered: boolean, hasTexts: boolean) =>
  fc.record({
    a: fc.constantFrom('x', 'y'),
    b: fc.nat(isOrdered ? 3 : 60),
    c: fc.integer({ min: -20, max: 20 }),
    d: hasTexts ? fc.oneof({ arbitrary: cents, weight: 20 }, fc.constantFrom<CellValue>(null, 'none')) : cents,
    e: fc.integer({ min: -99, max: 999 }),
  });
const sheets = fc.tuple(fc.boolean(), fc.boolean()).chain(([isOrdered, hasTexts]) =>
  fc.array(row(isOrdered, hasTexts), { minLength: ROWS, maxLength: ROWS }).map((rows) => {
    if (!isOrdered) return rows;
    let day = 0;
    return rows.map((own) => ({ ...own, b: (day += own.b) }));
  }),
);

it('come to what the rows come to one by one, to the last bit', () => {
  fc.assert(
    fc.property(sheets, (rows) => {
      const cells: Record<string, TestCell> = {};
      rows.forEach((own, at) => {
        for (const key of ['a', 'b', 'c', 'd', 'e'] as const) {
          if (own[key] !== null) cells[`${key.toUpperCase()}${at + 1}`] = { constant: own[key] };
        }
      });
      for (const at of ASKED) {
        FORMULAS.forEach(
          (formula, index) => (cells[`${'GHIJKLMN'[index]}${at + 1}`] = formula.replaceAll('#', String(at + 1))),
        );
      }
      const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
      model.recalculate();
      const hasTexts = rows.some(({ d }) => typeof d === 'string');
      for (const at of ASKED) {
        FORMULAS.forEach((formula, index) => {
          // A text cannot be multiplied.
          if (hasTexts && formula.includes('*D$1')) return;
          expect([formula, at, model.value(0, at, 6 + index)]).toEqual([formula, at, expected(rows, rows[at]!)[index]]);
        });
      }
    }),
    { numRuns: 8 },
  );
});

it('ranks below a limit are counted and their values added in any part', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(40), fc.integer({ min: -9, max: 9 })), { maxLength: 60 }),
      fc.nat(60),
      fc.nat(60),
      fc.nat(70),
      (pairs, one, other, limit) => {
        const tree = new RankTree(Int32Array.from(pairs, ([rank]) => rank));
        const [from, to] = [Math.min(one, other, pairs.length), Math.min(Math.max(one, other), pairs.length)];
        const found = pairs.slice(from, to).filter(([rank]) => rank < limit);
        expect(tree.countBelow(from, to, limit)).toBe(found.length);
        const sums = tree.sumsOf((position) => pairs[position]![1])!;
        expect(tree.sumBelow(sums, from, to, limit)).toBe(found.reduce((sum, [, value]) => sum + value, 0));
      },
    ),
  );
});
