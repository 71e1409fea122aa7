/** Keyboard shortcuts of components used on several pages. */
import { t } from '#renderer/language/translate.ts';
import type { KeyGroup } from './page-keys.ts';

export const TABLE_KEYS: KeyGroup = {
  title: t('Tables'),
  keys: [
    { keys: t('Arrows, Page Up, Page Down, Home, End'), does: t('Move between the cells') },
    { keys: t('Shift+arrows'), does: t('Select several cells') },
    { keys: t('Ctrl+C'), does: t('Copy the selected cells') },
    { keys: t('Enter'), does: t('Open the row, or go to the buttons in the cell') },
    { keys: t('Escape'), does: t('Go back from the buttons to the cell') },
  ],
};

export const LIST_KEYS: KeyGroup = {
  title: t('List'),
  keys: [{ keys: t('Arrow up, Arrow down'), does: t('Go to the row above or below') }],
};

export const FORM_KEYS: KeyGroup = {
  title: t('Form'),
  keys: [{ keys: t('Ctrl+Enter'), does: t('Start') }],
};

export const INPUT_GRID_KEYS: KeyGroup = {
  title: t('Grids to fill in'),
  keys: [
    { keys: t('Enter, F2'), does: t('Edit the cell') },
    { keys: t('Delete'), does: t('Empty the selected cells') },
    { keys: t('Ctrl+C, Ctrl+X, Ctrl+V'), does: t('Copy, cut, paste') },
    { keys: t('Ctrl+D, Ctrl+R'), does: t('Fill down, fill to the right') },
    { keys: t('Ctrl+Plus, Ctrl+Minus'), does: t('Insert or delete rows') },
    { keys: t('Shift+Space, Ctrl+Space'), does: t('Select the rows, the columns') },
    { keys: t('Ctrl+Z, Ctrl+Y'), does: t('Undo, redo') },
    { keys: t('Ctrl+F'), does: t('Find') },
    { keys: t('Alt+Arrow down'), does: t('Sort and filter by the column') },
  ],
};
