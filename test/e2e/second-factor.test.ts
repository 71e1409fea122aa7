/** The second factor: turned on by a user, required by an administrator, replaced by a recovery code, removed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf } from '#test/support/authenticator.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectNothingSerious } from './support/good-screen.ts';
import { expectToFit } from './support/layout.ts';
import { photograph } from './support/pictures.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

const ADMIN_PASSWORD = 'Newcomer-Pass-1';
const INITIAL_PASSWORD = 'Given-Horse-7';
const OWN_PASSWORD = 'Own-Horse-8';

let portal: Portal;
let admin: Browser;
let user: Browser;

beforeAll(async () => {
  [portal, admin, user] = await Promise.all([
    startPortal({ RUNSHEET_SAMPLES: 'false' }),
    openBrowser(),
    openBrowser({ colorScheme: 'dark' }),
  ]);
  await firstSignIn(admin.page, portal, ADMIN_PASSWORD);
});

afterAll(async () => {
  await Promise.all([admin.close(), user.close()]);
  await portal.stop();
});

async function signOut({ page }: Browser): Promise<void> {
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Login' }).waitFor();
}

async function enter({ page }: Browser, userName: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(userName);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

async function enterCode({ page }: Browser, code: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: /^(Login|Change)$/ }).click();
}

async function keyOn({ page }: Browser): Promise<string> {
  return (await page.getByLabel('Key for the app').textContent()) ?? '';
}

/** The requirements for every screen. */
async function expectGoodPage(browser: Browser, name: string): Promise<void> {
  await photograph(browser.page, name);
  await expectNothingSerious(browser);
  await expectToFit(browser, 360);
}

test('one turns it on with the password and a first code, and keeps the recovery codes', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('menuitem', { name: 'Two-step sign-in' }).click();
  await page.getByText('Your second factor is off').waitFor();
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByLabel('Password', { exact: true }).fill('Wrong-Horse-7');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('The password is wrong').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  const key = await keyOn(admin);
  await page.getByRole('img', { name: /^QR code of the key/ }).waitFor();
  await expectGoodPage(admin, 'factor-setup');
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('The code is wrong').waitFor();
  await page.getByLabel('Code', { exact: true }).fill(codeOf(key));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  await expectGoodPage(admin, 'factor-codes');
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('10 recovery codes are left.').waitFor();
  await expectGoodPage(admin, 'factor-on');

  await signOut(admin);
  await enter(admin, portal.userName, ADMIN_PASSWORD);
  await page.getByText('Please enter the code of your authenticator app').waitFor();
  await expectGoodPage(admin, 'factor-asked');
  await enterCode(admin, '000000');
  await page.getByText('The code is wrong').waitFor();
  await enterCode(admin, codeOf(key, 1));
  await page.getByRole('heading', { name: 'Activities' }).waitFor();

  await signOut(admin);
  await enter(admin, portal.userName, ADMIN_PASSWORD);
  await enterCode(admin, codes[0]!);
  await page.getByRole('heading', { name: 'Activities' }).waitFor();
  await page.goto(`${portal.address}/secondfactor`);
  await page.getByText('9 recovery codes are left.').waitFor();
});

fullSetTest(
  'an administrator asks it of a user, who sets it up while signing in with a password that must be changed',
  async () => {
    const { page } = admin;
    await page.goto(`${portal.address}/newuser/`);
    await page.getByLabel('User Name').fill('vera');
    await page.getByLabel('First name').fill('Vera');
    await page.getByLabel('Password', { exact: true }).fill(INITIAL_PASSWORD);
    await page.getByLabel('Confirm Password').fill(INITIAL_PASSWORD);
    await page.getByText('Must sign in with a second factor').click();
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('gridcell', { name: 'Required' }).waitFor();

    await user.page.goto(portal.address);
    await enter(user, 'vera', INITIAL_PASSWORD);
    await user.page.getByLabel('New Password', { exact: true }).fill(OWN_PASSWORD);
    await user.page.getByLabel('Confirm New Password').fill(OWN_PASSWORD);
    await user.page.getByRole('button', { name: 'Change' }).click();
    await user.page.getByText('You must set up a second factor before you can continue').waitFor();
    await expectGoodPage(user, 'login-setup');
    await enterCode(user, codeOf(await keyOn(user)));
    await user.page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    await expectGoodPage(user, 'login-codes');
    await user.page.getByRole('button', { name: 'I have saved them' }).click();
    await user.page.getByRole('heading', { name: 'Activities' }).waitFor();
  },
);

fullSetTest(
  'an administrator takes off a factor that was lost: the session ends, and the next sign-in sets up another',
  async () => {
    const { page } = admin;
    await page.goto(`${portal.address}/users/?search=vera`);
    await page.getByRole('gridcell', { name: 'On', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Menu of vera' }).click();
    await page.getByRole('menuitem', { name: 'Remove second factor' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('gridcell', { name: 'Required' }).waitFor();
    await user.page.goto(`${portal.address}/secondfactor`);
    await enter(user, 'vera', OWN_PASSWORD);
    await user.page.getByText('You must set up a second factor').waitFor();
    await user.page.getByRole('button', { name: 'Start again' }).click();
    await user.page.getByLabel('Code', { exact: true }).waitFor({ state: 'detached' });
    expect([...admin.errors, ...user.errors]).toEqual([]);
  },
);
