/** Texts about a fidelity report. */
import type { FidelityReport, NotComparedReason } from '#shared/contract/fidelity.ts';
import type { VersionItem } from '#shared/contract/versions.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { regionName } from '#renderer/language/region-names.ts';
import { t } from '#renderer/language/translate.ts';
import { regionText } from './region-text.ts';

const shown = (number: number): string => numberText(number);

/** The part of a report that the versions pages have. */
type Summary = NonNullable<VersionItem['Fidelity']>;

/** Returns the text for a cell of a versions grid. */
export function fidelityShort(fidelity: VersionItem['Fidelity']): string {
  if (!fidelity) return t('Not compared');
  const { Formulas, Different, DifferentFeedingOutputs: feeding, NotCompared } = fidelity;
  if (Formulas === 0 && NotCompared === 0) return t('No formulas');
  if (Formulas === 0)
    return NotCompared === undefined
      ? t('No formula compared')
      : t('None of {notCompared} compared', { notCompared: shown(NotCompared) });
  const rest =
    NotCompared === undefined
      ? t('the rest was not counted')
      : t('{count} not compared', { count: shown(NotCompared) });
  const notCompared = NotCompared === 0 ? '' : `, ${rest}`;
  if (Different === 0)
    return NotCompared === 0
      ? t('All {count} equal', { count: shown(Formulas) })
      : `${t('{count} equal', { count: shown(Formulas) })}${notCompared}`;
  const differ = t('{count} of {total} differ', { count: shown(Different), total: shown(Formulas) });
  const reaching = feeding > 0 ? t(', {count} affecting an output', { count: shown(feeding) }) : '';
  return `${differ}${reaching}${notCompared}`;
}

/**
 * Returns the severity of a report. 'success': everything that outputs depend on was compared and agrees. 'warning':
 * something differs, or an output depends on a formula that was not compared. 'danger': a difference reaches an output.
 * 'none': unknown, or nothing to compare.
 */
export function fidelityIntent(report: Summary): 'none' | 'success' | 'warning' | 'danger' {
  const { Formulas, Different, DifferentFeedingOutputs, NotComparedFeedingOutputs } = report;
  if (Different > 0) return DifferentFeedingOutputs > 0 ? 'danger' : 'warning';
  if (NotComparedFeedingOutputs === undefined) return 'none';
  if (NotComparedFeedingOutputs > 0) return 'warning';
  return Formulas === 0 ? 'none' : 'success';
}

/** Returns one sentence about a version, for places beside its results. */
export function fidelityLine(report: Summary): string {
  const { Formulas, Different, NotCompared } = report;
  if (Formulas === 0 || Different > 0 || NotCompared !== 0) return fidelitySentence(report);
  return t(
    "{count, plural, one {The only formula matches Excel's saved value} other {All # formulas match Excel's saved values}}",
    { count: Formulas },
  );
}

/** Returns the headline of a report. */
export function fidelitySentence(report: Summary): string {
  const { Formulas, Different, NotCompared } = report;
  if (Formulas === 0 && NotCompared === 0) return t('This workbook has no formulas to compare.');
  if (Formulas === 0 && NotCompared !== undefined) {
    const none = t(
      '{count, plural, one {The only formula could not be} other {None of the # formulas could be}} compared with the values Excel saved.',
      { count: NotCompared },
    );
    return `${none}${reachOfNotCompared(report)}`;
  }
  if (Formulas === 0) return `${t('No formula was compared with the values Excel saved.')} ${NOT_COUNTED}`;
  const compared = NotCompared
    ? t(
        '{formulas} of {total} formulas {count, plural, one {was} other {were}} recalculated and compared with the values Excel saved.',
        {
          count: Formulas,
          formulas: shown(Formulas),
          total: shown(Formulas + NotCompared),
        },
      )
    : t(
        '{count, plural, one {# formula was} other {# formulas were}} recalculated and compared with the values Excel saved.',
        { count: Formulas },
      );
  return `${compared} ${differenceSentence(report, Different)}${notComparedSentence(report)}`;
}

const NOT_COUNTED = t('This older report does not say how many formulas were not compared.');

function differenceSentence(
  { Formulas, DifferentFeedingOutputs: feeding, NotCompared }: Summary,
  different: number,
): string {
  if (different === 0) {
    if (NotCompared === 0)
      return t('{formulas, plural, one {It agrees.} other {All of them agree.}}', { formulas: Formulas });
    return t('{formulas, plural, one {The compared formula agrees.} other {The compared formulas agree.}}', {
      formulas: Formulas,
    });
  }
  const differ = t('{count, plural, one {# gives} other {# give}} a different value.', { count: different });
  return `${differ} ${reachText(different, feeding)}`;
}

function notComparedSentence(report: Summary): string {
  const { NotCompared } = report;
  if (NotCompared === undefined) return ` ${NOT_COUNTED}`;
  if (NotCompared === 0) return '';
  return ` ${t('{count, plural, one {# formula} other {# formulas}} could not be compared.', { count: NotCompared })}${reachOfNotCompared(report)}`;
}

function reachOfNotCompared({ NotCompared = 0, NotComparedFeedingOutputs: feeding = 0 }: Summary): string {
  return ` ${reachText(NotCompared, feeding)}`;
}

/** Says how many of the formulas feed an output. */
function reachText(count: number, feeding: number): string {
  if (feeding === 0) return t('No output depends on {count, plural, one {it} other {them}}.', { count });
  if (feeding === count) return t('Outputs depend on {count, plural, one {it} other {all of them}}.', { count });
  return t('Outputs depend on {count} of them.', { count: shown(feeding) });
}

const REASONS: Readonly<Record<NotComparedReason, string>> = {
  Volatile: t('Depends on time, random numbers, or the computer'),
  CircularReference: t('Depends on a circular reference that does not converge to a value'),
  Unsupported: t('Calls a function that cannot be recalculated here'),
  ExternalLink: t('Reads another workbook whose values are not saved in the file'),
  NoSavedValue: t('The file has no saved value'),
  LargeArray: t('Fills more than 100,000 cells; the first ones are equal'),
};

/** Returns why a formula was not compared. */
export const notComparedReason = (reason: NotComparedReason): string => REASONS[reason];

/** Describes the region of a version and what determines it; null if there is nothing to say. */
export function regionSentence({
  Region,
  RegionSource,
}: Pick<FidelityReport, 'Region' | 'RegionSource'>): string | null {
  if (RegionSource !== undefined) return regionText({ Id: Region ?? 'en-US', Source: RegionSource });
  if (Region === undefined) return null;
  return t(
    'Numbers and dates in texts are calculated with the regional settings {name}, as in the Excel that saved the workbook.',
    { name: regionName(Region) },
  );
}

/** Display names for engines in reports of older versions. */
const ENGINES: Readonly<Record<string, string>> = { runsheet: 'Runsheet', ironcalc: 'IronCalc' };

/** Returns the name of a version's engine, such as 'LibreOffice 7.4'. */
export const engineInWords = (engine: string): string => ENGINES[engine] ?? engine;

/** Returns the name of the engine for a cell of a versions grid. */
export const engineShort = (fidelity: VersionItem['Fidelity']): string => engineInWords(fidelity?.Engine ?? '');
