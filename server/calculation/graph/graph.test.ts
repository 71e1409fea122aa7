import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCell, parseBlock } from '#shared/codecs/cell-address.ts';
import { rounds } from '#test/support/test-set.ts';
import { buildModel } from '../testing/build-model.ts';
import type { TestCell, TestWorkbook } from '../testing/build-model.ts';
import { circularReferenceCells } from './circular-references.ts';
import { FormulaIndex } from './formula-index.ts';
import { calculationOrder, feeding } from './visit.ts';

function indexOf(book: TestWorkbook): FormulaIndex {
  return new FormulaIndex(buildModel(book));
}

/** Returns the addresses of the formula cells of the first sheet that feed a block. */
function feeders(index: FormulaIndex, block: string, sheet = 0): string[] {
  const { feeds } = feeding(index, [{ sheet, block: parseBlock(block)! }]);
  return index.cells
    .filter((_, id) => feeds(id))
    .map(({ sheet: own, row, col }) => `${own === 0 ? '' : `${own}!`}${formatCell(row, col)}`);
}

describe('what feeds an output', () => {
  it('is found through references, names, tables, arrays and other sheets', () => {
    const index = indexOf({
      sheets: {
        Main: {
          A1: '=Other!B1',
          A2: '=1',
          A3: '=SUM(named)',
          A4: '=SUM(T[q])',
          A5: '=F2',
          A6: '=A1+A3+A4+A5',
          A7: '=A6:A6 A2:A9',
          A8: '=C1:INDEX(C1:C9,2)',
          C2: '=1',
          D1: '=2',
          D2: '=3',
          F1: { formula: '=D1:D2', kind: 'array', block: 'F1:F2' },
        },
        Other: { B1: '=B2', B2: '=1', B3: '=2' },
      },
      names: { named: 'Other!$B$3' },
      tables: [{ name: 'T', sheet: 'Main', block: 'D1:D2', columns: ['q'] }],
    });
    expect(feeders(index, 'A6')).toEqual(
      ['A1', 'F1', 'D1', 'A3', 'A4', 'A5', 'A6', 'D2', '1!B1', '1!B2', '1!B3'].sort(
        (a, b) => order(index, a) - order(index, b),
      ),
    );
    expect(feeders(index, 'A2')).toEqual(['A2']);
    expect(feeders(index, 'A8')).toEqual(['C2', 'A8']);
    expect(feeders(index, 'Z1')).toEqual([]);
  });

  it('is everything where a formula works out what it reads', () => {
    const index = indexOf({ sheets: { S: { A1: '=INDIRECT(B1)', A2: '=A1', A3: '=1' } } });
    expect(feeders(index, 'A2')).toEqual(['A1', 'A2', 'A3']);
    expect(feeders(index, 'A3')).toEqual(['A3']);
  });
});

function order(index: FormulaIndex, address: string): number {
  return index.cells.findIndex(
    ({ sheet, row, col }) => `${sheet === 0 ? '' : `${sheet}!`}${formatCell(row, col)}` === address,
  );
}

it('a chain of a hundred thousand cells needs no recursion, and sums over all rows above no square of time', () => {
  const cells: Record<string, TestCell> = { B1: '=A100000' };
  for (let row = 1; row <= 100_000; row += 1) cells[`A${row}`] = row === 1 ? 1 : `=SUM(A$1:A${row - 1})`;
  const index = indexOf({ sheets: { S: cells } });
  const { order, depth } = calculationOrder(index);
  expect(depth).toBeGreaterThan(1);
  const positions = new Map([...order].map((id, position) => [id, position]));
  expect(positions.size).toBe(100_000);
  expect(circularReferenceCells(index, order)).toEqual([]);
});

it('the order puts each formula behind what it reads, and circular references are found', () => {
  const address = fc.tuple(fc.nat(3), fc.nat(5)).map(([col, row]) => formatCell(row, col));
  const formula = fc
    .array(fc.tuple(address, address), { minLength: 1, maxLength: 2 })
    .map((areas) => `=SUM(${areas.map(([a, b]) => `${a}:${b}`).join(',')})`);
  fc.assert(
    fc.property(fc.dictionary(address, formula, { maxKeys: 12 }), (cells) => {
      const index = indexOf({ sheets: { S: cells } });
      const { order } = calculationOrder(index);
      const circularReferences = new Set(circularReferenceCells(index, order));
      const positions = new Map([...order].map((id, at) => [id, at]));
      expect(positions.size).toBe(index.cells.length);
      const reads = (id: number, other: number): boolean =>
        index.precedents(id).areas.some(({ block }) => {
          const { row, col } = index.cells[other]!;
          return row >= block.top && row <= block.bottom && col >= block.left && col <= block.right;
        });
      for (const id of positions.keys()) {
        if (circularReferences.has(id)) continue;
        for (const other of positions.keys())
          if (reads(id, other)) expect(positions.get(other)!).toBeLessThan(positions.get(id)!);
      }
      // Without the cells that close circular references, no cycle is possible.
      const open = [...positions.keys()].filter((id) => !circularReferences.has(id));
      for (const id of open) expect(reads(id, id)).toBe(false);
    }),
    { numRuns: rounds(100, 300) },
  );
});
