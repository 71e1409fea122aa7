/** A fidelity report in plain words. */
import type { FidelityReport, VersionItem } from '#shared/contract/activities.ts';

const shown = (number: number): string => number.toLocaleString('en');
const count = (number: number, one: string, many: string): string => `${shown(number)} ${number === 1 ? one : many}`;

/** One cell of a versions grid. */
export function fidelityShort(fidelity: VersionItem['Fidelity']): string {
  if (!fidelity) return 'Not compared';
  const { Formulas, Different, DifferentFeedingOutputs: feeding } = fidelity;
  if (Formulas === 0) return 'No formulas';
  if (Different === 0) return `All ${shown(Formulas)} equal`;
  return `${shown(Different)} of ${shown(Formulas)} differ${feeding > 0 ? `, ${shown(feeding)} feeding an output` : ''}`;
}

/** How much to worry: 'success' where all agree, 'warning' where something differs, 'danger' where that reaches an output. */
export function fidelityIntent(
  report: Pick<FidelityReport, 'Different' | 'DifferentFeedingOutputs'>,
): 'success' | 'warning' | 'danger' {
  if (report.Different === 0) return 'success';
  return report.DifferentFeedingOutputs > 0 ? 'danger' : 'warning';
}

/** The sentence on top of a report. */
export function fidelitySentence(report: FidelityReport): string {
  const { Formulas, Different, DifferentFeedingOutputs: feeding } = report;
  if (Formulas === 0) return 'This workbook has no formulas to compare.';
  const recalculated = `${count(Formulas, 'formula was', 'formulas were')} recalculated and compared with the values Excel saved.`;
  if (Different === 0) return `${recalculated} All of them agree.`;
  const differ = `${count(Different, 'gives', 'give')} a different value.`;
  if (feeding === 0) return `${recalculated} ${differ} No output depends on ${Different === 1 ? 'it' : 'them'}.`;
  const reach =
    feeding === Different
      ? `Outputs depend on ${Different === 1 ? 'it' : 'all of them'}.`
      : `Outputs depend on ${shown(feeding)} of them.`;
  return `${recalculated} ${differ} ${reach}`;
}

/** The regional settings of a version in words, such as 'German (Germany)'; null where nothing has to be said. */
export function regionSentence({ Region }: Pick<FidelityReport, 'Region'>): string | null {
  if (Region === undefined) return null;
  const name = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' }).of(Region) ?? Region;
  return `Numbers and dates in texts are calculated with the regional settings ${name}, as in the Excel that saved the workbook.`;
}

/** What reports of older versions call their engines. */
const ENGINES: Readonly<Record<string, string>> = { runsheet: 'Runsheet', ironcalc: 'IronCalc' };

/** The engine of a version in words, such as 'LibreOffice 7.4'. */
export const engineInWords = (engine: string): string => ENGINES[engine] ?? engine;

/** One cell of a versions grid: which engine calculates the version. */
export const engineShort = (fidelity: VersionItem['Fidelity']): string => engineInWords(fidelity?.Engine ?? '');
