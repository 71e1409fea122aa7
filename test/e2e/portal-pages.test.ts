/** A portal with a custom name: its start page, plugin pages, and documents behind shared links. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectNothingSerious } from './support/good-screen.ts';
import { expectToFit } from './support/layout.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';

const PASSWORD = 'Newcomer-Pass-1';
const INITIAL_PASSWORD = 'Given-Horse-7';
const OWN = 'Own-Horse-8';

/** A plugin that shows what it can access, and uses the messages. */
const PLUGIN = `<!doctype html><meta charset="utf-8"><title>Plugin</title><h1>Rates of today</h1><p id="out"></p>
<button id="open">To the history</button><script>
const tried = (name, work) => { try { work(); return name + ' reached'; } catch { return name + ' closed'; } };
out.textContent = [
  tried('storage', () => localStorage.length),
  tried('page', () => parent.document.title),
  'origin ' + self.origin,
].join(', ');
addEventListener('message', ({ data }) => {
  if (data.type === 'runsheet.welcome') out.textContent += ', hello ' + data.user.UserName + ' in ' + data.theme;
});
document.getElementById('open').onclick = () => parent.postMessage({ type: 'runsheet.open', path: '/activities/runhistory' }, '*');
parent.postMessage({ type: 'runsheet.hello' }, '*');
parent.postMessage({ type: 'runsheet.title', title: 'Rates, live' }, '*');
</script>`;

let folder: string;
let plugin: Server;
let portal: Portal;
let admin: Browser;
let user: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runsheet-pages-'));
  const logo =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 24"><rect width="60" height="24" fill="#a03"/></svg>';
  await writeFile(join(folder, 'logo.svg'), logo);
  plugin = createServer((_, response) => response.setHeader('content-type', 'text/html').end(PLUGIN)).listen(0);
  await once(plugin, 'listening');
  const url = `http://localhost:${(plugin.address() as AddressInfo).port}/`;
  const pages = [
    { name: 'Daily rates', url },
    { name: 'For few', url, rightToView: 'sk.ManageRights' },
  ];
  const settings = {
    RUNSHEET_TITLE: 'Acme <Tools> & Co',
    RUNSHEET_LOGO1: join(folder, 'logo.svg'),
    RUNSHEET_BETA_URL: '/beta/',
    RUNSHEET_PLUGIN_PAGES: JSON.stringify(pages),
  };
  [portal, admin, user] = await Promise.all([startPortal(settings), openBrowser(), openBrowser()]);
});
afterAll(async () => {
  await Promise.all([admin.close(), user.close()]);
  await portal.stop();
  plugin.closeAllConnections();
  plugin.close();
  await rm(folder, { recursive: true, force: true });
  expect([...admin.errors, ...user.errors]).toEqual([]);
});

fullSetTest('a start that fails says so, with another try', async () => {
  const { page } = admin;
  const answers = '**/api/sso/config**';
  await page.route(answers, (route) => route.fulfill({ status: 500, json: { message: 'down' } }));
  await page.goto(`${portal.address}/login`);
  await page.getByText('Page could not be loaded').waitFor();
  await expectNothingSerious(admin);
  await page.goto(`${portal.address}/login?ssoError=The+provider+says+no`);
  await page.getByText('The provider says no').waitFor();
  await page.unroute(answers);
  // A proxy or a transient error may return an empty response.
  for (const json of [{ result: null }, {}]) {
    await page.route(answers, (route) => route.fulfill({ json }));
    await page.goto(`${portal.address}/login`);
    await page.getByText('Page could not be loaded').waitFor();
    await page.unroute(answers);
  }
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByLabel('Username').waitFor();
});

test('title, logo, version and the way to the beta are those of the installation', async () => {
  const { page } = admin;
  await visit(page, `${portal.address}/login`);
  await page.getByRole('heading', { name: 'Acme <Tools> & Co' }).waitFor();
  await expect.poll(() => page.title()).toBe('Login · Acme <Tools> & Co');
  await firstSignIn(page, portal, PASSWORD);
  const home = page.getByRole('link', { name: 'Acme <Tools> & Co, go to the activities' });
  await page.waitForFunction(() => (document.querySelector<HTMLImageElement>('.rs-top img')?.naturalWidth ?? 0) > 0);
  expect(await home.textContent()).toMatch(/Acme <Tools> & Co\d+\.\d+/);
  expect(await page.getByRole('button', { name: 'Beta' }).getAttribute('href')).toBe('/beta/');
  await expectToFit(admin, 360);
});

