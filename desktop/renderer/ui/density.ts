/** How close together rows of grids are. Stored like the theme: for all windows of this user on this computer. */
import { create } from 'zustand';
import { bridge } from '#renderer/api/bridge.ts';

export type Density = 'comfortable' | 'compact';

const DENSITY_KEY = 'density';
const COMPACT_CLASS = 'rs-compact';
const ROW_HEIGHTS: Record<Density, number> = { comfortable: 35, compact: 28 };

const readDensity = (): Density => (bridge.shared.get(DENSITY_KEY) === 'compact' ? 'compact' : 'comfortable');

export const useDensity = create<{ density: Density }>(() => ({ density: readDensity() }));

/** Returns the height of a grid's row in pixels. */
export const useRowHeight = (): number => useDensity(({ density }) => ROW_HEIGHTS[density]);

export function setDensity(density: Density): void {
  bridge.shared.set(DENSITY_KEY, density === 'comfortable' ? null : density);
  show(density);
}

function show(density: Density): void {
  useDensity.setState({ density });
  document.body.classList.toggle(COMPACT_CLASS, density === 'compact');
}

/** Follows changes in other windows. */
export function watchDensity(): void {
  show(readDensity());
  bridge.onSharedChange((key) => {
    if (key === DENSITY_KEY) show(readDensity());
  });
}
