import { describe, expect, it } from 'vitest';
import { parseBlock } from '#shared/codecs/cell-address.ts';
import { cellError } from './values/cell-value.ts';
import { createRunsheetEngine } from './runsheet-engine.ts';
import { buildModel } from './testing/build-model.ts';
import { engineTools, read, testEngine } from '#test/support/engine-suite.ts';

const engine = createRunsheetEngine();
const { load, result } = engineTools(() => engine);

testEngine(() => engine, { spills: true, lambdas: true });

describe('beyond what every engine does', () => {
  it('what-if tables try out their inputs', () => {
    const model = load({
      sheets: {
        Sheet1: {
          A1: 10,
          A2: 3,
          A3: '=A1*A2',
          C1: '=A3',
          D1: 1,
          E1: 2,
          C2: 5,
          C3: 6,
          D2: { formula: '=TABLE(A1,A2)', kind: 'dataTable', block: 'D2:E3' },
          C6: 7,
          C7: 8,
          D5: '=A3+1',
          D6: { formula: '=TABLE(,A1)', kind: 'dataTable', block: 'D6:D7' },
          G5: '=A3',
          H4: 4,
          H5: { formula: '=TABLE(A2,)', kind: 'dataTable', block: 'H5:H5' },
          H8: { formula: '=TABLE(#REF!,)', kind: 'dataTable', block: 'H8:H9' },
          F1: '=SUM(D2:E3)',
        },
      },
    });
    expect(model.values(0, parseBlock('D2:E3')!)).toEqual([
      [5, 10],
      [6, 12],
    ]);
    expect(model.values(0, parseBlock('D6:D7')!)).toEqual([[22], [25]]);
    expect([read(model, 'H5'), read(model, 'F1'), read(model, 'A3')]).toEqual([40, 33, 30]);
    expect(model.values(0, parseBlock('H8:H9')!)).toEqual([[cellError('#REF!')], [cellError('#REF!')]]);
    model.setCells([{ sheet: 0, row: 0, col: 4, value: 3 }]);
    model.recalculate();
    expect([read(model, 'E2'), read(model, 'F1')]).toEqual([15, 44]);
  });

  it('what is lacking is named with its place', () => {
    const found = engine.unsupported(
      buildModel({
        sheets: {
          Sheet1: {
            A1: '=_xlfn.NOSUCH(B1:B2,C1:C2,1)+SUM(1)',
            A2: { formula: '=TABLE(,)', kind: 'dataTable', block: 'A2:A3' },
            B3: '=SUM(A1)',
            A4: '=[1]Sheet1!A1',
            B4: '=OTHER(1)',
          },
        },
      }),
    );
    expect(found.map(({ name, row }) => [name, row])).toEqual([
      ['NOSUCH', 0],
      ['OTHER', 3],
      ['TABLE', 1],
    ]);
  });

  it('a formula nested two hundred levels deep is calculated, a deeper one an error', () => {
    const nested = (levels: number): string => `=${'ABS('.repeat(levels)}1${')'.repeat(levels)}`;
    expect(result(nested(190))).toBe(1);
    expect(result(nested(5000))).toBe('#NAME?');
  });
});
