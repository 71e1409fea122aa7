/** Converts cell values to values for database columns. */
import type { SqlParameter } from '#shared/codecs/query-text.ts';
import { dateOfSerial } from '#shared/codecs/condition-sql.ts';
import { parseNumber } from '#shared/codecs/number-text.ts';
import { parseSerialDate } from '#shared/codecs/serial-date.ts';

export type ColumnKind = 'Text' | 'Number' | 'Boolean' | 'Date';
type Cell = string | number | boolean | null;

export interface CatalogColumn {
  name: string;
  kind: ColumnKind;
  nullable: boolean;
}

/**
 * Returns the value for a column of this kind, or a message about the problem with it. `isDate` is true if the cell
 * shows its number as a date.
 */
export function columnValue(cell: Cell, kind: ColumnKind, isDate: boolean): SqlParameter | { problem: string } {
  if (cell === null || (cell === '' && kind !== 'Text')) return null;
  switch (kind) {
    case 'Number':
      return numberOf(cell);
    case 'Date':
      return dateOf(cell);
    case 'Boolean':
      return booleanOf(cell);
    case 'Text':
      return textOf(cell, isDate);
  }
}

const shown = (cell: Cell): string => `'${String(cell).slice(0, 60)}'`;

function numberOf(cell: Exclude<Cell, null>): SqlParameter | { problem: string } {
  if (typeof cell === 'number') return cell;
  const value = typeof cell === 'string' ? parseNumber(cell) : null;
  return value ?? { problem: `${shown(cell)} is not a number` };
}

function dateOf(cell: Exclude<Cell, null>): SqlParameter | { problem: string } {
  const serial = typeof cell === 'string' ? parseSerialDate(cell) : typeof cell === 'number' ? cell : null;
  const date = serial === null ? null : dateOfSerial(serial);
  return date ?? { problem: `${shown(cell)} is not a date` };
}

function booleanOf(cell: Exclude<Cell, null>): SqlParameter | { problem: string } {
  if (typeof cell === 'boolean') return cell;
  const text = String(cell).trim().toLowerCase();
  if (['true', 'yes', '1'].includes(text)) return true;
  return ['false', 'no', '0'].includes(text) ? false : { problem: `${shown(cell)} is neither true nor false` };
}

function textOf(cell: Exclude<Cell, null>, isDate: boolean): string {
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  if (typeof cell === 'string') return cell;
  const date = isDate ? dateOfSerial(cell) : null;
  return date
    ? date.toISOString().replace('T', ' ').replace('.000Z', '').replace('Z', '').replace(' 00:00:00', '')
    : String(cell);
}
