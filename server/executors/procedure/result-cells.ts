/**
 * Values that a procedure gives, as cells of outputs. Numbers are never rounded: what a cell cannot hold exactly is a text. Dates keep the
 * fraction of the second that a serial day holds.
 */
import { isFinerThanSerial } from '#shared/codecs/database-date.ts';
import { tableCell } from '#shared/codecs/table-value.ts';
import type { ProcedureCell, ProcedureType } from '#server/base/procedure-types.ts';

export type OutputCell = string | number | boolean | null;
export type OutputUsage = 'Number' | 'Text' | 'Date' | 'Boolean';

/** What an output of the type holds. A moment with an offset of its own is a text: a serial day would lose it. */
export function outputUsage({ kind, base }: Pick<ProcedureType, 'kind' | 'base'>): OutputUsage {
  if (kind === 'Date') return base === 'datetimeoffset' ? 'Text' : 'Date';
  return kind === 'Number' || kind === 'Boolean' ? kind : 'Text';
}

/** The number format in which such values are shown. */
export function outputFormat({ kind, base }: Pick<ProcedureType, 'kind' | 'base'>): string {
  return kind === 'Date' && base !== 'date' ? 'yyyy-mm-dd hh:mm:ss' : kind === 'Date' ? 'yyyy-mm-dd' : 'General';
}

export function outputCell(value: ProcedureCell, usage: OutputUsage): OutputCell {
  if (value === null) return null;
  if (typeof value === 'boolean') return usage === 'Boolean' ? value : value ? 'TRUE' : 'FALSE';
  if (typeof value !== 'string') return hexText(value);
  return tableCell(value, { FilterKind: usage });
}

/** Bytes in a cell. */
export const hexText = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex').toUpperCase()}`;

/** Whether the cell of a date holds less of its second than the database does. */
export const isRoundedDate = (value: ProcedureCell, cell: OutputCell): boolean =>
  typeof cell === 'number' && typeof value === 'string' && isFinerThanSerial(value);

/** Whether a value of the usage had to be left a text, as it has more digits than a number keeps or is no day that Excel knows. */
export const isLeftText = (cell: OutputCell, usage: OutputUsage): boolean =>
  typeof cell === 'string' && usage !== 'Text' && usage !== 'Boolean';
