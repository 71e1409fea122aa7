/** The pane is dark if Excel is, or if Excel's theme is unknown and the system is. */
import { findOffice } from './office.ts';

/** Blueprint's class, which selects the dark colors of base.css. */
const DARK = 'bp6-dark';
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');

export function followTheme(): void {
  const paint = (): void => void document.body.classList.toggle(DARK, excelIsDark() ?? systemIsDark.matches);
  paint();
  systemIsDark.addEventListener('change', paint);
}

/** Returns null if Excel does not report its theme, as on the web. */
function excelIsDark(): boolean | null {
  let color = '';
  try {
    color = findOffice()?.context.officeTheme?.bodyBackgroundColor ?? '';
  } catch {
    // Not inside Excel.
  }
  const [, red, green, blue] = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color) ?? [];
  if (!red || !green || !blue) return null;
  const [r, g, b] = [red, green, blue].map((part) => parseInt(part, 16)) as [number, number, number];
  return 0.299 * r + 0.587 * g + 0.114 * b < 128;
}
