/** Going through a page with the keyboard alone. */
import type { Page } from 'playwright-core';

const MOST_PRESSES = 160;

/** The label or text of what has the focus. */
export const focusedLabel = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const focused = document.activeElement as HTMLElement | null;
    const labels = (focused as HTMLInputElement | null)?.labels;
    return (focused?.ariaLabel ?? labels?.[0]?.innerText ?? focused?.innerText ?? '').trim();
  });

/** Presses Tab until what is called so has the focus, or what begins so where `isBeginning`. */
export async function tabTo(
  page: Page,
  label: string,
  { key = 'Tab', isBeginning = false }: { key?: 'Tab' | 'Shift+Tab'; isBeginning?: boolean } = {},
): Promise<void> {
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    const focused = await focusedLabel(page);
    if (isBeginning ? focused.startsWith(label) : focused === label) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${label}, but to ${await focusedLabel(page)}`);
}
