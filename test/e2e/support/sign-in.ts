/**
 * Signs in users. `firstSignIn` and `signIn` make the calls of the sign-in page instead of using the page, which takes
 * several times as long.
 */
import type { Page } from 'playwright-core';
import { reportingPage } from './browser.ts';

/** Where a user signs in, and as whom. */
export interface Account {
  address: string;
  userName: string;
  password: string;
}

interface TokenAnswer {
  access_token: string;
  expiry: string;
  inactivityTimeout: number;
}

/**
 * Signs in for the first time, which requires changing the printed password. The page then shows the list of
 * activities.
 */
export async function firstSignIn(page: Page, account: Account, newPassword: string): Promise<void> {
  await beginSession(page, account, await fetchToken(account, [account.password, newPassword]));
}

/** Signs in; the page then shows the list of activities. */
export async function signIn(page: Page, account: Account, password: string): Promise<void> {
  await beginSession(page, account, await fetchToken(account, [password]));
}

/** Stores the session like desktop/renderer/app/session.ts and opens the portal. */
async function beginSession(page: Page, account: Account, answer: TokenAnswer): Promise<void> {
  const issued = Date.now();
  const session = {
    userName: account.userName,
    token: answer.access_token,
    issued,
    expiry: Date.parse(answer.expiry),
    inactivityTimeout: answer.inactivityTimeout * 1000,
    ssoProvider: null,
    ssoIssued: issued,
    ssoExpiry: null,
  };
  const blank = `${base(account)}/blank-page-of-a-test`;
  await page.route(blank, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(blank);
  await page.evaluate((text) => {
    localStorage.setItem('runsheet.session', text);
    localStorage.setItem('runsheet.activity', String(Date.now()));
  }, JSON.stringify(session));
  await page.unroute(blank);
  await reportingPage(page, async () => {
    await page.goto(`${base(account)}/activities/`);
    await page.getByRole('heading', { name: 'Activities' }).waitFor();
  });
}

/** Signs in with the pages themselves, as a new user does. */
export function firstSignInByForm(page: Page, account: Account, newPassword: string): Promise<void> {
  return reportingPage(page, async () => {
    await page.goto(account.address);
    await page.getByLabel('Username').fill(account.userName);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.getByRole('button', { name: 'Login' }).click();
    await page.getByLabel('New Password', { exact: true }).fill(newPassword);
    await page.getByLabel('Confirm New Password').fill(newPassword);
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('heading', { name: 'Activities' }).waitFor();
  });
}

export function signInByForm(page: Page, account: Account, password: string): Promise<void> {
  return reportingPage(page, async () => {
    await page.goto(`${account.address}/login`);
    await page.getByLabel('Username').fill(account.userName);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Login' }).click();
    await page.getByRole('heading', { name: 'Activities' }).waitFor();
  });
}

const JSON_BODY = { 'content-type': 'application/json' };

const base = ({ address }: Account): string => address.replace(/\/$/, '');

/** @param passwords the current one, and a new one if it must be changed */
async function fetchToken(account: Account, passwords: string[]): Promise<TokenAnswer> {
  const password = (await encrypt(account, passwords)).join('\n');
  const form = new URLSearchParams({ grant_type: 'password', username: account.userName, password });
  return (await post(account, '/token', form)) as TokenAnswer;
}

/** Encrypts like desktop/renderer/api/passwords.ts. */
async function encrypt(account: Account, passwords: string[]): Promise<string[]> {
  const body = JSON.stringify({ UserName: account.userName });
  const answer = await post(account, '/api/users/generatekey', body, JSON_BODY);
  const { KeyId, Key } = answer as { KeyId: string; Key: string };
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('spki', Buffer.from(Key, 'base64'), algorithm, false, ['encrypt']);
  return Promise.all(
    passwords.map(async (password) => {
      const bytes = await crypto.subtle.encrypt(algorithm, key, new TextEncoder().encode(password));
      return `${KeyId}.${Buffer.from(bytes).toString('base64')}`;
    }),
  );
}

async function post(
  account: Account,
  path: string,
  body: string | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const answer = await fetch(base(account) + path, { method: 'POST', body, headers });
  const parts = (await answer.json()) as { result?: unknown };
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(parts)}`);
  return parts.result ?? parts;
}
