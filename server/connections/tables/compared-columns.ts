/** Columns as conditions name them. */
import type { ConditionColumn } from '#shared/codecs/condition-columns.ts';
import type { CatalogColumn, ColumnStorage } from './types.ts';

/** What databases compare with bound values of these kinds as everybody expects. */
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

/** Those of the columns that a condition may name, each by the kind that the database holds. */
export const comparedColumns = (columns: readonly CatalogColumn[]): ConditionColumn[] =>
  columns
    .filter(isCompared)
    .map(({ name, kind, storage }) => ({ Name: name, Kind: kind, ...(storage === 'money' ? { IsMoney: true } : {}) }));
