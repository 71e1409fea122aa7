/** A fidelity report in plain words. */
import type { FidelityReport, NotComparedReason } from '#shared/contract/fidelity.ts';
import type { VersionItem } from '#shared/contract/versions.ts';

const shown = (number: number): string => number.toLocaleString('en');
const count = (number: number, one: string, many: string): string => `${shown(number)} ${number === 1 ? one : many}`;

/** What the versions pages know of a report. */
type Summary = NonNullable<VersionItem['Fidelity']>;

/** One cell of a versions grid. */
export function fidelityShort(fidelity: VersionItem['Fidelity']): string {
  if (!fidelity) return 'Not compared';
  const { Formulas, Different, DifferentFeedingOutputs: feeding, NotCompared } = fidelity;
  if (Formulas === 0 && NotCompared === 0) return 'No formulas';
  if (Formulas === 0)
    return NotCompared === undefined ? 'No formula compared' : `None of ${shown(NotCompared)} compared`;
  const rest = NotCompared === undefined ? 'the rest was not counted' : `${shown(NotCompared)} not compared`;
  const left = NotCompared === 0 ? '' : `, ${rest}`;
  if (Different === 0) return NotCompared === 0 ? `All ${shown(Formulas)} equal` : `${shown(Formulas)} equal${left}`;
  return `${shown(Different)} of ${shown(Formulas)} differ${feeding > 0 ? `, ${shown(feeding)} feeding an output` : ''}${left}`;
}

/**
 * How much to worry: 'success' where all that outputs depend on was compared and agrees, 'warning' where something differs or an output depends on
 * a formula that was not compared, 'danger' where a difference reaches an output; 'none' where that is not known, or there was nothing to compare.
 */
export function fidelityIntent(report: Summary): 'none' | 'success' | 'warning' | 'danger' {
  const { Formulas, Different, DifferentFeedingOutputs, NotComparedFeedingOutputs } = report;
  if (Different > 0) return DifferentFeedingOutputs > 0 ? 'danger' : 'warning';
  if (NotComparedFeedingOutputs === undefined) return 'none';
  if (NotComparedFeedingOutputs > 0) return 'warning';
  return Formulas === 0 ? 'none' : 'success';
}

/** The sentence on top of a report. */
export function fidelitySentence(report: Summary): string {
  const { Formulas, Different, NotCompared } = report;
  if (Formulas === 0 && NotCompared === 0) return 'This workbook has no formulas to compare.';
  if (Formulas === 0 && NotCompared !== undefined) {
    const none =
      NotCompared === 1 ? 'The only formula could not be' : `None of the ${shown(NotCompared)} formulas could be`;
    return `${none} compared with the values Excel saved.${reachOfNotCompared(report)}`;
  }
  if (Formulas === 0) return `No formula was compared with the values Excel saved. ${NOT_COUNTED}`;
  const compared = NotCompared
    ? `${shown(Formulas)} of ${shown(Formulas + NotCompared)} formulas were`
    : count(Formulas, 'formula was', 'formulas were');
  return `${compared} recalculated and compared with the values Excel saved. ${differenceSentence(report, Different)}${notComparedSentence(report)}`;
}

const NOT_COUNTED = 'How many formulas were not compared was not counted then.';

function differenceSentence(
  { Formulas, DifferentFeedingOutputs: feeding, NotCompared }: Summary,
  different: number,
): string {
  if (different === 0) {
    if (NotCompared === 0) return Formulas === 1 ? 'It agrees.' : 'All of them agree.';
    return Formulas === 1 ? 'The one compared agrees.' : 'Those compared agree.';
  }
  const differ = `${count(different, 'gives', 'give')} a different value.`;
  if (feeding === 0) return `${differ} No output depends on ${different === 1 ? 'it' : 'them'}.`;
  const all = different === 1 ? 'it' : 'all of them';
  return `${differ} Outputs depend on ${feeding === different ? all : `${shown(feeding)} of them`}.`;
}

function notComparedSentence(report: Summary): string {
  const { NotCompared } = report;
  if (NotCompared === undefined) return ` ${NOT_COUNTED}`;
  if (NotCompared === 0) return '';
  return ` Not all could be compared: ${count(NotCompared, 'formula was', 'formulas were')} not.${reachOfNotCompared(report)}`;
}

function reachOfNotCompared({ NotCompared = 0, NotComparedFeedingOutputs: feeding = 0 }: Summary): string {
  if (feeding === 0) return ` No output depends on ${NotCompared === 1 ? 'it' : 'them'}.`;
  const all = NotCompared === 1 ? 'it' : 'all of them';
  return ` Outputs depend on ${feeding === NotCompared ? all : `${shown(feeding)} of them`}.`;
}

const REASONS: Readonly<Record<NotComparedReason, string>> = {
  Volatile: 'Depends on time, chance or the computer',
  CircularReference: 'Depends on a circular reference without a value of its own',
  Unsupported: 'Calls a function that cannot be recalculated here',
  ExternalLink: 'Reads another workbook, of whose values the file has none',
  NoSavedValue: 'The file has no saved value',
  LargeArray: 'Fills more than 100,000 cells; the first ones are equal',
};

/** Why a formula was not compared, in words. */
export const notComparedReason = (reason: NotComparedReason): string => REASONS[reason];

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
