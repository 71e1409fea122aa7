/** Moves through a page with only the keyboard. */
import type { Page } from 'playwright-core';

const MAX_PRESSES = 160;

/** Returns the label or text of the focused element. */
export const focusedLabel = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const focused = document.activeElement as HTMLElement | null;
    const labels = (focused as HTMLInputElement | null)?.labels;
    return (focused?.ariaLabel ?? labels?.[0]?.innerText ?? focused?.innerText ?? '').trim();
  });

/** Presses Tab until the element with this label is focused; with `isBeginning`, until the label starts with it. */
export async function tabTo(
  page: Page,
  label: string,
  { key = 'Tab', isBeginning = false }: { key?: 'Tab' | 'Shift+Tab'; isBeginning?: boolean } = {},
): Promise<void> {
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    const focused = await focusedLabel(page);
    if (isBeginning ? focused.startsWith(label) : focused === label) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${label}, but to ${await focusedLabel(page)}`);
}
