/** Explains how the texts of a file were interpreted, if other regions would read them as other values. */
import type { DayOrder, TextRegion } from '#shared/codecs/text-region.ts';
import type { BatchReading, BatchReadings } from '#shared/contract/batches.ts';
import { t } from '#renderer/language/translate.ts';

/** Returns one line for numbers and one for dates, as far as the file has such texts. */
export function readingTexts({ Region, Numbers, Dates }: BatchReadings): string[] {
  const texts: string[] = [];
  if (Numbers) texts.push(`${numbersText(Region)} ${exampleText(Numbers)}`);
  if (Dates) texts.push(`${datesText(Region)} ${exampleText(Dates)}`);
  return texts;
}

function numbersText(region: TextRegion | null): string {
  const sample = region ? `1${region.Group}234${region.Decimal}5` : '1,234.5';
  return region
    ? t('Numbers are read in the format of the workbook, {sample}.', { sample })
    : t('Numbers are read as {sample} because the activity does not specify a format.', { sample });
}

function datesText(region: TextRegion | null): string {
  const order = orderText(region?.DayOrder ?? 'dmy');
  return region
    ? t('Dates are read in the format of the workbook, {order}.', { order })
    : t('Dates are read as {order} because the activity does not specify a format.', { order });
}

const orderText = (order: DayOrder): string =>
  ({ dmy: t('day/month/year'), mdy: t('month/day/year'), ymd: t('year/month/day') })[order];

function exampleText({ Cell, Text, Value, Other, More }: BatchReading): string {
  const example = { text: Text, cell: Cell, value: Value, other: Other };
  if (More === 0) return t('{text} in {cell} is read as {value}, not as {other}.', example);
  return t(
    '{text} in {cell} is read as {value}, not as {other}; {more, plural, one {one more cell} other {# more cells}} could also be read differently.',
    { ...example, more: More },
  );
}
