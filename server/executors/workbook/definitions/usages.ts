/** Kinds of values, from validations, number formats and saved values. */
import type { ValueKind } from '#server/calculation/kinds/value-kind.ts';
import type { DataValidation } from '#server/calculation/reader/workbook-model.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { isDate } from '#shared/codecs/format-value.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import type { SavedCell } from './cell-view.ts';
import type { ListItems } from './list-items.ts';

/** The usage of cells that are alike, Text where nothing speaks. */
export function usageOf(
  cells: readonly SavedCell[],
  validation: DataValidation | null,
  list: ListItems | null,
): CellUsage {
  return saidUsage(cells, validation, list) ?? 'Text';
}

/**
 * What cells that are alike say themselves. In this order: what the validation demands, the format Text, the values, the
 * number format, a validation of the length, which numbers have too; null where nothing speaks.
 */
export function saidUsage(
  cells: readonly SavedCell[],
  validation: DataValidation | null,
  list: ListItems | null,
): ValueKind | null {
  const format = formatOf(cells);
  const byRule = validationUsage(validation, list);
  // Bounds of durations and days are often said as numbers: what is typed there is a day all the same.
  if (byRule) return byRule === 'Number' && formatUsage(format) === 'Date' ? 'Date' : byRule;
  if (format === '@') return 'Text';
  const values = cells.map(({ value }) => value).filter(isTelling);
  if (values.some((value) => typeof value === 'string')) return 'Text';
  if (values.length > 0 && values.every((value) => typeof value === 'boolean')) return 'Boolean';
  if (values.length > 0 && !values.every((value) => typeof value === 'number')) return 'Text';
  return formatUsage(format) ?? (values.length > 0 ? 'Number' : validation?.type === 'textLength' ? 'Text' : null);
}

/** What a number format shows; null for General and others that take any value. */
export function formatUsage(format: string): ValueKind | null {
  if (format === '@') return 'Text';
  if (isDate(format)) return 'Date';
  return isNumberFormat(format) ? 'Number' : null;
}

/** The number format of cells that are alike: that of the first one that has one. */
export function formatOf(cells: readonly SavedCell[]): string {
  return cells.find(({ format, value }) => format !== 'General' && value !== null)?.format ?? firstFormat(cells);
}

const firstFormat = (cells: readonly SavedCell[]): string =>
  cells.find(({ format }) => format !== 'General')?.format ?? 'General';

/** Formulas say '' where they mean blank; an error says nothing of the kind of value. */
const isTelling = (value: CellValue): boolean => value !== null && value !== '' && !(value instanceof CellError);

const isNumberFormat = (format: string): boolean => /[0#?]/.test(format.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, ''));

function validationUsage(validation: DataValidation | null, list: ListItems | null): ValueKind | null {
  switch (validation?.type) {
    case 'whole':
    case 'decimal':
      return 'Number';
    case 'date':
    case 'time':
      return 'Date';
    case 'list':
      return list?.usage ?? null;
    default:
      return null;
  }
}

/** Most characters a validation of the text's length lets through, null where it sets none. */
export function maxLengthOf(validation: DataValidation | null): number | null {
  if (validation?.type !== 'textLength' || validation.alert !== 'stop' || !validation.showsError) return null;
  const upper = ['between'].includes(validation.operator) ? validation.formula2 : validation.formula1;
  const limit = /^\d+$/.test(upper.trim()) ? Number(upper) : null;
  if (limit === null) return null;
  if (['between', 'equal', 'lessThanOrEqual'].includes(validation.operator)) return limit > 0 ? limit : null;
  return validation.operator === 'lessThan' && limit > 1 ? limit - 1 : null;
}
