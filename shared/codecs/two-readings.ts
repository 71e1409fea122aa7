/** Finds texts that users of another region would read as a different value. */
import { readCellText, type CellKind } from './cell-text.ts';
import { readDate } from './read-date.ts';
import { readNumber } from './read-number.ts';
import { DAY_ORDERS, type TextRegion } from './text-region.ts';

export interface TwoReadings {
  /** How the text was interpreted, and what it could mean elsewhere. */
  value: number;
  other: number;
}

const COMMA: TextRegion = { Id: 'de-DE', Decimal: ',', Group: '.', DayOrder: 'dmy' };

/**
 * Quickly excludes most texts of a file, because parsing each twice would double the time of the check: only texts with
 * three digits after a separator can be ambiguous.
 */
const MAYBE_THOUSANDS = /[.,]\d{3}(?!\d)/;
/** The same for dates: only texts that start with two short numbers can be ambiguous. */
const MAYBE_DAY_OR_MONTH = /^\s*\d{1,2}\D+\d{1,2}\D/;

/** Returns null if the text has one interpretation, or none. */
export function twoReadings(text: string, kind: CellKind): TwoReadings | null {
  if (!(kind.usage === 'Date' ? MAYBE_DAY_OR_MONTH : MAYBE_THOUSANDS).test(text)) return null;
  const { cell } = readCellText(text, kind);
  const value = typeof cell === 'number' ? cell : null;
  const other = value === null ? null : otherValue(text, kind, value);
  return value === null || other === null ? null : { value, other };
}

function otherValue(text: string, { usage, format, region }: CellKind, value: number): number | null {
  if (usage === 'Number') {
    const isComma = region?.Decimal === ',';
    const other = readNumber(text, { format, ...(isComma ? {} : { region: COMMA }) })?.value;
    return other === undefined || other === value ? null : other;
  }
  return usage === 'Date' ? otherDate(text, format, region ?? COMMA, value) : null;
}

/** Skips the region's own order, which has already been tried. */
function otherDate(text: string, format: string, region: TextRegion, value: number): number | null {
  for (const DayOrder of DAY_ORDERS) {
    if (DayOrder === region.DayOrder) continue;
    const other = readDate(text, { format, region: { ...region, DayOrder } });
    if (other !== null && other.value !== value) return other.value;
  }
  return null;
}
