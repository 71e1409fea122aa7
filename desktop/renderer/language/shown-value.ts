/** Formats cell values for display in the user's region. */
import { formatCellValue, type JsonCell } from '#shared/codecs/format-value.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import { personRegion } from './region.ts';

/** @param format Excel's number format */
export const shownValue = (value: JsonCell | undefined, format?: string, usage?: CellUsage): string =>
  formatCellValue(value, format, usage, personRegion());