fullSetTest('in a browser the outbox says where it is, and leads on', async () => {
  const { page } = admin;
  await page.goto(`${portal.address}/outbox`);
  await page.getByText('The outbox is in the desktop client').waitFor();
  await page.getByRole('button', { name: 'Show running activities' }).click();
  await page.getByRole('heading', { name: 'Status of Running Activities' }).waitFor();
  expect(await page.getByRole('link', { name: 'Outbox' }).count()).toBe(0);
});

test('a plugin page runs in an origin without a name, and speaks with the portal by messages', async () => {
  const { page } = admin;
  await page.getByRole('navigation').getByRole('link', { name: 'Daily rates' }).click();
  await page.getByRole('heading', { name: 'Rates, live' }).waitFor();
  const inside = page.frameLocator('iframe');
  await inside.getByText('hello admin in light').waitFor();
  expect(await inside.locator('#out').textContent()).toContain('storage closed, page closed, origin null');
  await expectNothingSerious(admin);
  await expectToFit(admin, 360);
  await inside.getByRole('button').click();
  await page.getByRole('heading', { name: 'Activity History' }).waitFor();
});

fullSetTest('markup of workbooks is still shown, though frames load from nowhere but the plugins', async () => {
  const shown = await admin.page.evaluate(async () => {
    const frame = document.createElement('iframe');
    frame.srcdoc = '<p>from a workbook</p>';
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    await loaded;
    const text = frame.contentDocument?.body.textContent;
    frame.remove();
    return text;
  });
  expect(shown).toBe('from a workbook');
});

fullSetTest('makes somebody who holds no right', async () => {
  const { page } = admin;
  await page.goto(`${portal.address}/newuser/`);
  await page.getByLabel('User Name').fill('vera');
  await page.getByLabel('First name').fill('Vera');
  await page.getByLabel('Password', { exact: true }).fill(INITIAL_PASSWORD);
  await page.getByLabel('Confirm Password').fill(INITIAL_PASSWORD);
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByText('New user created').waitFor();
  const { page: other } = user;
  await other.goto(`${portal.address}/plugins/For%20few`);
  await firstSignInAt(other);
});

/** Signs in on the current page, without navigating first. */
async function firstSignInAt(page: Browser['page']): Promise<void> {
  await page.getByLabel('Username').fill('vera');
  await page.getByLabel('Password', { exact: true }).fill(INITIAL_PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByLabel('New Password', { exact: true }).fill(OWN);
  await page.getByLabel('Confirm New Password').fill(OWN);
  await page.getByRole('button', { name: 'Change' }).click();
}

fullSetTest(
  'who lacks the right of a plugin page reads that it is not allowed, and does not see it in the menu',
  async () => {
    const { page } = user;
    await page.getByText('Not allowed', { exact: true }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Daily rates' }).waitFor();
    expect(await page.getByRole('link', { name: 'For few' }).count()).toBe(0);
    await page.goto(`${portal.address}/plugins/nothing`);
    await page.getByText('Page Not Found.').waitFor();
  },
);

fullSetTest('a shared link downloads its document, for those alone who may see the run', async () => {
  const { page, context } = admin;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('link', { name: 'Sales commission' }).click();
  await page.getByRole('button', { name: 'Run Now' }).first().click();
  await page.getByLabel('Bonus Rate').press('Control+Enter');
  await page.getByText('The run was successful').waitFor();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('menuitem', { name: /^Copy the link to .+[.]xlsx/ }).click();
  await page.getByText(/^Link copied/).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const [file] = await Promise.all([page.waitForEvent('download'), page.goto(link)]);
  await page.getByText(`You just downloaded ${file.suggestedFilename()}`).waitFor();
  await expectNothingSerious(admin);

  await user.page.goto(link);
  await user.page.getByText('You do not have permissions to download this file').waitFor();
  await user.page.getByRole('button', { name: /^User menu of / }).click();
  await user.page.getByRole('menuitem', { name: 'Log out' }).click();
  await user.page.getByLabel('Username').waitFor();
  await user.page.goto(link);
  await user.page.getByLabel('Username').fill('admin');
  await user.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const [again] = await Promise.all([
    user.page.waitForEvent('download'),
    user.page.getByRole('button', { name: 'Login' }).click(),
  ]);
  expect(again.suggestedFilename()).toBe(file.suggestedFilename());
});

fullSetTest('no base element that is put into the page leads its addresses elsewhere', async () => {
  // Uses a separate page, because the browser reports the refusal in its console.
  const page = await user.context.newPage();
  await page.goto(portal.address);
  const bases = await page.evaluate(() => {
    const before = new URL('./', document.baseURI).pathname;
    const base = document.createElement('base');
    base.href = '/elsewhere/';
    document.head.prepend(base);
    const after = new URL('./', document.baseURI).pathname;
    return [before, after];
  });
  expect(bases).not.toContain('/elsewhere/');
  await page.close();
});
