import { describe, expect, it } from 'vitest';
import type { FidelityReport } from '#shared/contract/fidelity.ts';
import {
  engineInWords,
  engineShort,
  fidelityIntent,
  fidelityLine,
  fidelitySentence,
  fidelityShort,
  regionSentence,
} from './fidelity-text.ts';

/** A report as stored before non-compared formulas were counted. */
const earlier = (Formulas: number, Different: number, DifferentFeedingOutputs: number): FidelityReport => ({
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

const report = (
  Formulas: number,
  Different: number,
  DifferentFeedingOutputs: number,
  NotCompared = 0,
  NotComparedFeedingOutputs = 0,
): FidelityReport => ({
  ...earlier(Formulas, Different, DifferentFeedingOutputs),
  NotCompared,
  NotComparedFeedingOutputs,
});

describe('a fidelity report in words', () => {
  it('is one sentence beside a result: short if all match, otherwise with what differs', () => {
    expect(fidelityLine(report(2164, 0, 0))).toBe("All 2,164 formulas match Excel's saved values");
    expect(fidelityLine(report(1, 0, 0))).toBe("The only formula matches Excel's saved value");
    expect(fidelityLine(report(5, 1, 0))).toBe(fidelitySentence(report(5, 1, 0)));
    expect(fidelityLine(report(5, 0, 0, 2))).toBe(fidelitySentence(report(5, 0, 0, 2)));
    expect(fidelityLine(earlier(5, 0, 0))).toBe(fidelitySentence(earlier(5, 0, 0)));
  });
  it('says in a cell how many differ and how many of them matter', () => {
    expect(fidelityShort(null)).toBe('Not compared');
    expect(fidelityShort(report(0, 0, 0))).toBe('No formulas');
    expect(fidelityShort(report(12, 0, 0))).toBe('All 12 equal');
    expect(fidelityShort(report(1240, 0, 0))).toBe('All 1,240 equal');
    expect(fidelityShort(report(12, 3, 0))).toBe('3 of 12 differ');
    expect(fidelityShort(report(12, 3, 1))).toBe('3 of 12 differ, 1 affecting an output');
  });

  it('names regional settings other than those of the United States', () => {
    expect(regionSentence(report(1, 0, 0))).toBe(null);
    expect(regionSentence({ ...report(1, 0, 0), Region: 'pl-PL' })).toBe(
      'Numbers and dates in texts are calculated with the regional settings Polish (Poland), as in the Excel that saved the workbook.',
    );
  });

  it('says what decides the region of the workbook', () => {
    const said = (RegionSource: NonNullable<FidelityReport['RegionSource']>, Region?: string) =>
      regionSentence({ ...report(1, 0, 0), RegionSource, ...(Region ? { Region } : {}) });
    expect(said('Formats', 'de-DE')).toBe(
      'Region of the workbook: German (Germany), detected from the language and the formats of the file.',
    );
    expect(said('Values', 'de-DE')).toBe(
      'Region of the workbook: German (Germany), detected from the values saved in the file.',
    );
    expect(said('Chosen')).toBe('Region of the workbook: English (United States), chosen during the upload.');
    expect(said('Kept', 'fr-CH')).toBe('Region of the workbook: French (Switzerland), as in the previous version.');
    expect(said('None')).toBe(
      'The file does not specify its region. It is calculated with the region English (United States).',
    );
  });

  it('says in a sentence whether outputs can be trusted', () => {
    expect(fidelitySentence(report(1, 0, 0))).toBe(
      '1 formula was recalculated and compared with the values Excel saved. It agrees.',
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

  it('is never green where an output depends on a formula that was not compared', () => {
    expect(fidelityIntent(report(9, 0, 0, 3, 0))).toBe('success');
    expect(fidelityIntent(report(9, 0, 0, 3, 1))).toBe('warning');
    expect(fidelityIntent(report(9, 1, 1, 3, 1))).toBe('danger');
    expect(fidelityIntent(report(0, 0, 0, 3, 1))).toBe('warning');
    expect(fidelityIntent(report(0, 0, 0, 3, 0))).toBe('none');
    expect(fidelityIntent(report(0, 0, 0))).toBe('none');
  });

  it('says how many formulas were not compared and whether outputs depend on them', () => {
    const start = '621 of 816 formulas were recalculated and compared with the values Excel saved. ';
    const not = ' 195 formulas could not be compared.';
    expect(fidelitySentence(report(621, 0, 0, 195, 0))).toBe(
      `${start}The compared formulas agree.${not} No output depends on them.`,
    );
    expect(fidelitySentence(report(621, 0, 0, 195, 2))).toBe(
      `${start}The compared formulas agree.${not} Outputs depend on 2 of them.`,
    );
    expect(fidelitySentence(report(621, 3, 0, 195, 195))).toBe(
      `${start}3 give a different value. No output depends on them.${not} Outputs depend on all of them.`,
    );
    expect(fidelitySentence(report(1, 0, 0, 2, 0))).toMatch(/^1 of 3 formulas was recalculated/);
    expect(fidelitySentence(report(0, 0, 0, 12, 12))).toBe(
      'None of the 12 formulas could be compared with the values Excel saved. Outputs depend on all of them.',
    );
    expect(fidelitySentence(report(0, 0, 0))).toBe('This workbook has no formulas to compare.');
    expect(fidelityShort(report(621, 0, 0, 195, 2))).toBe('621 equal, 195 not compared');
    expect(fidelityShort(report(621, 3, 0, 195, 2))).toBe('3 of 621 differ, 195 not compared');
    expect(fidelityShort(report(0, 0, 0, 12, 2))).toBe('None of 12 compared');
  });

  it('says of reports made before that what was not compared was not counted, and never shows them green', () => {
    expect(fidelityIntent(earlier(9, 0, 0))).toBe('none');
    expect(fidelityIntent(earlier(9, 1, 0))).toBe('warning');
    expect(fidelitySentence(earlier(9, 0, 0))).toBe(
      '9 formulas were recalculated and compared with the values Excel saved. The compared formulas agree. ' +
        'This older report does not say how many formulas were not compared.',
    );
    expect(fidelitySentence(earlier(0, 0, 0))).toContain('does not say how many formulas were not compared');
    expect(fidelityShort(earlier(0, 0, 0))).toBe('No formula compared');
    expect(fidelityShort(earlier(9, 0, 0))).toBe('9 equal, the rest was not counted');
  });
});
