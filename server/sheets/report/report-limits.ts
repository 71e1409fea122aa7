/** Limits of reports. They bound the time and the memory that a single PDF file costs. */
import type { ReportValue } from './report-values.ts';

export const MAX_CELLS = 50_000;
export const MAX_CHARACTERS = 1_000_000;
/** Maximum length of the values as JSON. Values within the other limits are shorter. */
export const MAX_JSON_LENGTH = 8_000_000;

/** The report of the run exceeds a limit. */
export class ReportTooLargeError extends Error {
  constructor() {
    super('The report is too large');
    this.name = 'ReportTooLargeError';
  }
}

/** Throws a ReportTooLargeError if the values have too many cells. */
export function checkCells(values: readonly ReportValue[]): void {
  const cells = values.reduce(
    (sum, { table }) => sum + (table ? (table.rows.length + 1) * table.columns.length : 1),
    0,
  );
  if (cells > MAX_CELLS) throw new ReportTooLargeError();
}
