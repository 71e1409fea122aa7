/** The portal in a browser while its server is unreachable. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
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

  fullSetTest('leaves an editor as it was, even if somebody else has saved since', async () => {
    const { page } = browser;
    const stored = await page.evaluate<string>(`localStorage.getItem('runsheet.session')`);
    const { token } = JSON.parse(stored) as { token: string };
    const save = async (changes: object): Promise<{ Id: number; Revision: number }> => {
      const about = { Schema: 'Samples', Description: '', Group: '', Order: null };
      const answer = await fetch(`${portal.address.replace(/\/$/, '')}/api/checklists/create`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...about, Activities: [{ Id: 3 }], Inputs: [], ...changes }),
      });
      return ((await answer.json()) as { result: { Id: number; Revision: number } }).result;
    };
    const { Id, Revision } = await save({ Id: 0, Revision: null, UniqueId: null, Name: 'Close' });
    await page.goto(`${portal.address}/checklists/edit/${Id}`);
    const description = page.getByLabel('Description');
    await description.fill('What I was typing');
    await save({ Id, Revision, UniqueId: null, Name: 'Close of somebody else' });
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    await page.evaluate(() => window.dispatchEvent(new Event('offline')));
    const bar = page.getByRole('status').filter({ hasText: 'The server cannot be reached.' });
    await bar.waitFor();
    await page.unroute('**/api/**');
    const fetched = page.waitForResponse('**/api/checklists/details/**');
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await bar.waitFor({ state: 'detached' });
    await fetched;
    await page.getByRole('heading', { name: 'Edit checklist - Close of somebody else' }).waitFor();
    expect(await description.inputValue()).toBe('What I was typing');
  });
});
