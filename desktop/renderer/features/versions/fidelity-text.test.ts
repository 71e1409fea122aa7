import { describe, expect, it } from 'vitest';
import type { FidelityReport } from '#shared/contract/activities.ts';
import {
  engineInWords,
  engineShort,
  fidelityIntent,
  fidelitySentence,
  fidelityShort,
  regionSentence,
} from './fidelity-text.ts';

const report = (Formulas: number, Different: number, DifferentFeedingOutputs: number): FidelityReport => ({
  Engine: 'x',
  Formulas,
  Equal: Formulas - Different,
  Different,
  DifferentFeedingOutputs,
  Volatile: [],
  Unsupported: [],
  ExternalLinks: [],
  Differences: [],
});

describe('a fidelity report in words', () => {
  it('says in a cell how many differ and how many of them matter', () => {
    expect(fidelityShort(null)).toBe('Not compared');
    expect(fidelityShort(report(0, 0, 0))).toBe('No formulas');
    expect(fidelityShort(report(12, 0, 0))).toBe('All 12 equal');
    expect(fidelityShort(report(1240, 0, 0))).toBe('All 1,240 equal');
    expect(fidelityShort(report(12, 3, 0))).toBe('3 of 12 differ');
    expect(fidelityShort(report(12, 3, 1))).toBe('3 of 12 differ, 1 feeding an output');
  });

  it('names regional settings other than those of the United States', () => {
    expect(regionSentence(report(1, 0, 0))).toBe(null);
    expect(regionSentence({ ...report(1, 0, 0), Region: 'pl-PL' })).toBe(
      'Numbers and dates in texts are calculated with the regional settings Polish (Poland), as in the Excel that saved the workbook.',
    );
  });

  it('says in a sentence whether outputs can be trusted', () => {
    expect(fidelitySentence(report(1, 0, 0))).toBe(
      '1 formula was recalculated and compared with the values Excel saved. All of them agree.',
    );
    expect(fidelitySentence(report(9, 2, 0))).toContain('2 give a different value. No output depends on them.');
    expect(fidelitySentence(report(9, 2, 1))).toContain('Outputs depend on 1 of them.');
    expect(fidelitySentence(report(9, 1, 1))).toContain('1 gives a different value. Outputs depend on it.');
  });

  it('names the engine in words, and nothing for versions that do not know it', () => {
    expect(['runsheet', 'ironcalc', 'LibreOffice 7.4'].map(engineInWords)).toEqual([
      'Runsheet',
      'IronCalc',
      'LibreOffice 7.4',
    ]);
    expect(engineShort(report(1, 0, 0))).toBe('x');
    expect(engineShort({ Formulas: 1, Different: 0, DifferentFeedingOutputs: 0 })).toBe('');
    expect(engineShort(null)).toBe('');
  });

  it('worries most where outputs are reached', () => {
    expect([report(9, 0, 0), report(9, 1, 0), report(9, 1, 1)].map(fidelityIntent)).toEqual([
      'success',
      'warning',
      'danger',
    ]);
  });
});
