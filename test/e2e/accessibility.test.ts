/**
 * Checks screens with axe for serious violations, and that nothing is wider than the window at 360 px. The everyday set
 * covers the screens with the most kinds of parts, some of them also in the dark theme. The full set covers all screens
 * in both themes.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFullSet } from '#test/support/test-set.ts';
import { seriousViolations } from './support/axe.ts';
import { expectToFit } from './support/layout.ts';
import { openBrowser, signIn, type Browser, visit } from './support/portal.ts';
import { PASSWORD, SCREENS, showScreen, startVisitedPortal, type VisitedPortal } from './support/screens.ts';

/** The parts of which other screens consist: lists, forms, editors, a matrix, a run, and the visitors' pages. */
const SEEN_DAILY = new Set([
  '/activities/',
  '/activities/3/',
  '/activities/new/',
  '/activities/edit/3/',
  '/activities/run/3/',
  '/activities/run/{condition}/',
  '/activities/runstatus/1/',
  '/activities/runhistory/3?search=open',
  '/activities/versions/3',
  '/sessions',
  '/users/',
  '/edituser/1/',
  '/rights/',
  '/rights/assign/sk.RunActivity/',
  '/securityMatrix',
  '/public/activities/run/1',
  '/nowhere',
]);

const SEEN_DARK = new Set([
  '/activities/',
  '/activities/run/3/',
  '/activities/run/{condition}/',
  '/activities/runstatus/1/',
  '/activities/runhistory/3?search=open',
  '/rights/',
  '/securityMatrix',
]);

let visited: VisitedPortal;

beforeAll(async () => {
  visited = await startVisitedPortal();
});

afterAll(() => visited.portal.stop());

test('the login page has nothing serious in either theme', async () => {
  const browser = await openBrowser({ colorScheme: 'light' });
  await visit(browser.page, `${visited.portal.address}/login`);
  await browser.page.getByRole('button', { name: 'Login' }).waitFor();
  expect(await seriousViolations(browser)).toEqual([]);
  await browser.page.emulateMedia({ colorScheme: 'dark' });
  expect(await seriousViolations(browser, { isContrastOnly: true })).toEqual([]);
  await browser.close();
});

describe('a screen', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    await signIn(browser.page, visited.portal, PASSWORD);
  });
  afterAll(() => browser.close());

  // Open each screen only once for all checks, because loading it takes most of the time.
  test.each(SCREENS.filter(([path]) => isFullSet || SEEN_DAILY.has(path)))(
    '%s has nothing serious, and fits a small screen',
    async (...screen) => {
      await browser.page.emulateMedia({ colorScheme: 'light' });
      await showScreen(browser, visited, screen);
      expect(await seriousViolations(browser)).toEqual([]);
      if (isFullSet || SEEN_DARK.has(screen[0])) {
        await browser.page.emulateMedia({ colorScheme: 'dark' });
        expect(await seriousViolations(browser, { isContrastOnly: true })).toEqual([]);
      }
      await expectToFit(browser, 360);
      expect(browser.errors).toEqual([]);
    },
  );
});

test('who wants less motion gets no transitions, of which a change of theme would start one for each element', async () => {
  const browser = await openBrowser();
  const { page } = browser;
  await visit(page, `${visited.portal.address}/login`);
  await page.getByRole('button', { name: 'Login' }).waitFor();
  await page.evaluate(() => {
    const { seen } = Object.assign(window, { seen: [] as string[] });
    document.addEventListener('transitionrun', ({ propertyName }) => seen.push(propertyName));
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForFunction(() => document.body.classList.contains('bp6-dark'));
  // Transitions started by a style change are reported before the second frame after it.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
  await browser.close();
});
