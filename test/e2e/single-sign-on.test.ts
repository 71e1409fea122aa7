/**
 * Sign-in through a SAML2 provider, OpenID Connect providers and a directory. All are real servers on other sites than
 * the portal, which has a base path.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { beginBrowserSignIn } from '#main/browser-sign-in.ts';
import { systemClock } from '#main/ports.ts';
import { makeCertificate, makeServerCertificate } from '#test/support/peers/certificates.ts';
import { DIRECTORY_SETTINGS, PEOPLE, type DirectoryPeer } from '#test/support/peers/ldap-people.ts';
import { startLdapPeer } from '#test/support/peers/ldap.ts';
import { startOidcPeer, type OidcPeer } from '#test/support/peers/oidc.ts';
import { startSamlPeer, type SamlPeer } from '#test/support/peers/saml.ts';
import { expectNothingSerious } from './support/good-screen.ts';
import { expectToFit } from './support/layout.ts';
import { photograph } from './support/pictures.ts';
import { reportIfFailed } from './support/browser.ts';
import { openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { firstSignIn } from './support/sign-in.ts';

const ADA = { nameId: 'ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org' };
const NO_ACCESS = 'You do not have access to this portal. Please contact its administrator.';

let folder: string;
let portal: Portal;
/** Address without the trailing slash of its base path. */
let address: string;
let saml2: SamlPeer;
let oidc: OidcPeer;
let directory: DirectoryPeer;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runsheet-sign-in-'));
  const authority = await makeCertificate('Test authority', { isAuthority: true });
  saml2 = await startSamlPeer(ADA);
  oidc = await startOidcPeer('cloud');
  directory = await startLdapPeer(await makeServerCertificate(authority));
  const settings = { RUNSHEET_SIGN_IN_FILE: await writeSettings(authority.certificate), RUNSHEET_BASE_PATH: '/portal' };
  portal = await startPortal({ ...settings, RUNSHEET_SAMPLES: 'false' });
  address = portal.address.replace(/\/$/, '');
  saml2.know(await (await fetch(`${address}/api/sso/saml2/corp/metadata`)).text());
  oidc.know(`${address}/`);
});
afterAll(async () => {
  await portal.stop();
  await Promise.all([saml2.stop(), oidc.stop(), directory.stop()]);
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  browser = await openBrowser();
});
afterEach(async (context) => {
  await reportIfFailed(context);
  expect(browser.errors).toEqual([]);
  await browser.close();
});

async function writeSettings(authority: string): Promise<string> {
  const own = await makeCertificate('Portal');
  const texts = { 'own.key': own.key, 'own.pem': own.certificate, 'idp.pem': saml2.certificate, 'ca.pem': authority };
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
  const { url: issuer, clientId, clientSecret } = oidc;
  const content = {
    directories: [{ ...DIRECTORY_SETTINGS, urls: [directory.url], caFile: 'ca.pem', createUsers: true }],
    saml2: [
      {
        key: 'corp',
        loginButtonLabel: 'Company sign-in',
        idpEntityId: saml2.entityId,
        signInUrl: saml2.signInUrl,
        logoutUrl: saml2.logoutUrl,
        certificateFiles: ['idp.pem'],
        privateKeyFile: 'own.key',
        ownCertificateFile: 'own.pem',
        createUsers: true,
      },
    ],
    oidc: [
      { key: 'cloud', loginButtonLabel: 'Cloud account', issuer, clientId, clientSecret, createUsers: true },
      { key: 'away', loginButtonLabel: 'Partner portal', issuer: 'http://localhost:1', clientId, clientSecret },
    ],
  };
  const path = join(folder, 'sign-in.json');
  await writeFile(path, JSON.stringify(content));
  return path;
}

const go = (path: string) => browser.page.goto(address + path);
const press = (name: string) => browser.page.getByRole('button', { name }).click();
const here = (): string => browser.page.url().replace(address, '');
const openUserMenu = (name: string) => browser.page.getByRole('button', { name: `User menu of ${name}` }).click();

/** Returns the addresses in the browser's history, which stay there and could be seen by others. */
async function visitedAddresses(): Promise<string> {
  const devtools = await browser.context.newCDPSession(browser.page);
  const { entries } = await devtools.send('Page.getNavigationHistory');
  return entries.map(({ url }) => url).join('\n');
}

