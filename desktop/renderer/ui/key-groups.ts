/** The keys of parts that stand on several pages. */
import type { KeyGroup } from './page-keys.ts';

export const TABLE_KEYS: KeyGroup = {
  title: 'Tables',
  keys: [
    { keys: 'Arrows, Page Up, Page Down, Home, End', does: 'Move between the cells' },
    { keys: 'Shift+arrows', does: 'Select several cells' },
    { keys: 'Ctrl+C', does: 'Copy the selected cells' },
    { keys: 'Enter', does: 'Open the row, or go to the buttons in the cell' },
    { keys: 'Escape', does: 'Go back from the buttons to the cell' },
  ],
};

export const LIST_KEYS: KeyGroup = {
  title: 'List',
  keys: [{ keys: 'Arrow up, Arrow down', does: 'Go to the row above or below' }],
};

export const FORM_KEYS: KeyGroup = {
  title: 'Form',
  keys: [{ keys: 'Ctrl+Enter', does: 'Start' }],
};

export const INPUT_GRID_KEYS: KeyGroup = {
  title: 'Grids to fill in',
  keys: [
    { keys: 'Enter, F2', does: 'Edit the cell' },
    { keys: 'Delete', does: 'Empty the selected cells' },
    { keys: 'Ctrl+C, Ctrl+X, Ctrl+V', does: 'Copy, cut, paste' },
    { keys: 'Ctrl+D, Ctrl+R', does: 'Fill down, fill to the right' },
    { keys: 'Ctrl+Plus, Ctrl+Minus', does: 'Insert or delete rows' },
    { keys: 'Shift+Space, Ctrl+Space', does: 'Select the rows, the columns' },
    { keys: 'Ctrl+Z, Ctrl+Y', does: 'Undo, redo' },
    { keys: 'Ctrl+F', does: 'Find' },
    { keys: 'Alt+Arrow down', does: 'Sort and filter by the column' },
  ],
};
