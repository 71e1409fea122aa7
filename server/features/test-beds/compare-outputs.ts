/** Compares outputs with those that a case expects, cell by cell. */
import { sameValue } from '#server/calculation/compare-values.ts';
import { cellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import type { CellDifference, ExpectedOutput } from '#shared/contract/test-beds.ts';

export interface ActualOutput {
  Name: string;
  /** Titles of the columns; empty if there are none. */
  columns: readonly string[];
  /** JSON text; null if there is no value. */
  Value: string | null;
}

/** Maximum length of cell texts in differences. */
const MAX_TEXT_LENGTH = 200;

export function compareOutput(expected: ExpectedOutput, actual: ActualOutput | undefined): CellDifference[] {
  const { Name: Output } = expected;
  if (!actual) return [{ Output, Cell: '', Expected: shown(parse(expected.Value)), Actual: 'There is no such output' }];
  const wanted = rowsOf(parse(expected.Value));
  const got = rowsOf(actual.Value === null ? null : parse(actual.Value));
  if (wanted.isSingle && got.isSingle) return differenceOf(expected, '', wanted.rows[0]![0], got.rows[0]![0]);
  const differences: CellDifference[] = [];
  for (let row = 0; row < Math.max(wanted.rows.length, got.rows.length); row += 1) {
    const [left, right] = [wanted.rows[row], got.rows[row]];
    if (!left || !right) {
      const texts = [left, right].map((cells) => (cells ? shown(cells) : 'no such row'));
      differences.push({ Output, Cell: `row ${row + 1}`, Expected: texts[0]!, Actual: texts[1]! });
      continue;
    }
    for (let col = 0; col < Math.max(left.length, right.length); col += 1) {
      const title = actual.columns[col];
      const cell = `row ${row + 1}, ${title ? `column ${title}` : `column ${col + 1}`}`;
      differences.push(...differenceOf(expected, cell, left[col], right[col]));
    }
  }
  return differences;
}

function differenceOf(
  { Name, Tolerance, RelativeTolerance }: ExpectedOutput,
  Cell: string,
  expected: unknown,
  actual: unknown,
): CellDifference[] {
  const [wanted, got] = [cellOf(expected), cellOf(actual)];
  if (sameValue(wanted, got)) return [];
  if (typeof wanted === 'number' && typeof got === 'number') {
    const allowed = Tolerance + RelativeTolerance * Math.abs(wanted);
    // A difference of exactly the tolerance is accepted despite the rounding error of subtracting doubles.
    if (allowed > 0 && Math.abs(wanted - got) <= allowed * (1 + 1e-9)) return [];
  }
  return [{ Output: Name, Cell, Expected: shown(expected), Actual: shown(actual) }];
}

const parse = (json: string): unknown => JSON.parse(json) as unknown;

function rowsOf(value: unknown): { rows: unknown[][]; isSingle: boolean } {
  if (!Array.isArray(value)) return { rows: [[value]], isSingle: true };
  const rows = (value as unknown[]).map((row) => (Array.isArray(row) ? (row as unknown[]) : [row]));
  return { rows, isSingle: false };
}

function cellOf(value: unknown): CellValue {
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return value;
  const code = errorOf(value);
  return code === null ? null : (cellError(code) ?? code);
}

function errorOf(value: unknown): string | null {
  const { error } = (value ?? {}) as { error?: unknown };
  return typeof error === 'string' ? error : null;
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'blank';
  const text = typeof value === 'object' ? (errorOf(value) ?? JSON.stringify(value)) : String(value as string | number);
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