async function signInAtCloud(login: string): Promise<void> {
  const { page } = browser;
  await press('Cloud account');
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

describe.each(['light', 'dark'] as const)('the sign-in page in the %s theme', (colorScheme) => {
  fullSetTest('has a form and a button for each provider, with nothing serious', async () => {
    await browser.close();
    browser = await openBrowser({ colorScheme });
    await go('/login');
    await browser.page.getByLabel('Username').waitFor();
    for (const name of ['Company sign-in', 'Cloud account', 'Partner portal'])
      await browser.page.getByRole('button', { name }).waitFor();
    await expectNothingSerious(browser);
    await expectToFit(browser, 360);
  });
});

fullSetTest('SAML2 leads to the provider and back to where one wanted to go, and out of both', async () => {
  const { page } = browser;
  await go('/activities/runhistory?q=1');
  await press('Company sign-in');
  await page.getByRole('button', { name: 'Continue as ada' }).click();
  await openUserMenu('Ada Lovelace');
  expect(here()).toBe('/activities/runhistory?q=1');
  expect(await visitedAddresses()).not.toMatch(/ott=/);
  expect(await page.getByRole('menuitem', { name: 'Change Password' }).count()).toBe(0);
  await page.getByRole('menuitem', { name: 'Log out from Everywhere' }).click();
  await page.getByLabel('Username').waitFor();
  expect(saml2.logouts).toEqual(['ada']);
});

fullSetTest(
  'a SAML2 session that ends soon is renewed in a window of its own, and so are other sessions ended',
  async () => {
    const { page, context } = browser;
    await go('/sessions');
    await press('Company sign-in');
    await page.getByRole('button', { name: 'Continue as ada' }).click();
    await page.getByText('this session').waitFor();
    await page.evaluate(endSoon);
    await page.reload();
    const again = page.getByRole('button', { name: 'Sign in again' });
    await page.getByText(/^Your sign-in ends at \d\d:\d\d\. Sign in again to continue/).waitFor();
    await photograph(page, 'session-ending');
    await expectNothingSerious(browser);
    await expectToFit(browser, 360);

    const signInAgain = async (): Promise<void> => {
      const [other] = await Promise.all([context.waitForEvent('page'), again.click()]);
      await other.getByRole('button', { name: 'Continue as ada' }).click();
      await other.getByText('You are signed in again. Close this window and continue in the other one.').waitFor();
      expect(other.url()).not.toMatch(/ott|for=/);
      await photograph(other, 'signed-in-again');
      await other.close();
    };
    await signInAgain();
    await page.getByText('You stay signed in').waitFor();
    await again.waitFor({ state: 'detached' });

    const second = await openBrowser();
    await second.page.goto(`${address}/`);
    await second.page.getByRole('button', { name: 'Company sign-in' }).click();
    await second.page.getByRole('button', { name: 'Continue as ada' }).click();
    await second.page.getByRole('heading', { name: 'Activities' }).waitFor();
    await page.reload();
    await press('End all others');
    await signInAgain();
    await page.getByText('All other sessions have ended').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^End the session of/ }).count()).toBe(0);
    await second.close();
  },
);

/** Changes the session stored by the page: the provider's part then ends in a minute and a half. */
function endSoon(): void {
  const key = Object.keys(window.localStorage).find((name) => name.endsWith('.session')) ?? '';
  const session = JSON.parse(window.localStorage.getItem(key) ?? '{}') as object;
  const hour = 3_600_000;
  const ending = { ...session, ssoIssued: Date.now() - hour, ssoExpiry: Date.now() + 90_000 };
  window.localStorage.setItem(key, JSON.stringify(ending));
}

test('OpenID Connect leads to the provider and back, and out of both', async () => {
  const { page } = browser;
  await go('/');
  await signInAtCloud('linus');
  await openUserMenu('Linus Oidc');
  await expect.poll(here).toBe('/activities/');
  expect(await page.getByRole('menuitem', { name: 'Log out from Everywhere' }).count()).toBe(0);
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await page.getByLabel('Username').waitFor();
  await expect.poll(here).toMatch(/sso=0|^\/login/);
  await signInAtCloud('linus');
  await page.getByText(/^Last successful account activity at /).waitFor();
});

