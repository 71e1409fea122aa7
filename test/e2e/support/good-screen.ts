/** What has to hold of every screen, in both themes and on small devices. */
import { expect } from 'vitest';
import { isFullSet } from '#test/support/test-set.ts';
import { seriousViolations } from './axe.ts';
import { expectToFit } from './layout.ts';
import { photographWidths, TAKES_PICTURES, type PictureOptions } from './pictures.ts';
import type { Browser } from './portal.ts';

/** A tablet, and a telephone, which is enough every day. */
const NARROW = isFullSet ? [1024, 360] : [360];

/** Axe finds nothing serious on the page as it is. Checked in the full set only: every day `accessibility.test.ts` looks at each page. */
export async function expectNothingSerious(browser: Browser): Promise<void> {
  if (isFullSet) expect(await seriousViolations(browser)).toEqual([]);
}

/**
 * The page fits narrow windows, and no error was reported. In the full set axe also finds nothing serious, in either theme; every day
 * `accessibility.test.ts` looks at each page with axe. The page keeps its size, and is light afterwards. Its pictures have `name`.
 */
export async function expectGoodScreen(browser: Browser, name: string, options: PictureOptions = {}): Promise<void> {
  const { page, errors } = browser;
  if (isFullSet || TAKES_PICTURES) {
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await seriousViolations(browser, { isContrastOnly: true }), `${name}, dark`).toEqual([]);
    await photographWidths(page, name, 'dark', options);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await seriousViolations(browser), `${name}, light`).toEqual([]);
    await photographWidths(page, name, 'light', options);
  }
  // The page scrolls inside the frame, and the window never beside it.
  await page.waitForFunction(() => document.documentElement.scrollHeight <= window.innerHeight);
  for (const width of NARROW) await expectToFit(browser, width);
  expect(errors).toEqual([]);
}
