import { create } from 'zustand';
import { bridge } from '#renderer/api/bridge.ts';

/**
 * Which sections are open, stored for the session: the last use of Expand All or Collapse All, and what was toggled
 * since.
 */
interface Expansion {
  /** Null until one of the two buttons was used; then the number of tiles decides. */
  all: boolean | null;
  toggled: Record<string, boolean>;
}

const KEY = 'activities.expansion';
/** Up to this many tiles are shown expanded, because scanning them is easier than opening sections. */
const OPEN_UP_TO = 60;

function read(): Expansion {
  try {
    return { all: null, toggled: {}, ...(JSON.parse(bridge.window.get(KEY) ?? '{}') as Partial<Expansion>) };
  } catch {
    return { all: null, toggled: {} };
  }
}

const useExpansion = create<Expansion>(read);

function write(expansion: Expansion): void {
  useExpansion.setState(expansion, true);
  bridge.window.set(KEY, JSON.stringify(expansion));
}

export const setAllExpanded = (all: boolean): void => write({ all, toggled: {} });

export interface SectionState {
  isOpen: (key: string) => boolean;
  toggle: (key: string) => void;
}

/** During a search, all sections with results are open. */
export function useSections(tiles: number, isSearching: boolean): SectionState {
  const { all, toggled } = useExpansion();
  const byDefault = all ?? tiles <= OPEN_UP_TO;
  const isOpen = (key: string): boolean => isSearching || (toggled[key] ?? byDefault);
  return {
    isOpen,
    toggle: (key) => {
      if (!isSearching) write({ all, toggled: { ...toggled, [key]: !isOpen(key) } });
    },
  };
}
