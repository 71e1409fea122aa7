/**
 * Parts of a page whose code cannot be loaded because the server is unavailable or was upgraded while the page was
 * open.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stepSheet } from '#test/support/step-portal.ts';
import { until } from '#test/support/until.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { photograph } from './support/pictures.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';

const PASSWORD = 'Newcomer-Pass-1';

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser()]);
  await firstSignIn(browser.page, portal, PASSWORD);
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const goTo = (name: string) => browser.page.getByRole('link', { name, exact: true }).first().click();

test('a page that could not be fetched is offered again in its place, and appears automatically once the server is back', async () => {
  const { page, context } = browser;
  await page.goto(`${portal.address}/administration`);
  await page.getByRole('heading', { name: 'Administration', level: 1 }).waitFor();
  await context.setOffline(true);
  await goTo('Roles');
  await page.getByText('This part of the page could not be loaded').waitFor();
  await page.getByText('The server cannot be reached.').waitFor();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('The server cannot be reached.').waitFor();
  await context.setOffline(false);
  await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor();
});

const PALETTE = '**/assets/CommandPalette-*.js';
const FAILED = 'This part of the page could not be loaded';

/**
 * Opens a page on which this many attempts to load a part fail. After each failure, the page checks whether the server
 * has a new version. Returns a function that counts these checks.
 */
async function openFailing(pattern: string, tries: number): Promise<() => number> {
  const { page } = browser;
  let failed = 0;
  await page.route('**/index.html', (route) => {
    failed += 1;
    return route.continue();
  });
  // Set the route before opening the page, because a part loaded earlier would come from the browser's cache.
  await page.route(pattern, (route) => (failed < tries ? route.abort() : route.continue()));
  await page.goto(`${portal.address}/roles/`);
  await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor();
  return () => failed;
}

/** Opens the palette on a fresh page and returns whether a failure was ever shown. */
async function openPalette(): Promise<boolean> {
  const { page } = browser;
  await page.keyboard.press('Control+k');
  const failure = page.getByText(FAILED);
  const palette = page.getByRole('combobox', { name: 'Go to an activity, page or run' });
  await failure.or(palette).first().waitFor();
  const wasShown = await failure.isVisible();
  await palette.waitFor();
  expect(await failure.count()).toBe(0);
  return wasShown;
}

test('a part whose code fails to load once is fetched again, without a message', async () => {
  const { page } = browser;
  const failed = await openFailing(PALETTE, 1);
  expect(await openPalette()).toBe(false);
  expect(failed()).toBe(1);
  await page.unrouteAll({ behavior: 'wait' });
});

test('a part whose code cannot be fetched three times says so, and appears automatically', async () => {
  const { page } = browser;
  const failed = await openFailing(PALETTE, 3);
  expect(await openPalette()).toBe(true);
  expect(failed()).toBe(3);
  await page.unrouteAll({ behavior: 'wait' });
});

test('a part whose style sheet failed to come has it when it is fetched again', async () => {
  const { page } = browser;
  const failed = await openFailing('**/assets/palette-*.css', 1);
  await openPalette();
  expect(failed()).toBe(1);
  const fetched = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].map(({ sheet }) => sheet !== null),
  );
  expect(fetched).not.toContain(false);
  await page.unrouteAll({ behavior: 'wait' });
});

