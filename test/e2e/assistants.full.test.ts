/** A person connects an assistant, offers it an activity, and ends its access. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

const PASSWORD = 'Newcomer-Pass-1';

let portal: Portal;
let browser: Browser;
let callback: Server;
/** The addresses to which the browser was sent back. */
const answered: string[] = [];

beforeAll(async () => {
  [portal, browser] = await Promise.all([
    startPortal({ RUNSHEET_ASSISTANTS: 'signIn', RUNSHEET_PUBLIC_URL: 'https://portal.example.org' }),
    openBrowser(),
  ]);
  callback = createServer((request, answer) => {
    if (request.url?.startsWith('/callback')) answered.push(request.url);
    answer.end('Connected');
  });
  await new Promise<void>((resolve) => callback.listen(0, '127.0.0.1', resolve));
  await firstSignIn(browser.page, portal, PASSWORD);
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
  callback.close();
});

async function post(path: string, body: URLSearchParams | object): Promise<Record<string, string>> {
  const isForm = body instanceof URLSearchParams;
  const headers = { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' };
  const answer = await fetch(new URL(path, portal.address), {
    method: 'POST',
    headers,
    body: isForm ? body.toString() : JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, string>;
}

test('a person offers an activity, gives an assistant access, sees it and ends it', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/edit/3/`);
  await page.getByLabel('Offer to assistants').check({ force: true });
  await page.getByText('The activity is offered to assistants').waitFor();

  const redirect_uri = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
  const { client_id = '' } = await post('oauth/register', { client_name: 'Helper', redirect_uris: [redirect_uri] });
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'mine',
  });
  const consent = `${portal.address}/oauth/authorize?${query.toString()}`;
  await page.goto(consent);
  await page.getByText('Allow Helper to run activities for you?').waitFor();
  expect(await page.getByLabel('Only activities that are offered to assistants (1)').isChecked()).toBe(true);
  await expectGoodScreen(browser, 'consent');
  await page.getByRole('button', { name: 'Refuse' }).click();
  await page.getByText('Connected').waitFor();
  expect(answered.at(-1)).toContain('error=access_denied');

  await page.goto(consent);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByText('Connected').waitFor();
  const parameters = new URL(answered.at(-1)!, redirect_uri).searchParams;
  expect(parameters.get('state')).toBe('mine');
  const code = parameters.get('code') ?? '';
  const form = { grant_type: 'authorization_code', client_id, code, code_verifier: verifier, redirect_uri };
  const { access_token } = await post('oauth/token', new URLSearchParams(form));
  expect(access_token).toMatch(/^rsat_/);

  await page.goto(`${portal.address}/sessions`);
  await page.getByText('assistant', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^End the session of Helper since/ }).click();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'End', exact: true }).last().click();
  await page.getByText('The session has ended').waitFor();
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const { status } = await fetch(new URL('mcp', portal.address), { method: 'POST', headers, body });
  expect(status).toBe(401);
  expect(browser.errors).toEqual([]);
});

test('a request that is wrong is explained, and leads nowhere', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/oauth/authorize?response_type=code&client_id=unknown`);
  await page.getByRole('heading', { name: 'Connect an assistant' }).waitFor();
  await page.locator('main').getByText(/./).first().waitFor();
  expect(await page.getByRole('button', { name: 'Allow', exact: true }).count()).toBe(0);
});
