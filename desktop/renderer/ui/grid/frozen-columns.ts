/** Which columns of a grid do not scroll. */
import type { GridColumn } from './grid-model.ts';

/** From this number of columns on, the first one is frozen until the person chooses otherwise. */
const MANY_COLUMNS = 10;
/** Maximum share of the grid for frozen columns, so that the scrolling ones keep enough space. */
const MAX_SHARE = 0.5;

export interface FrozenColumns {
  /** Number of columns at the left that do not scroll. */
  count: number;
  /** Number of columns that the person can freeze: the first one with text, and those before it. 0 if all fit. */
  offered: number;
}

/** @param chosen what the person chose; undefined if they have not */
export function frozenColumns(
  columns: readonly Pick<GridColumn<unknown>, 'isActions'>[],
  widths: readonly number[],
  available: number,
  chosen: number | undefined,
): FrozenColumns {
  const isOverflowing = widths.reduce((sum, width) => sum + width, 0) > available;
  const offered = columns.findIndex(({ isActions }) => !isActions) + 1;
  const frozenWidth = widths.slice(0, offered).reduce((sum, width) => sum + width, 0);
  if (!isOverflowing || offered === 0 || frozenWidth > available * MAX_SHARE) return { count: 0, offered: 0 };
  const isFrozen = chosen === undefined ? columns.length >= MANY_COLUMNS : chosen > 0;
  return { count: isFrozen ? offered : 0, offered };
}
