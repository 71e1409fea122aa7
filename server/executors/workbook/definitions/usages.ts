/** Infers value types from validations, number formats and saved values. */
import type { ValueKind } from '#server/calculation/kinds/value-kind.ts';
import type { DataValidation } from '#server/calculation/reader/workbook-model.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { isDate } from '#shared/codecs/format-value.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import type { SavedCell } from './cell-view.ts';
import type { ListItems } from './list-items.ts';

/** Returns the usage of similar cells; Text if nothing reveals it. */
export function usageOf(
  cells: readonly SavedCell[],
  validation: DataValidation | null,
  list: ListItems | null,
): CellUsage {
  return saidUsage(cells, validation, list) ?? 'Text';
}

/**
 * Returns the type that similar cells reveal themselves. In this order: what the validation demands, the format Text,
 * the values, the number format, and a validation of the text length, which numbers may have too. Returns null if
 * nothing reveals it.
 */
export function saidUsage(
  cells: readonly SavedCell[],
  validation: DataValidation | null,
  list: ListItems | null,
): ValueKind | null {
  const format = formatOf(cells);
  const byRule = validationUsage(validation, list);
  // Bounds of durations and dates are often entered as numbers, but the values typed there are still dates.
  if (byRule) return byRule === 'Number' && formatUsage(format) === 'Date' ? 'Date' : byRule;
  if (format === '@') return 'Text';
  const values = cells.map(({ value }) => value).filter(isEvidence);
  if (values.some((value) => typeof value === 'string')) return 'Text';
  if (values.length > 0 && values.every((value) => typeof value === 'boolean')) return 'Boolean';
  if (values.length > 0 && !values.every((value) => typeof value === 'number')) return 'Text';
  return formatUsage(format) ?? (values.length > 0 ? 'Number' : validation?.type === 'textLength' ? 'Text' : null);
}

/** Returns the type a number format displays; null for General and other formats that fit any value. */
export function formatUsage(format: string): ValueKind | null {
  if (format === '@') return 'Text';
  if (isDate(format)) return 'Date';
  return isNumberFormat(format) ? 'Number' : null;
}

/** Returns the number format of similar cells: that of the first cell that has one. */
export function formatOf(cells: readonly SavedCell[]): string {
  return cells.find(({ format, value }) => format !== 'General' && value !== null)?.format ?? firstFormat(cells);
}

const firstFormat = (cells: readonly SavedCell[]): string =>
  cells.find(({ format }) => format !== 'General')?.format ?? 'General';

/** Formulas return '' for blank, and an error reveals nothing about the type. */
const isEvidence = (value: CellValue): boolean => value !== null && value !== '' && !(value instanceof CellError);

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

/** Returns the maximum number of characters that a validation of the text length allows; null if it sets no limit. */
export function maxLengthOf(validation: DataValidation | null): number | null {
  if (validation?.type !== 'textLength' || validation.alert !== 'stop' || !validation.showsError) return null;
  const upper = ['between'].includes(validation.operator) ? validation.formula2 : validation.formula1;
  const limit = /^\d+$/.test(upper.trim()) ? Number(upper) : null;
  if (limit === null) return null;
  if (['between', 'equal', 'lessThanOrEqual'].includes(validation.operator)) return limit > 0 ? limit : null;
  return validation.operator === 'lessThan' && limit > 1 ? limit - 1 : null;
}
