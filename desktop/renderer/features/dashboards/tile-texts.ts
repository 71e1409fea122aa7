/** Texts on tiles. */
import type { OutcomesData, Tile, TileData, ValuesData } from '#shared/contract/dashboards.ts';
import { hasSucceeded } from '#shared/contract/run-status.ts';
import { shownValue } from '#renderer/language/shown-value.ts';
import { numberText as digitsText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';

export const KIND_TEXTS: Record<Tile['Kind'], string> = {
  Value: t('Last value and trend'),
  Table: t('Table of the last run'),
  Plot: t('Plot over runs'),
  Outcomes: t('Outcomes'),
  Approvals: t('Open approvals'),
  Text: t('Text'),
};

/** Returns the title that the author entered, else a description of the content. */
export function tileTitle(tile: Tile, data: TileData | undefined): string {
  if (tile.Title.trim() !== '') return tile.Title;
  if (tile.Kind === 'Approvals') return t('Approvals waiting for me');
  if (data?.Kind === 'Values') return t('{outputName} of {name}', { outputName: data.OutputName, name: data.Name });
  if (data?.Kind === 'Outcomes') return data.Name;
  return tile.Kind === 'Text' ? '' : KIND_TEXTS[tile.Kind];
}

export const numberText = (value: number, { Formats, CellUsages }: ValuesData['Info']): string =>
  shownValue(value, Formats[0], CellUsages[0]);

export interface Change {
  direction: 'up' | 'down' | 'same';
  text: string;
}

/** Returns the change from the previous run; null if one of the two has no number, or if the value is a date. */
export function changeOf({ Points, Info }: ValuesData): Change | null {
  const [before, last] = [Points.at(-2)?.Value, Points.at(-1)?.Value];
  if (before == null || last == null || Info.CellUsages[0] === 'Date') return null;
  const difference = last - before;
  const amount = numberText(Math.abs(difference), Info);
  if (difference === 0 || [0, NEXT_TO_NOTHING].some((none) => amount === numberText(none, Info)))
    return { direction: 'same', text: t('unchanged') };
  // Use the hyphen, as in values.
  const sign = difference > 0 ? '+' : '-';
  const share = Math.abs(difference / before);
  const isMeaningful = share >= MIN_SHARE && share <= MAX_SHARE;
  const shareText = isMeaningful ? ` (${sign}${percent(share)})` : '';
  return { direction: difference > 0 ? 'up' : 'down', text: `${sign}${amount}${shareText}` };
}

/** Formats as zero in every format that rounds. Formats may show an exact zero differently. */
const NEXT_TO_NOTHING = 1e-300;
/**
 * Percentages outside these limits are meaningless: any change of a value near zero is millions of percent, and any
 * change of a huge value is almost none.
 */
const MIN_SHARE = 0.0005;
const MAX_SHARE = 10;

const percent = (share: number): string =>
  `${digitsText(share * 100, { maximumFractionDigits: share < 0.1 ? 1 : 0 })} %`;

/** '8 of the last 10 runs succeeded' */
export function outcomesText({ Runs }: OutcomesData): string {
  if (Runs.length === 0) return t('No runs yet');
  const good = Runs.filter(({ Status }) => hasSucceeded(Status)).length;
  return Runs.length === 1
    ? good
      ? t('The last run succeeded')
      : t('The last run did not succeed')
    : t('{good} of the last {runsCount} runs succeeded', { good, runsCount: Runs.length });
}

export function plotText(data: ValuesData): string {
  const values = data.Points.flatMap(({ Value }) => Value ?? []);
  if (values.length === 0) return t('No numbers yet');
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  return t('Last {number}, lowest {lowest}, highest {highest} of {valuesCount, plural, one {# run} other {# runs}}', {
    number: numberText(values.at(-1)!, data.Info),
    lowest: numberText(lowest, data.Info),
    highest: numberText(highest, data.Info),
    valuesCount: values.length,
  });
}
