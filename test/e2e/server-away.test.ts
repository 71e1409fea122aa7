/** The portal in a browser while its server is unreachable. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

const PASSWORD = 'Newcomer-Pass-1';

describe('a server that is away', () => {
  let portal: Portal;
  let browser: Browser;
  beforeAll(async () => {
    portal = await startPortal();
    browser = await openBrowser();
    await firstSignIn(browser.page, portal, PASSWORD);
  });
  afterAll(async () => {
    await browser?.close();
    await portal?.stop();
  });

  test('is reported above the page, which keeps what was typed and resumes automatically', async () => {
    const { page } = browser;
    await page.goto(`${portal.address}/activities/run/3/`);
    const rate = page.getByLabel('Bonus Rate');
    await rate.fill('.4321');
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    await page.keyboard.press('Control+Enter');
    const bar = page.getByRole('status').filter({ hasText: 'The server cannot be reached.' });
    await bar.waitFor();
    await page.getByText('What you entered is not lost. The page continues automatically').waitFor();
    expect(await rate.inputValue()).toMatch(/\.4321|43.21%/);
    // Click before the server is back; otherwise the page may find it first, and the button disappears with the bar.
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.unroute('**/api/**');
    await bar.waitFor({ state: 'detached' });
    expect(await rate.inputValue()).toMatch(/\.4321|43.21%/);
  });
});
