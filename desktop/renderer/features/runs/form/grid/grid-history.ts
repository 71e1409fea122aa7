/** What Ctrl+Z takes back in an input grid and Ctrl+Y does again: values, rows, order, filters, widths. */
import type { GridRows } from '../grid-rows.ts';
import type { GridLayout } from './grid-layout.ts';

export interface GridState {
  rows: GridRows;
  layout: GridLayout;
}

export interface GridHistory {
  past: readonly GridState[];
  future: readonly GridState[];
}

export const NO_HISTORY: GridHistory = { past: [], future: [] };

/** Rows that did not change are the same objects in all of them, so that many cost little. */
const MOST_UNDONE = 100;

/** After a change from `before`: nothing that was taken back can be done again. */
export const remember = ({ past }: GridHistory, before: GridState): GridHistory => ({
  past: [...past.slice(1 - MOST_UNDONE), before],
  future: [],
});

export interface Step {
  history: GridHistory;
  state: GridState;
}

/** Null where there is nothing to take back. */
export function undoStep({ past, future }: GridHistory, now: GridState): Step | null {
  const state = past.at(-1);
  return state ? { history: { past: past.slice(0, -1), future: [...future, now] }, state } : null;
}

/** Null where nothing was taken back. */
export function redoStep({ past, future }: GridHistory, now: GridState): Step | null {
  const state = future.at(-1);
  return state ? { history: { past: [...past, now], future: future.slice(0, -1) }, state } : null;
}

/** Whether two states have the same values: lists make new rows of their cells each time. */
export const hasSameCells = (a: GridRows, b: GridRows): boolean =>
  a === b ||
  (a.length === b.length &&
    a.every(
      (row, at) => row === b[at] || (row.length === b[at]!.length && row.every((cell, col) => cell === b[at]![col])),
    ));
