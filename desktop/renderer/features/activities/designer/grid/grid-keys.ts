import type { KeyboardEvent } from 'react';
import { dataEdge } from './data-edge.ts';
import type { GridView } from './grid-view.ts';
import { arrowStep, moveFrom, selectionAt, selectionOf, type Selection } from './selection.ts';

interface KeyOptions {
  view: GridView;
  selection: Selection;
  select: (selection: Selection) => void;
  /** Selects, and scrolls the end of the selection into view. */
  go: (selection: Selection) => void;
  /** Handles a key that the grid does not use. Returns true if it was handled. */
  onKey: (event: KeyboardEvent<HTMLElement>) => boolean;
  /** Number of visible rows. */
  page: number;
}

/**
 * Moves by the keys of Excel: arrows, Ctrl+arrow to the edge of the data, Page Up/Down, Home and End. Shift extends the
 * selection.
 */
export function moveByKey(event: KeyboardEvent<HTMLElement>, options: KeyOptions): void {
  const { view, selection, select, go, onKey, page } = options;
  const { layout, cells, sheet } = view;
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  const ctrl = ctrlKey || metaKey;
  if (altKey) return;
  const from = shiftKey ? selection.head : selection.active;
  const arrive = (to: typeof from): void => go(shiftKey ? { active: selection.active, head: to } : selectionAt(to));
  const step = ctrl ? arrowStep(key, layout.isRightToLeft) : null;
  const to = moveFrom(from, { key, ctrl }, layout, { page });
  if (step) void dataEdge(from, step, { layout, cells, sheet }).then(arrive);
  else if (to) arrive(to);
  else if (ctrl && key.toLowerCase() === 'a')
    select(selectionOf({ top: 0, left: 0, bottom: layout.usedRows - 1, right: layout.usedCols - 1 }));
  else if (!onKey(event)) return;
  event.preventDefault();
  event.stopPropagation();
}
