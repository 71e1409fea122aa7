/** What has to hold of every screen, in both themes and on small devices. */
import { expect } from 'vitest';
import { isFullSet } from '#test/support/test-set.ts';
import { seriousViolations } from './axe.ts';
import { expectToFit } from './layout.ts';
import { photographWidths, TAKES_PICTURES, type PictureOptions } from './pictures.ts';
import type { Browser } from './portal.ts';

/** A tablet, a telephone. */
const NARROW = [1024, 360];

/**
 * Axe finds nothing serious, the page fits narrow windows, and no error was reported. The full set also checks the contrast in the dark theme;
 * `accessibility.test.ts` does so every day for each page. The page keeps its size, and is light afterwards. Its pictures have `name`.
 */
export async function expectGoodScreen(browser: Browser, name: string, options: PictureOptions = {}): Promise<void> {
  const { page, errors } = browser;
  if (isFullSet || TAKES_PICTURES) {
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await seriousViolations(browser, { isContrastOnly: true }), `${name}, dark`).toEqual([]);
    await photographWidths(page, name, 'dark', options);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await seriousViolations(browser), `${name}, light`).toEqual([]);
  await photographWidths(page, name, 'light', options);
  // The page scrolls inside the frame, and the window never beside it.
  await page.waitForFunction(() => document.documentElement.scrollHeight <= window.innerHeight);
  for (const width of NARROW) await expectToFit(browser, width);
  expect(errors).toEqual([]);
}
