import { describe, expect, it } from 'vitest';
import { parseBlock } from '#shared/codecs/cell-address.ts';
import { createRunsheetEngine } from '../runsheet-engine.ts';
import { buildModel } from '../testing/build-model.ts';
import type { TestCell } from '../testing/build-model.ts';

function loaded(cells: Record<string, TestCell>): ReturnType<ReturnType<typeof createRunsheetEngine>['load']> {
  const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
  model.recalculate();
  return model;
}

const TABLE = { formula: '=TABLE(,B1)', kind: 'dataTable', block: 'B11:B13' } as const;
const VALUES = { B1: 2, A11: 3, A12: 4, A13: 5 };

it.each([
  ['a formula of other cells', { B10: '=B2+B1', B2: '=B1*10' }, [33, 44, 55]],
  ['one through a range of a filled column', { B10: '=SUM(D1:D3)', D1: '=B1', D2: '=D1*2', D3: '=D2*2' }, [21, 28, 35]],
  [
    'one that reads an array that spills',
    { B10: '=SUM(E1:E4)', E1: { formula: '=_xlfn.SEQUENCE(B1)', kind: 'dynamicArray', block: 'E1:E2' } },
    [6, 10, 10],
  ],
  ['one that only its calculation shows', { B10: '=INDIRECT("B"&2)', B2: '=B1*10' }, [30, 40, 50]],
  ['a value', { B10: 7, B2: '=B1*10' }, [7, 7, 7]],
  ['an empty cell', { B2: '=B1*10' }, [0, 0, 0]],
] satisfies [string, Record<string, TestCell>, number[]][])(
  'a what-if table tries out %s, beside formulas that read the table',
  (_, formula, expected) => {
    const model = loaded({ ...VALUES, B11: TABLE, ...formula, H1: '=SUM(B11:B13)', H2: '=H1+RAND()*0', H3: '=B1' });
    expect(model.values(0, parseBlock('B11:B13')!).flat()).toEqual(expected);
    const sum = expected.reduce((a, b) => a + b, 0);
    expect(model.values(0, parseBlock('H1:H3')!).flat()).toEqual([sum, sum, 2]);
    model.setCells([{ sheet: 0, row: 10, col: 0, value: 0 }]);
    model.recalculate();
    expect(model.value(0, 11, 1)).toBe(expected[1]);
    expect(model.value(0, 1, 7)).toBe(model.value(0, 0, 7));
  },
);

describe('values at the edges that are formulas of the input cell', () => {
  /**
   * Two inputs, on which the edges depend. The payments are those that Excel calculated and saved for such tables, to
   * the cent.
   */
  const PAYMENT = '=ROUND(-PMT(B1/12,B2*12,B3),2)';
  const EDGE = { A11: '=B1', A12: '=A11+0.005', A13: '=A12+0.005', A14: '=A13+0.005' };

  it('are read while the value before still stands in it', () => {
    const table = { formula: '=TABLE(,B1)', kind: 'dataTable', block: 'B11:B14' } as const;
    const model = loaded({ B1: 0.0325, B2: 30, B3: 500_000, B10: PAYMENT, ...EDGE, B11: table });
    expect(model.values(0, parseBlock('B11:B14')!).flat()).toEqual([2176.03, 2315.58, 2608.24, 3078.59]);
    expect(model.values(0, parseBlock('A11:A14')!).flat().map(Number)[3]).toBeCloseTo(0.0475, 12);
  });

  it('above for each cell, to the left for each row', () => {
    const table = { formula: '=TABLE(B2,B1)', kind: 'dataTable', block: 'B11:F13' } as const;
    const years = { B10: '=B2', C10: '=B10+5', D10: '=C10+5', E10: '=D10+5', F10: '=E10+5' };
    const model = loaded({ B1: 0.0325, B2: 10, B3: 500_000, A10: PAYMENT, ...EDGE, ...years, B11: table });
    expect(model.values(0, parseBlock('B11:F13')!)).toEqual([
      [4885.95, 3513.34, 2436.58, 1862.71, 1579.48],
      [1747.31, 1712.73, 1662.8, 1618.16, 1588.34],
      [1989.98, 1987.69, 1984.46, 1981.76, 1980.17],
    ]);
  });

  it('likewise along a row', () => {
    const table = { formula: '=TABLE(B1,)', kind: 'dataTable', block: 'B11:D11' } as const;
    const model = loaded({ B1: 1, A11: '=B1*10', B10: '=B1', C10: '=B10+1', D10: '=C10+1', B11: table });
    expect(model.values(0, parseBlock('B11:D11')!)).toEqual([[10, 20, 40]]);
  });
});
