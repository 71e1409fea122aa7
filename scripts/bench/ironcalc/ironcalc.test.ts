import { describe, expect, it } from 'vitest';
import { arePeersInstalled } from '../install-peers.ts';
import { loadIronCalcEngine } from './load-ironcalc.ts';
import { buildModel } from '#server/calculation/testing/build-model.ts';
import { engineTools, testEngine } from '#test/support/engine-suite.ts';

// A bench installs IronCalc when it runs. The tests are skipped if no bench has done so.
describe.skipIf(!arePeersInstalled())('IronCalc', () => {
  const engine = arePeersInstalled() ? loadIronCalcEngine() : null!;
  const { result } = engineTools(() => engine);

  testEngine(() => engine, {
    spills: true,
    lambdas: true,
    differs: { 'SUM(A1:INDEX(A1:A5,6))': '#VALUE!', 'INDIRECT("rate")': 0.5, circle: '#NAME?' },
  });

  describe('beyond what every engine does', () => {
    it('what is lacking is named with its place', () => {
      const found = engine.unsupported(
        buildModel({
          sheets: {
            Sheet1: {
              A1: '=_xlfn.GROUPBY(B1:B2,C1:C2,1)+SUM(1)',
              A2: { formula: '=TABLE(A1,)', kind: 'dataTable', block: 'A2:A3' },
              A3: '=RANK(A1,(B1,B2))',
              A4: '=[1]Sheet1!A1',
            },
          },
        }),
      );
      expect(found.map(({ name, row }) => [name, row])).toEqual([
        ['GROUPBY', 0],
        ['data table', 1],
        ['A union of references outside of a sum', 2],
      ]);
    });

    it('a formula nested a hundred levels deep is calculated, a deeper one an error', () => {
      const nested = (levels: number): string => `=${'ABS('.repeat(levels)}1${')'.repeat(levels)}`;
      expect(result(nested(95))).toBe(1);
      expect(result(nested(150))).toBe('#VALUE!');
      expect(result(nested(5000))).toBe('#NAME?');
    });
  });
});
