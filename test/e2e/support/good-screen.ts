/** What has to hold of every screen, in both themes and on small devices. */
import { expect } from 'vitest';
import { seriousViolations } from './axe.ts';
import { expectToFit } from './layout.ts';
import { photographWidths, type PictureOptions } from './pictures.ts';
import type { Browser } from './portal.ts';

/** A tablet, a telephone. */
const NARROW = [1024, 360];

/**
 * Axe finds nothing serious in either theme, the page fits narrow windows, and no error was reported. The page keeps its size, and is
 * light afterwards. Its pictures have `name`.
 */
export async function expectGoodScreen(browser: Browser, name: string, options: PictureOptions = {}): Promise<void> {
  const { page, errors } = browser;
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await seriousViolations(browser), `${name}, ${theme}`).toEqual([]);
    await photographWidths(page, name, theme, options);
  }
  // The page scrolls inside the frame, and the window never beside it.
  await page.waitForFunction(() => document.documentElement.scrollHeight <= window.innerHeight);
  for (const width of NARROW) await expectToFit(browser, width);
  expect(errors).toEqual([]);
}
