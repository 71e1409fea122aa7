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

const isDarkNow = (theme: Theme): boolean => theme === 'dark' || (theme === 'system' && systemIsDark.matches);

export const useTheme = create<{ theme: Theme; isDark: boolean }>(() => {
  const theme = readTheme();
  return { theme, isDark: isDarkNow(theme) };
});

/** Returns whether the displayed theme is dark, chosen by the user or by the system. */
export const useIsDark = (): boolean => useTheme((state) => state.isDark);

export function setTheme(theme: Theme): void {
  bridge.shared.set(THEME_KEY, theme === 'system' ? null : theme);
  useTheme.setState({ theme });
  paint();
}

/** The class is on body because Blueprint's overlays are there too. */
function paint(): void {
  const { theme } = useTheme.getState();
  const isDark = isDarkNow(theme);
  useTheme.setState({ isDark });
  document.body.classList.toggle(Classes.DARK, isDark);
}

/** Paints before the first render, and follows changes of the system and of other windows. */
export function watchTheme(): void {
  paint();
  systemIsDark.addEventListener('change', paint);
  bridge.onSharedChange((key) => {
    if (key !== THEME_KEY) return;
    useTheme.setState({ theme: readTheme() });
    paint();
  });
}