test('an administrator tests a provider in another window, and nobody is signed in there', async () => {
  const { page, context } = browser;
  await firstSignIn(page, portal, 'Another-Horse-8');
  await go('/setup');
  const [other] = await Promise.all([context.waitForEvent('page'), press('Test sign-in with oidc:cloud')]);
  await other.locator('input[name=login]').fill('margaret');
  await other.locator('input[name=password]').fill('any');
  await other.getByRole('button', { name: 'Sign-in' }).click();
  await other.getByRole('button', { name: 'Continue' }).click();
  await other.getByText('The test is over, and nobody was signed in.', { exact: false }).waitFor();
  await other.close();
  await page.getByText('The first sign-in creates the user margaret, without any rights.', { exact: false }).waitFor();
  await page.getByRole('cell', { name: 'margaret@example.org' }).waitFor();
  await photograph(page, 'setup-sign-in-test');
  await expectNothingSerious(browser);
  await expectToFit(browser, 360);
  // The administrator is still signed in, as before.
  await go('/users/');
  await page.getByRole('link', { name: portal.userName, exact: true }).waitFor();
  expect(await page.getByText('margaret').count()).toBe(0);
});

fullSetTest(
  'a directory takes its own passwords at the form, and says the same to wrong ones and unknown names',
  async () => {
    const { page } = browser;
    const [grace] = PEOPLE;
    const tryIn = async (name: string, password: string): Promise<void> => {
      await page.getByLabel('Username').fill(name);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await press('Login');
    };
    await go('/login');
    for (const name of ['grace', 'nobody', '*']) {
      await tryIn(name, 'not-the-password');
      await page
        .getByText(name === '*' ? 'Username must not contain special characters' : 'Invalid user name or password')
        .first()
        .waitFor();
    }
    await go('/login');
    await tryIn('grace', grace!.password);
    await openUserMenu('Grace Hopper');
    expect(await page.getByRole('menuitem', { name: 'Change Password' }).count()).toBe(0);
  },
);

fullSetTest(
  'a desktop client gets its session from this browser, whichever way the person signs in there',
  async () => {
    const { page } = browser;
    const ways: [string, () => Promise<void>][] = [
      [
        'ada',
        async () => {
          await press('Company sign-in');
          await page.getByRole('button', { name: 'Continue as ada' }).click();
        },
      ],
      ['linus', () => signInAtCloud('linus')],
      [
        'grace',
        async () => {
          await page.getByLabel('Username').fill('grace');
          await page.getByLabel('Password', { exact: true }).fill(PEOPLE[0]!.password);
          await press('Login');
        },
      ],
    ];
    for (const [name, signIn] of ways) {
      await page.context().clearCookies();
      // A page without scripts, because the sign-in page may navigate while its storage is cleared.
      await page.goto(`${address}/api/health/live`);
      await page.evaluate(() => window.localStorage.clear());
      await go('/login');
      const desktop = await beginBrowserSignIn({
        net: { fetch: (url, { body, ...init }) => fetch(url, { ...init, body: body as BodyInit }) },
        shell: { openExternal: async (url) => void (await page.goto(url)) },
        clock: systemClock,
        address: `${address}/`,
      });
      await desktop.openBrowser();
      await signIn();
      await page.getByRole('heading', { name: 'Sign in to the desktop client' }).waitFor();
      await press('Continue');
      expect((await desktop.answer).UserName).toMatch(new RegExp(`^${name}`, 'i'));
      await page.getByText('Login successful. You can go back to Runsheet.').waitFor();
    }
  },
);

fullSetTest('what went wrong stands on the sign-in page', async () => {
  const { page } = browser;
  await go('/');
  // Nobody can take over the name of a local user.
  await signInAtCloud('admin');
  await page.getByText(NO_ACCESS).waitFor();
  await expectNothingSerious(browser);
  await press('Partner portal');
  await page.getByText('The sign-in provider cannot be reached. Please try again later.').waitFor();
  await page.getByRole('button', { name: 'Company sign-in', disabled: false }).waitFor();
  await go('/login?ssoError=Provider+says+no');
  await page.getByText('Provider says no').waitFor();
  await go('/activities/?q=1&sso=1&ott=made-up');
  await page.getByText('The sign-in took too long or was started in another browser. Please try again.').waitFor();
  expect(here()).toBe('/login');
});
