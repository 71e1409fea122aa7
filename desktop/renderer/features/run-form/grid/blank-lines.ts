/** Removes blank rows from a paste. As grid rows, they would only be reported as rows without values. */
import { isBlankLine } from '#shared/rules/blank-rows.ts';
import { isUntouched, type GridRows, type GridShape } from './grid-rows.ts';

type Lines = readonly (readonly string[])[];

export interface NonBlankLines {
  lines: Lines;
  /** Number of skipped blank lines between others; trailing blank lines are not counted. */
  skipped: number;
}

/**
 * Returns the lines to paste. `target` is where all lines would go. Blank lines stay if rows have fixed positions, if a
 * blank row is a value, or if neighboring columns have values. Without them, the following lines would end up beside
 * the wrong values.
 */
export function withoutBlankLines(
  rows: GridRows,
  copied: Lines,
  target: { lines: readonly number[]; columns: readonly number[] },
  shape: GridShape,
): NonBlankLines {
  if (!shape.rowsVariable) return { lines: copied, skipped: 0 };
  const last = copied.findLastIndex((line) => !isBlankLine(line));
  // A paste of only blank cells clears existing cells and adds no rows.
  if (last < 0) return firstLines(copied, Math.max(1, existingLines(rows, target.lines)));
  if (shape.countsBlankRows || hasValuesBeside(rows, target))
    return firstLines(copied, Math.max(last + 1, existingLines(rows, target.lines)));
  const lines = copied.filter((line) => !isBlankLine(line));
  return lines.length === copied.length ? { lines: copied, skipped: 0 } : { lines, skipped: last + 1 - lines.length };
}

const firstLines = (copied: Lines, count: number): NonBlankLines => ({
  lines: count >= copied.length ? copied : copied.slice(0, count),
  skipped: 0,
});

/** Returns how many of the lines go into existing rows. */
const existingLines = (rows: GridRows, lines: readonly number[]): number =>
  lines.filter((row) => row < rows.length).length;

function hasValuesBeside(
  rows: GridRows,
  { lines, columns }: { lines: readonly number[]; columns: readonly number[] },
): boolean {
  const pasted = new Set(columns);
  return lines.some((row) => row < rows.length && !isUntouched(rows[row]!.filter((_, col) => !pasted.has(col))));
}
