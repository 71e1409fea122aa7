/** Blank rows of a paste: as rows of a grid they would only be reported as rows without values. */
import { isBlankLine } from '#shared/rules/blank-rows.ts';
import { isUntouched, type GridRows, type GridShape } from '../grid-rows.ts';

type Lines = readonly (readonly string[])[];

export interface KeptLines {
  lines: Lines;
  /** How many blank lines between others were skipped. Those at the end are not counted. */
  left: number;
}

/**
 * The lines to paste. `target` says where all of them would go. Blank lines stay where rows have fixed places, where a blank row is a value, and
 * where columns beside the pasted ones have values: leaving a line out would put the following ones beside the wrong values.
 */
export function withoutBlankLines(
  rows: GridRows,
  copied: Lines,
  target: { lines: readonly number[]; columns: readonly number[] },
  shape: GridShape,
): KeptLines {
  if (!shape.rowsVariable) return { lines: copied, left: 0 };
  const last = copied.findLastIndex((line) => !isBlankLine(line));
  // Blank cells alone clear what stands there, and make no rows.
  if (last < 0) return firstLines(copied, Math.max(1, existingLines(rows, target.lines)));
  if (shape.keepsBlankRows || hasValuesBeside(rows, target))
    return firstLines(copied, Math.max(last + 1, existingLines(rows, target.lines)));
  const lines = copied.filter((line) => !isBlankLine(line));
  return lines.length === copied.length ? { lines: copied, left: 0 } : { lines, left: last + 1 - lines.length };
}

const firstLines = (copied: Lines, count: number): KeptLines => ({
  lines: count >= copied.length ? copied : copied.slice(0, count),
  left: 0,
});

/** How many of the lines go into rows that are there. */
const existingLines = (rows: GridRows, lines: readonly number[]): number =>
  lines.filter((row) => row < rows.length).length;

function hasValuesBeside(
  rows: GridRows,
  { lines, columns }: { lines: readonly number[]; columns: readonly number[] },
): boolean {
  const pasted = new Set(columns);
  return lines.some((row) => row < rows.length && !isUntouched(rows[row]!.filter((_, col) => !pasted.has(col))));
}
