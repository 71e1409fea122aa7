import type { HotkeysContext } from '@blueprintjs/core';
import type { ContextType } from 'react';

/**
 * Blueprint's table warns on the console unless a provider collects its keys. Its own provider would open a second list of keys with "?":
 * the portal lists the keys of tables in its own (page-keys.ts), so that nothing is collected here.
 */
export const GRID_HOTKEYS: ContextType<typeof HotkeysContext> = [
  { hasProvider: true, hotkeys: [], isDialogOpen: false },
  () => undefined,
];
