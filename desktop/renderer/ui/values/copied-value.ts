import { dateFormatOf } from '#shared/codecs/date-format.ts';
import { isDate, type JsonCell } from '#shared/codecs/format-value.ts';
import { isoOfSerial } from '#shared/codecs/iso-serial.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import { TEXT, type CopiedValue } from '#renderer/ui/grid/copied-cells.ts';

/**
 * Returns the value of a cell for copying: a date if the cell shows one.
 * @param format Excel's number format
 */
export function copiedValue(cell: JsonCell | undefined, format = 'General', usage?: CellUsage): CopiedValue {
  if (typeof cell === 'boolean') return { kind: 'boolean', value: cell };
  if (typeof cell !== 'number') return TEXT;
  if (usage !== 'Date' && !isDate(format)) return { kind: 'number', value: cell, format };
  const iso = isoOfSerial(cell, dateFormatOf(format).kind);
  return iso === null ? { kind: 'number', value: cell, format: 'General' } : { kind: 'date', iso };
}
