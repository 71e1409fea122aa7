/** Texts that people of another region would read as another value. */
import { editText, readCellText, type CellKind } from './cell-text.ts';
import { readDate } from './read-date.ts';
import { readNumber } from './read-number.ts';
import { DAY_ORDERS, type TextRegion } from './text-region.ts';

export interface TwoReadings {
  /** As the workbook writes them: what the text was read as, and what it could be elsewhere. */
  value: string;
  other: string;
}

const COMMA: TextRegion = { Id: 'de-DE', Decimal: ',', Group: '.', DayOrder: 'dmy' };

/** Null for a text that has one reading, or none. */
export function twoReadings(text: string, kind: CellKind): TwoReadings | null {
  const { cell } = readCellText(text, kind);
  const value = typeof cell === 'number' ? cell : null;
  const other = value === null ? null : otherValue(text, kind, value);
  return other === null ? null : { value: editText(value, kind), other: editText(other, kind) };
}

function otherValue(text: string, kind: CellKind, value: number): number | null {
  if (kind.usage === 'Number') {
    const isComma = kind.region?.Decimal === ',';
    const other = readNumber(text, { format: kind.format, ...(isComma ? {} : { region: COMMA }) })?.value;
    return other === undefined || other === value ? null : other;
  }
  if (kind.usage !== 'Date') return null;
  const region = kind.region ?? COMMA;
  const others = DAY_ORDERS.map((DayOrder) => readDate(text, { format: kind.format, region: { ...region, DayOrder } }));
  return others.find((other) => other !== null && other.value !== value)?.value ?? null;
}
