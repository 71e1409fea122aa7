import type { HotkeysContext } from '@blueprintjs/core';
import type { ContextType } from 'react';

/**
 * Blueprint's table logs a warning unless a provider collects its hotkeys. Blueprint's own provider would open a second
 * list of keys with "?". The portal lists the keys of tables itself (page-keys.ts), so this provider collects nothing.
 */
export const GRID_HOTKEYS: ContextType<typeof HotkeysContext> = [
  { hasProvider: true, hotkeys: [], isDialogOpen: false },
  () => undefined,
];
