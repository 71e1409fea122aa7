/**
 * Converts procedure results to cells of outputs. Numbers are never rounded: a number that a cell cannot hold exactly
 * becomes a text. Dates retain as many fractional digits of the second as a serial date holds.
 */
import { isFinerThanSerial } from '#shared/codecs/database-date.ts';
import { tableCell } from '#shared/codecs/table-value.ts';
import type { ProcedureCell, ProcedureType } from '#server/base/procedure-types.ts';

export type OutputCell = string | number | boolean | null;
export type OutputUsage = 'Number' | 'Text' | 'Date' | 'Boolean';

/**
 * Returns what an output of the type holds. A timestamp with its own offset is a text, because a serial date would lose
 * the offset.
 */
export function outputUsage({ kind, base }: Pick<ProcedureType, 'kind' | 'base'>): OutputUsage {
  if (kind === 'Date') return base === 'datetimeoffset' ? 'Text' : 'Date';
  return kind === 'Number' || kind === 'Boolean' ? kind : 'Text';
}

/** Returns the number format that displays such values. */
export function outputFormat({ kind, base }: Pick<ProcedureType, 'kind' | 'base'>): string {
  return kind === 'Date' && base !== 'date' ? 'yyyy-mm-dd hh:mm:ss' : kind === 'Date' ? 'yyyy-mm-dd' : 'General';
}

export function outputCell(value: ProcedureCell, usage: OutputUsage): OutputCell {
  if (value === null) return null;
  if (typeof value === 'boolean') return usage === 'Boolean' ? value : value ? 'TRUE' : 'FALSE';
  if (typeof value !== 'string') return hexText(value);
  return tableCell(value, { FilterKind: usage });
}

/** Returns bytes as the text of a cell. */
export const hexText = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex').toUpperCase()}`;

/** Returns true if a date cell holds fewer fractional digits of the second than the database value. */
export const isRoundedDate = (value: ProcedureCell, cell: OutputCell): boolean =>
  typeof cell === 'number' && typeof value === 'string' && isFinerThanSerial(value);

/**
 * Returns true if a value had to remain a text: it has more digits than a number holds, or it is a date that Excel does
 * not support.
 */
export const isStoredAsText = (cell: OutputCell, usage: OutputUsage): boolean =>
  typeof cell === 'string' && usage !== 'Text' && usage !== 'Boolean';
