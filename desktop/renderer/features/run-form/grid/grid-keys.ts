/** Maps keys to actions in an input grid while no cell is in edit. */
import { moveSelection, type GridKey, type GridSelection, type GridSize } from './grid-selection.ts';

export type GridAction =
  | { kind: 'move'; selection: GridSelection }
  /** `text` replaces the cell's content; null edits the existing content. */
  | { kind: 'edit'; text: string | null }
  | { kind: 'clear' }
  | { kind: 'removeRows' }
  | { kind: 'insertRows' }
  | { kind: 'fillDown' }
  | { kind: 'fillRight' }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'find' }
  /** Opens the column's menu for sorting and filtering. */
  | { kind: 'menu' }
  | { kind: 'toggle' };

export interface PressedKey extends GridKey {
  alt: boolean;
}

/**
 * Returns null for keys that the grid leaves to the browser, including Tab and Ctrl+Enter. The keys are those of Excel.
 */
export function gridAction(selection: GridSelection, pressed: PressedKey, size: GridSize): GridAction | null {
  const { key, ctrl, alt } = pressed;
  if (alt) return key === 'ArrowDown' ? { kind: 'menu' } : null;
  const moved = key === ' ' ? selectLine(selection, pressed, size) : moveSelection(selection, pressed, size);
  if (moved) return { kind: 'move', selection: moved };
  if (ctrl) return ctrlAction(pressed);
  if (key === 'Enter' || key === 'F2') return { kind: 'edit', text: null };
  if (key === 'Delete' || key === 'Backspace') return { kind: 'clear' };
  if (key === ' ') return { kind: 'toggle' };
  return key.length === 1 ? { kind: 'edit', text: key } : null;
}

/** Shift+Space selects the rows of the selection, Ctrl+Space its columns. */
function selectLine(
  { active, anchor }: GridSelection,
  { ctrl, shift }: PressedKey,
  size: GridSize,
): GridSelection | null {
  if (ctrl === shift) return null;
  return ctrl
    ? { anchor: { row: 0, col: anchor.col }, active: { row: size.rows - 1, col: active.col } }
    : { anchor: { row: anchor.row, col: 0 }, active: { row: active.row, col: size.cols - 1 } };
}

const CTRL_KEYS: Readonly<Record<string, GridAction>> = {
  delete: { kind: 'removeRows' },
  '-': { kind: 'removeRows' },
  '+': { kind: 'insertRows' },
  d: { kind: 'fillDown' },
  r: { kind: 'fillRight' },
  y: { kind: 'redo' },
  z: { kind: 'undo' },
  f: { kind: 'find' },
};

function ctrlAction({ key, shift }: PressedKey): GridAction | null {
  const name = key.toLowerCase();
  if (name === 'z' && shift) return { kind: 'redo' };
  // Other keys with Ctrl+Shift belong to the browser: Ctrl+Shift+R reloads the page.
  if (shift && name !== '+') return null;
  return Object.hasOwn(CTRL_KEYS, name) ? CTRL_KEYS[name]! : null;
}
