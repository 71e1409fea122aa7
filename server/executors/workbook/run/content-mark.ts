import { createHash } from 'node:crypto';
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';

const LENGTH = 8;

/**
 * Returns a short hash of the rows that a step has read, which shows whether two runs read the same rows in the same
 * order.
 */
export function contentMark(rows: readonly (readonly CellValue[])[]): string {
  const hash = createHash('sha256');
  for (const row of rows) {
    hash.update(
      JSON.stringify(row, (_key, value: unknown) => (value instanceof CellError ? { error: value.code } : value)),
    );
  }
  return hash.digest('hex').slice(0, LENGTH);
}
