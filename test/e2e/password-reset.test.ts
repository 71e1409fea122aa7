/** Passwords set by mailed links: for a new user, after forgetting one, and when an administrator sends a link. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { startSmtpPeer, type SmtpPeer } from '#test/support/peers/smtp.ts';
import { until } from '#test/support/until.ts';
import { expectNothingSerious } from './support/good-screen.ts';
import { expectToFit } from './support/layout.ts';
import { photograph } from './support/pictures.ts';
import { firstSignIn, openBrowser, signIn, startPortal, type Browser, type Portal } from './support/portal.ts';

/** The portal address in mails; the real port is known only once the portal listens. */
const PUBLIC_URL = 'http://portal.example';

let mails: SmtpPeer;
let portal: Portal;
let admin: Browser;
let user: Browser;

beforeAll(async () => {
  mails = await startSmtpPeer({ authOptional: true });
  portal = await startPortal({
    RUNSHEET_SAMPLES: 'false',
    RUNSHEET_PUBLIC_URL: PUBLIC_URL,
    RUNSHEET_SMTP_HOST: 'localhost',
    RUNSHEET_SMTP_PORT: String(mails.port),
    RUNSHEET_SMTP_SECURITY: 'none',
    RUNSHEET_MAIL_FROM: 'runsheet@example.com',
  });
  [admin, user] = await Promise.all([openBrowser(), openBrowser()]);
  await firstSignIn(admin.page, portal, 'Newcomer-Pass-1');
});

afterAll(async () => {
  await Promise.all([admin.close(), user.close()]);
  await portal.stop();
  await mails.stop();
});

/** Returns the link of mail number `count`, changed to the portal's real address. */
const linkOf = (count: number): Promise<string> =>
  until(`mail ${count}`, () => {
    const text = mails.mails[count - 1]?.source.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
    const [, path] = /http:\/\/portal\.example(\S+token=\S+)/.exec(text ?? '') ?? [];
    return path && portal.address + path;
  });

async function setPassword(link: string, password: string): Promise<void> {
  const { page } = user;
  await page.goto(link);
  await page.getByLabel('Username').fill('vera');
  await page.getByLabel('New Password').fill(password);
  await page.getByLabel('Confirm Password').fill(password);
  await page.getByRole('button', { name: 'Reset Password' }).click();
}

test('a new user without a password gets a link, which leads to a page to set it', async () => {
  const { page } = admin;
  await page.goto(`${portal.address}/newuser/`);
  await page.getByLabel('User Name').fill('vera');
  await page.getByLabel('First name').fill('Vera');
  await page.getByLabel('Email').fill('vera@example.com');
  await page.getByText('a link to set it is sent').waitFor();
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByText('New user created').waitFor();
  await user.page.goto(await linkOf(1));
  await user.page.getByText('Password must be at least 8 characters').waitFor();
  await expect.poll(() => new URL(user.page.url()).search).toBe('');
  await expectNothingSerious(user);
  await expectToFit(user, 360);
  await photograph(user.page, 'reset-password');
  await setPassword(await linkOf(1), 'First-Horse-7');
  await user.page.getByText('Password reset successfully').waitFor();
  await signIn(user.page, { ...portal, userName: 'vera' }, 'First-Horse-7');
});

test('a forgotten password is reset from the sign-in page, and an old link no longer works', async () => {
  const { page } = user;
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Reset password' }).click();
  await page.getByRole('menuitem', { name: 'Send email' }).click();
  await page.getByText('Please enter your user name').waitFor();
  await page.getByLabel('Username').fill('vera');
  await page.getByRole('button', { name: 'Reset password' }).click();
  await photograph(page, 'login-reset');
  await page.getByRole('menuitem', { name: 'Send email' }).click();
  await page.getByText('An email with a password reset link has been sent').waitFor();
  await setPassword(await linkOf(1), 'Second-Horse-7');
  await page.getByText('The link is no longer valid, or it is for another user name').waitFor();
  await setPassword(await linkOf(2), 'Second-Horse-7');
  await page.getByText('Password reset successfully').waitFor();
  await signIn(page, { ...portal, userName: 'vera' }, 'Second-Horse-7');
});

fullSetTest('an administrator sends a link from the list of users', async () => {
  const { page } = admin;
  await page.goto(`${portal.address}/users/?search=vera`);
  await page.getByRole('button', { name: 'Menu of vera' }).click();
  await page.getByRole('menuitem', { name: 'Reset password by email' }).click();
  await page.getByText('An email with a password reset link has been sent to the user').waitFor();
  await setPassword(await linkOf(3), 'Third-Horse-7');
  await user.page.getByText('Password reset successfully').waitFor();
  expect([...admin.errors, ...user.errors]).toEqual([]);
});
