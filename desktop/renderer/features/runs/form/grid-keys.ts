/** What a key does in an input grid while no cell is edited. */
import { moveSelection, type GridKey, type GridSelection, type GridSize } from './grid-selection.ts';

export type GridAction =
  | { kind: 'move'; selection: GridSelection }
  /** `text` is what replaces the cell; null edits what is in it. */
  | { kind: 'edit'; text: string | null }
  | { kind: 'clear' }
  | { kind: 'removeRows' }
  | { kind: 'undo' }
  | { kind: 'toggle' };

export interface PressedKey extends GridKey {
  alt: boolean;
}

/** Null for keys the grid leaves to the browser, Tab and Ctrl+Enter among them. */
export function gridAction(selection: GridSelection, pressed: PressedKey, size: GridSize): GridAction | null {
  const { key, ctrl, alt } = pressed;
  if (alt) return null;
  const moved = moveSelection(selection, pressed, size);
  if (moved) return { kind: 'move', selection: moved };
  if (ctrl) return ctrlAction(key);
  if (key === 'Enter' || key === 'F2') return { kind: 'edit', text: null };
  if (key === 'Delete' || key === 'Backspace') return { kind: 'clear' };
  if (key === ' ') return { kind: 'toggle' };
  return key.length === 1 ? { kind: 'edit', text: key } : null;
}

function ctrlAction(key: string): GridAction | null {
  if (key === 'Delete' || key === '-') return { kind: 'removeRows' };
  return key.toLowerCase() === 'z' ? { kind: 'undo' } : null;
}
