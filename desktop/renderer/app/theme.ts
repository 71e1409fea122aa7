import { Classes } from '@blueprintjs/core';
import { create } from 'zustand';
import { bridge } from '#renderer/api/bridge.ts';

export type Theme = 'light' | 'dark' | 'system';

const THEME_KEY = 'theme';
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');

function readTheme(): Theme {
  const stored = bridge.shared.get(THEME_KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export const useTheme = create<{ theme: Theme }>(() => ({ theme: readTheme() }));

export function setTheme(theme: Theme): void {
  bridge.shared.set(THEME_KEY, theme === 'system' ? null : theme);
  useTheme.setState({ theme });
  paint();
}

/** The class is on body, where Blueprint's overlays are too. */
function paint(): void {
  const { theme } = useTheme.getState();
  const isDark = theme === 'dark' || (theme === 'system' && systemIsDark.matches);
  document.body.classList.toggle(Classes.DARK, isDark);
}

/** Paints before the first render, and follows the system and the other windows. */
export function watchTheme(): void {
  paint();
  systemIsDark.addEventListener('change', paint);
  bridge.onSharedChange((key) => {
    if (key !== THEME_KEY) return;
    useTheme.setState({ theme: readTheme() });
    paint();
  });
}