test('after an upgrade the new version is offered, and what was typed is back after it', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/newuser`);
  await page.getByLabel('User name', { exact: false }).first().fill('vera');
  // Simulates an upgrade: new names in the page, and the old files are gone.
  await page.route('**/assets/CommandPalette-*.js', (route) => route.fulfill({ status: 404, body: '' }));
  await page.route('**/index.html', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace(/index-[\w-]+\.js/g, 'index-new.js') });
  });
  await page.keyboard.press('Control+k');
  await page.getByText('A new version is available').waitFor();
  expect(await page.getByLabel('User name', { exact: false }).first().inputValue()).toBe('vera');
  await page.unroute('**/assets/CommandPalette-*.js');
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('What you entered earlier is back. It is not saved yet.').waitFor();
  await until(
    'the name is back',
    async () => (await page.getByLabel('User name', { exact: false }).first().inputValue()) === 'vera',
  );
});

test('a page whose script cannot be fetched says so, and reloads once it can', async () => {
  const { page } = browser;
  const script = '**/assets/index-*.js';
  await page.route(script, (route) => route.abort());
  await page.goto(`${portal.address}/roles/`);
  const message = page.getByText('The page could not be loaded.');
  // Not shown in the moment in which every page is loading.
  expect(await message.isVisible()).toBe(false);
  const loading = page.getByText('Loading…');
  await loading.waitFor();
  await message.waitFor();
  expect(await loading.isVisible()).toBe(false);
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await photograph(page, `not-loaded-${theme}`);
  }
  await page.unroute(script);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor();
  expect(await message.count()).toBe(0);
});

test('outputs of a run that could not be fetched are no missing values, and are there after a retry', async () => {
  const { page } = browser;
  const workbook = {
    sheets: [
      { name: 'S', cells: { A1: 1, A2: { formula: 'A1*10', value: 10 } } },
      stepSheet([{ Step: 'Rate', Action: 'Prompt', Cell: 'S!A1', Message: 'Which rate?' }]),
    ],
    names: { out_Ten: 'S!$A$2' },
  };
  const id = await publish(browser, portal, { Name: 'Asking', workbook });
  await page.goto(`${portal.address}/activities/run/${id}/`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('7');
  const whole = '**/api/activities/status/*?activity=true';
  await page.route(whole, (route) =>
    route.fulfill({ status: 503, json: { message: 'The database cannot be reached.' } }),
  );
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('The outputs could not be loaded').waitFor();
  expect(await page.getByText('no value').count()).toBe(0);
  await page.unroute(whole);
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('70', { exact: true }).waitFor();
});

test('alerts and triggers that could not be fetched are not taken for none, and stand there after a retry', async () => {
  const { page } = browser;
  const workbook = {
    sheets: [{ name: 'S', cells: { A1: 1, A2: { formula: 'A1*10', value: 10 } } }],
    names: { out_Ten: 'S!$A$2' },
  };
  const id = await publish(browser, portal, { Name: 'Watched', workbook });
  for (const part of ['alerts', 'triggers']) {
    await page.route(`**/api/activities/${part}/*`, (route) =>
      route.fulfill({ status: 503, json: { message: `No ${part} to be had.` } }),
    );
  }
  await page.goto(`${portal.address}/activities/${id}/`);
  await page.getByText('No alerts to be had.').waitFor();
  await page.getByText('No triggers to be had.').waitFor();
  await expectGoodScreen(browser, 'cards-failed', { isWholePage: true });
  await page.unrouteAll({ behavior: 'wait' });
  const retry = page.getByRole('alert').getByRole('button', { name: 'Retry' });
  await retry.first().click();
  await page.getByText('Nobody is notified about runs.').waitFor();
  await retry.first().click();
  await page.getByText('No event starts it.').waitFor();
});

test('favourites that could not be fetched are not taken for none; a list does not wait for those that never come', async () => {
  const { page } = browser;
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/activities/marks', async (route) => {
    await asked;
    await route.fulfill({ status: 503, json: { message: 'No marks to be had.' } });
  });
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('link', { name: 'Watched', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  await page.getByRole('table', { name: 'Activities' }).getByRole('link', { name: 'Watched', exact: true }).waitFor();
  answer();
  await page.getByText('Your favourites and the activities that you ran last could not be loaded.').waitFor();
  await expectGoodScreen(browser, 'marks-failed');
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('note').getByRole('button', { name: 'Retry' }).click();
  await page.getByText('Your favourites and the activities that you ran last').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Tiles', exact: true }).click();
});

test('a call that is never answered is not waited for in silence', async () => {
  const { page } = browser;
  await page.clock.install();
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/admin/schemas', (route) => answered.then(() => route.continue()));
  await page.goto(`${portal.address}/schemas`);
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  const message = page.getByText('This is taking longer than expected.');
  expect(await message.count()).toBe(0);
  await page.clock.fastForward(20_000);
  await message.waitFor();
  expect(await page.getByRole('button', { name: 'Reload the page' }).count()).toBe(1);
  answer();
  await page.getByRole('grid', { name: 'Schemas' }).waitFor({ state: 'attached' });
  expect(await message.count()).toBe(0);
  await page.unrouteAll({ behavior: 'wait' });
});
