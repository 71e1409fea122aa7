/** Every screen loaded on a phone in the dark theme: nothing is wider than the window, and no error is reported. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectToFit } from './support/layout.ts';
import { openBrowser, signIn, type Browser } from './support/portal.ts';
import { PASSWORD, SCREENS, showScreen, startVisitedPortal, type VisitedPortal } from './support/screens.ts';

let visited: VisitedPortal;
let browser: Browser;

beforeAll(async () => {
  visited = await startVisitedPortal();
  browser = await openBrowser({ width: 360, colorScheme: 'dark' });
  await signIn(browser.page, visited.portal, PASSWORD);
});

afterAll(async () => {
  await browser.close();
  await visited.portal.stop();
});

test.each(SCREENS)('%s fits', async (...screen) => {
  await showScreen(browser, visited, screen);
  await expectToFit(browser, 360);
  expect(browser.errors).toEqual([]);
});
