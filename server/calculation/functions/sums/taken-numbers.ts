/** The numbers at the cells that meet criteria. */
import type { Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';
import { crossedCells } from './crossed-spans.ts';
import type { Matches } from './matches.ts';
import { addNumber, emptyColumn, numberColumn, type ShiftedColumn } from './number-column.ts';
import { cellsOf } from './ordered-column.ts';

/** Returns the cell numbers; for matches of kind 'positions' they count from `shift`. */
export function positionsOf(matches: Matches, context: CallContext): Int32Array {
  if (matches.kind === 'none') return new Int32Array(0);
  if (matches.kind === 'positions') return matches.positions;
  if (matches.kind === 'span') return cellsOf(matches.span, context);
  if (matches.kind === 'crossed') return crossedCells(matches.crossed, context);
  const { groups, group } = matches;
  return groups.positions.subarray(groups.starts[group]!, groups.starts[group + 1]!);
}

/**
 * If the formula itself is in the range, only the matching cells are read: the formula depends on itself only if its
 * own cell matches. Source: files of Excel, which calculates such formulas and does not treat them as circular
 * references.
 */
export function takenNumbers(
  matches: Matches,
  range: Range,
  context: CallContext,
): { matches: Matches; numbers: ShiftedColumn } {
  if (!standsIn(range, context)) return { matches, numbers: numberColumn(range, context) };
  const positions = positionsOf(matches, context);
  const before = matches.kind === 'positions' ? matches.shift : 0;
  const column = emptyColumn(positions.length);
  context.spend(positions.length);
  positions.forEach((position, index) => {
    const at = position - before;
    addNumber(column, index, range.at(Math.floor(at / range.cols), at % range.cols));
  });
  const extent = { rows: positions.length, cols: 1 };
  const all = Int32Array.from(positions, (_, index) => index);
  return {
    matches: { kind: 'positions', positions: all, shift: 0, extent, beyond: 0 },
    numbers: { column, shift: 0 },
  };
}

/** Returns true if the formula itself is in the range. */
export function standsIn({ sheet, top, left, rows, cols }: Range, context: CallContext): boolean {
  const { row, col } = context;
  return sheet === context.sheet && row >= top && row < top + rows && col >= left && col < left + cols;
}
