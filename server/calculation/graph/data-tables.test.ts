import { expect, it } from 'vitest';
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
