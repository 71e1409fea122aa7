/**
 * An administrator creates directory users (in OpenLDAP's own server, if installed), and they sign in with their
 * directory passwords.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCertificate, makeServerCertificate } from '#test/support/peers/certificates.ts';
import { DIRECTORY_SETTINGS, PEOPLE, type DirectoryPeer } from '#test/support/peers/ldap-people.ts';
import { startLdapPeer } from '#test/support/peers/ldap.ts';
import { hasSlapd, startSlapdPeer } from '#test/support/peers/slapd.ts';
import { seriousViolations } from './support/axe.ts';
import { expectToFit } from './support/layout.ts';
import { openFromMenu } from './support/menu.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

const ADMIN_PASSWORD = 'Newcomer-Pass-1';
const [grace] = PEOPLE;

let folder: string;
let directory: DirectoryPeer;
let portal: Portal;
let admin: Browser;
let user: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runsheet-directory-users-'));
  const authority = await makeCertificate('Test authority', { isAuthority: true });
  const own = await makeServerCertificate(authority);
  directory = await (hasSlapd() ? startSlapdPeer(own, authority.certificate) : startLdapPeer(own));
  await writeFile(join(folder, 'ca.pem'), authority.certificate);
  const settings = { ...DIRECTORY_SETTINGS, urls: [directory.url], caFile: 'ca.pem' };
  const path = join(folder, 'sign-in.json');
  await writeFile(path, JSON.stringify({ directories: [settings] }));
  [portal, admin, user] = await Promise.all([
    startPortal({ RUNSHEET_SIGN_IN_FILE: path, RUNSHEET_SAMPLES: 'false' }),
    openBrowser(),
    openBrowser(),
  ]);
  await firstSignIn(admin.page, portal, ADMIN_PASSWORD);
});
afterAll(async () => {
  await Promise.all([admin.close(), user.close()]);
  await portal.stop();
  await directory.stop();
  await rm(folder, { recursive: true, force: true });
  expect([...admin.errors, ...user.errors]).toEqual([]);
});

async function tryIn(name: string): Promise<void> {
  const { page } = user;
  await page.goto(`${portal.address}/login`);
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(grace!.password);
  await page.getByRole('button', { name: 'Login' }).click();
}

test('who is nobody here does not come in, though the directory knows the password', async () => {
  await tryIn('ghopper');
  await user.page.getByText('Invalid user name or password').first().waitFor();
});

test('creates a user from the entry of the directory, under a unique name', async () => {
  const { page } = admin;
  await openFromMenu(page, 'Administration', 'New User');
  await page.getByLabel('Source').selectOption({ label: 'corp (directory)' });
  expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0);
  expect(await page.getByLabel('First name').getAttribute('readonly')).not.toBeNull();
  await page.getByRole('button', { name: 'Fetch from directory' }).click();
  await page.getByText('User name must be specified').first().waitFor();
  await page.getByLabel('User Name').fill('ghopper');
  await page.getByRole('button', { name: 'Fetch from directory' }).click();
  await page.getByText('The directory has no user of this name').first().waitFor();
  await page.getByLabel('Directory name').fill('grace');
  await page.getByText('The directory name differs from the user name.').waitFor();
  await page.getByRole('button', { name: 'Fetch from directory' }).click();
  await page.getByText('Attributes fetched from Active Directory').waitFor();
  expect(await page.getByLabel('Last name').inputValue()).toBe('Hopper');
  expect(await seriousViolations(admin)).toEqual([]);
  await expectToFit(admin, 360);
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByText('New user created').waitFor();
  await page.getByRole('gridcell', { name: 'AD corp', exact: true }).waitFor();
});

test('who was made so signs in with the password of the directory', async () => {
  await tryIn('ghopper');
  await user.page.getByRole('button', { name: 'User menu of Grace Hopper' }).waitFor();
});

test('the details of such a user are shown, and can be read only', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: 'Menu of ghopper' }).click();
  await page.getByRole('menuitem', { name: 'Details' }).click();
  await page.getByText('uid=grace,ou=people,dc=example,dc=org').waitFor();
  expect(await page.getByLabel('User Name').getAttribute('readonly')).not.toBeNull();
  expect(await seriousViolations(admin)).toEqual([]);
  await page.getByText('Administrator: has every right').click();
  await page.getByRole('button', { name: 'Update user' }).click();
  await page.getByText('User Details Updated').waitFor();
});
