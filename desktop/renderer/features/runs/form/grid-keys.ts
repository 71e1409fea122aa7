/** What a key does in an input grid while no cell is edited. */
import { moveSelection, type GridKey, type GridSelection, type GridSize } from './grid-selection.ts';

export type GridAction =
  | { kind: 'move'; selection: GridSelection }
  /** `text` is what replaces the cell; null edits what is in it. */
  | { kind: 'edit'; text: string | null }
  | { kind: 'clear' }
  | { kind: 'removeRows' }
  | { kind: 'insertRows' }
  | { kind: 'fillDown' }
  | { kind: 'fillRight' }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'find' }
  /** The menu of the column, to sort and filter by it. */
  | { kind: 'menu' }
  | { kind: 'toggle' };

export interface PressedKey extends GridKey {
  alt: boolean;
}

/** Null for keys the grid leaves to the browser, Tab and Ctrl+Enter among them. Keys are Excel's. */
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

/** Shift+Space takes the rows of the selection, Ctrl+Space its columns. */
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
  // With Shift the others are the browser's own: Ctrl+Shift+R loads the page anew.
  if (shift && name !== '+') return null;
  return Object.hasOwn(CTRL_KEYS, name) ? CTRL_KEYS[name]! : null;
}
