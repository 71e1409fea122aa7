/** Texts that people of another region would read as another value. */
import { readCellText, type CellKind } from './cell-text.ts';
import { readDate } from './read-date.ts';
import { readNumber } from './read-number.ts';
import { DAY_ORDERS, type TextRegion } from './text-region.ts';

export interface TwoReadings {
  /** What the text was read as, and what it could be elsewhere. */
  value: number;
  other: number;
}

const COMMA: TextRegion = { Id: 'de-DE', Decimal: ',', Group: '.', DayOrder: 'dmy' };

/** Told at a glance of most texts of a file, as to read each of them twice takes as long as the rest of their check: three digits behind a mark. */
const MAYBE_THOUSANDS = /[.,]\d{3}(?!\d)/;
/** The same of dates: two short numbers first. */
const MAYBE_DAY_OR_MONTH = /^\s*\d{1,2}\D+\d{1,2}\D/;

/** Null for a text that has one reading, or none. */
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

/** The own order of the region has been read already. */
function otherDate(text: string, format: string, region: TextRegion, value: number): number | null {
  for (const DayOrder of DAY_ORDERS) {
    if (DayOrder === region.DayOrder) continue;
    const other = readDate(text, { format, region: { ...region, DayOrder } });
    if (other !== null && other.value !== value) return other.value;
  }
  return null;
}
