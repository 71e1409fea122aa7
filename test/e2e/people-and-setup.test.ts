/** An administrator adds several people, acts on several users at once, and looks at the setup of the server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIL_USER, startSmtpPeer, type SmtpPeer } from '#test/support/peers/smtp.ts';
import { tick } from './support/controls.ts';
import { openFromMenu } from './support/menu.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, visit, type Browser, type Portal } from './support/portal.ts';

let mails: SmtpPeer;
let portal: Portal;
let admin: Browser;

beforeAll(async () => {
  mails = await startSmtpPeer({ authOptional: true });
  [portal, admin] = await Promise.all([
    startPortal({
      RUNSHEET_SMTP_HOST: 'localhost',
      RUNSHEET_SMTP_PORT: String(mails.port),
      RUNSHEET_SMTP_SECURITY: 'none',
      RUNSHEET_MAIL_FROM: 'runsheet@example.com',
    }),
    openBrowser(),
  ]);
  await firstSignIn(admin.page, portal, 'Newcomer-Pass-1');
});

afterAll(async () => {
  await admin.close();
  await portal.stop();
  await mails.stop();
});

const LIST = [
  'UserName,Vorname,Nachname,E-Mail,Abteilung',
  'ann,Ann,Lee,ann@example.com,Sales',
  'bob,Bob,Ray,bob@example.com,Sales',
  'ANN,Ann,Again,ann@example.com,Sales',
  'a&b,Amp,Ersand,amp@example.com,Sales',
].join('\n');

test('a dropped CSV file is previewed, and its people become users with roles and links to pass on', async () => {
  const { page } = admin;
  await visit(page, `${portal.address}/roles/`);
  await page.getByLabel('Name of the new role').fill('Sales');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('gridcell', { name: 'Sales' }).waitFor();
  await visit(page, `${portal.address}/users/`);
  await page.getByRole('button', { name: 'Add several users' }).click();
  await page
    .getByLabel('CSV file', { exact: true })
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(LIST) });
  await expect.poll(() => page.getByRole('textbox', { name: 'People' }).inputValue()).toBe(LIST);
  await tick(page.getByRole('checkbox', { name: 'Sales' }));
  await expectGoodScreen(admin, 'add-users');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('2 new, 0 existing, 1 invalid, 1 duplicate').waitFor();
  await page.getByText('These columns are not used: Abteilung').waitFor();
  await expectGoodScreen(admin, 'add-users-preview');
  await page.getByRole('button', { name: 'Add 2 users' }).click();
  await page.getByText('2 created, 0 invited by email, 0 added to roles, 0 with problems').waitFor();
  await page
    .getByRole('gridcell', { name: /\/resetpassword\?token=/ })
    .first()
    .waitFor();
  await expectGoodScreen(admin, 'add-users-result');
  // The links are shown only here, so leaving asks first.
  await page.getByRole('button', { name: 'Users', exact: true }).click();
  await page.getByText('Are you sure you want to leave?').waitFor();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('gridcell', { name: 'ann@example.com' }).waitFor();
});

test('several users are ticked, put into a role and disabled, and who stays as before is named', async () => {
  const { page } = admin;
  await visit(page, `${portal.address}/users/`);
  for (const name of ['ann', 'bob', 'admin']) await tick(page.getByLabel(`Select ${name}`));
  await page.getByText('3 selected').waitFor();
  await page.getByRole('button', { name: 'Remove from roles…' }).click();
  await tick(page.getByRole('dialog').getByRole('checkbox', { name: 'Sales' }));
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Roles changed').waitFor();
  await page.getByRole('button', { name: 'Disable selected' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  const problems = page.getByRole('dialog', { name: 'Not everything was changed' });
  await problems.getByText('admin: You cannot disable or delete yourself').waitFor();
  await problems.getByRole('button', { name: 'Close' }).last().click();
  await expect.poll(() => page.getByRole('gridcell', { name: 'Disabled' }).count()).toBe(2);
  await expectGoodScreen(admin, 'users-selected');
});

test('the page Setup shows each part, sends a test mail and checks the database', async () => {
  const { page } = admin;
  await openFromMenu(page, 'Administration', 'Setup');
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  await part('Address and TLS').getByText('Not set up').waitFor();
  await part('Mail').getByLabel('Send a test email to').fill('me@example.com');
  await part('Mail').getByRole('button', { name: 'Send a test email' }).click();
  await part('Mail').getByText('The mail server accepted the email to me@example.com.').waitFor();
  expect(mails.mails.map(({ to }) => to)).toEqual([['me@example.com']]);
  await part('Database').getByRole('button', { name: 'Check the database' }).click();
  await part('Database').getByText('The database').nth(1).waitFor();
  await part('Mail').getByText('Settings: Mail').click();
  await part('Mail').getByText('RUNSHEET_SMTP_PASSWORD_FILE=/run/secrets/runsheet_smtp_password').waitFor();
  expect(await page.content()).not.toContain(MAIL_USER.password);
  await expectGoodScreen(admin, 'setup');
});
