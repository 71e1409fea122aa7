/** The requirements for every screen, in both themes and on small devices. */
import { expect } from 'vitest';
import { isFullSet } from '#test/support/test-set.ts';
import { seriousViolations } from './axe.ts';
import { expectToFit } from './layout.ts';
import { photographWidths, TAKES_PICTURES, type PictureOptions } from './pictures.ts';
import type { Browser } from './portal.ts';

/** A tablet and a phone; in the everyday set only the phone. */
const NARROW = isFullSet ? [1024, 360] : [360];

/**
 * Expects no serious axe violations on the current page. Checks only in the full set; in the everyday set
 * `accessibility.test.ts` checks each page.
 */
export async function expectNothingSerious(browser: Browser): Promise<void> {
  if (isFullSet) expect(await seriousViolations(browser)).toEqual([]);
}

/**
 * Expects that the page fits narrow windows and that no error was reported. In the full set, also that axe finds
 * nothing serious in either theme; in the everyday set `accessibility.test.ts` checks each page with axe. The window
 * size is unchanged afterwards, and the theme is light. `name` is the name of its pictures.
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
  // The page scrolls within the frame, never the window itself.
  await page.waitForFunction(() => document.documentElement.scrollHeight <= window.innerHeight);
  for (const width of NARROW) await expectToFit(browser, width);
  expect(errors).toEqual([]);
}
