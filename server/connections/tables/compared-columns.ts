/** Columns that conditions can name. */
import type { ConditionColumn } from '#shared/codecs/condition-columns.ts';
import type { CatalogColumn, ColumnStorage } from './types.ts';

/** Storage types that databases compare with bound values as expected. */
const COMPARED: readonly ColumnStorage[] = [
  'text',
  'narrowText',
  'exactNumber',
  'money',
  'float',
  'date',
  'dateTime',
  'boolean',
];

export const isCompared = ({ storage }: CatalogColumn): boolean => COMPARED.includes(storage);

/** Returns the columns that a condition may name, each with its kind in the database. */
export const comparedColumns = (columns: readonly CatalogColumn[]): ConditionColumn[] =>
  columns
    .filter(isCompared)
    .map(({ name, kind, storage }) => ({ Name: name, Kind: kind, ...(storage === 'money' ? { IsMoney: true } : {}) }));
