/** Undo and redo of an input grid: values, rows, order, filters and widths. */
import type { GridRows } from './grid-rows.ts';
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

/** States share unchanged rows, so storing many is cheap. */
const MAX_UNDO_STATES = 100;

/** Records the state before a change, and clears the redo stack. */
export const remember = ({ past }: GridHistory, before: GridState): GridHistory => ({
  past: [...past.slice(1 - MAX_UNDO_STATES), before],
  future: [],
});

export interface Step {
  history: GridHistory;
  state: GridState;
}

/** Returns null if there is nothing to undo. */
export function undoStep({ past, future }: GridHistory, now: GridState): Step | null {
  const state = past.at(-1);
  return state ? { history: { past: past.slice(0, -1), future: [...future, now] }, state } : null;
}

/** Returns null if there is nothing to redo. */
export function redoStep({ past, future }: GridHistory, now: GridState): Step | null {
  const state = future.at(-1);
  return state ? { history: { past: [...past, now], future: future.slice(0, -1) }, state } : null;
}

/**
 * True if two states have the same values. Lists create new row objects for their cells each time, so identity is not
 * enough.
 */
export const hasSameCells = (a: GridRows, b: GridRows): boolean =>
  a === b ||
  (a.length === b.length &&
    a.every(
      (row, at) => row === b[at] || (row.length === b[at]!.length && row.every((cell, col) => cell === b[at]![col])),
    ));
