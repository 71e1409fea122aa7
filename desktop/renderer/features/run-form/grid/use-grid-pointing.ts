import { useRef, type MouseEvent, type PointerEvent } from 'react';
import { selectCell, type GridPosition } from './grid-selection.ts';
import type { GridEditing } from './use-grid-editing.ts';

interface Press {
  at: GridPosition;
  /** True if the cell was already selected and the grid had the focus. */
  wasSelected: boolean;
  hasDragged: boolean;
}

/**
 * A click selects; a click on the selected cell, a double-click or a tap starts editing; dragging and Shift+click
 * select a block. Editing starts on click and not on mousedown, for two reasons. Only then is it certain that nothing
 * is dragged. And on mousedown the browser focuses the grid, which would close the editor.
 */
export function useGridPointing(editing: GridEditing) {
  const press = useRef<Press | null>(null);
  const isTouch = useRef(false);
  return {
    onPointerDown: (event: PointerEvent) => {
      isTouch.current = event.pointerType === 'touch';
    },
    onMouseDown: (event: MouseEvent) => {
      const at = cellUnder(event);
      press.current = null;
      if (event.button !== 0 || isInEditor(event)) return;
      if (!at) {
        selectLine(event, editing);
        return;
      }
      const { active, anchor } = editing.selection;
      if (event.shiftKey) {
        press.current = { at: anchor, wasSelected: false, hasDragged: true };
        // If a cell is in edit, ending the edit selects that cell, so the new selection must come later.
        if (!editing.edited) editing.select({ anchor, active: at });
        return;
      }
      const wasSelected = isSame(active, at) && document.activeElement === event.currentTarget;
      press.current = { at, wasSelected, hasDragged: false };
      if (!editing.edited) editing.select(selectCell(at.row, at.col));
    },
    onMouseMove: (event: MouseEvent) => {
      const at = event.buttons === 1 && !editing.edited ? cellUnder(event) : null;
      if (!at || !press.current || (isSame(at, press.current.at) && !press.current.hasDragged)) return;
      press.current.hasDragged = true;
      if (!isSame(at, editing.selection.active)) editing.select({ anchor: press.current.at, active: at });
    },
    onClick: (event: MouseEvent) => {
      const at = cellUnder(event);
      const pressed = press.current;
      press.current = null;
      if (!at || !pressed || isInEditor(event)) return;
      if (pressed.hasDragged) editing.select({ anchor: pressed.at, active: at });
      else if (isTouch.current || pressed.wasSelected) editing.edit(at);
      else editing.select(selectCell(at.row, at.col));
    },
    onDoubleClick: (event: MouseEvent) => {
      const at = cellUnder(event);
      if (at && !editing.edited) editing.edit(at);
    },
  };
}

/** A click on a row heading selects the row, with Shift all rows up to it; likewise for columns. */
function selectLine(event: MouseEvent, { selection, rows, shape, select }: GridEditing): void {
  const target = event.target as HTMLElement;
  if (target.closest('button')) return;
  const line = target.closest<HTMLElement>('[data-line]')?.dataset['line'];
  const head = target.closest<HTMLElement>('[data-head]')?.dataset['head'];
  const { anchor } = selection;
  if (line !== undefined) {
    const row = Number(line);
    select({ anchor: { row: event.shiftKey ? anchor.row : row, col: 0 }, active: { row, col: shape.width - 1 } });
  } else if (head !== undefined && rows.length > 0) {
    const col = Number(head);
    select({ anchor: { row: 0, col: event.shiftKey ? anchor.col : col }, active: { row: rows.length - 1, col } });
  }
}

function cellUnder(event: MouseEvent): GridPosition | null {
  const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-row]');
  return cell ? { row: Number(cell.dataset['row']), col: Number(cell.dataset['col']) } : null;
}

/** The editor handles its own clicks. */
const isInEditor = (event: MouseEvent): boolean =>
  (event.target as HTMLElement).closest('.rs-input-grid-editor') !== null;

const isSame = (a: GridPosition, b: GridPosition): boolean => a.row === b.row && a.col === b.col;
