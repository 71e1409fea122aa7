/** An administrator creates a key for one activity, and replaces the key of a program. */
import { expect, test } from 'vitest';
import { photograph } from './support/pictures.ts';
import { firstSignIn, openBrowser, startPortal, visit } from './support/portal.ts';

const PASSWORD = 'Newcomer-Pass-1';

test('a key is made for chosen activities and rotated', async ({ onTestFinished }) => {
  const portal = await startPortal();
  onTestFinished(() => portal.stop());
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const { page } = browser;
  await firstSignIn(page, portal, PASSWORD);
  await visit(page, new URL('userapikeys/1/', portal.address).href);
  await page.getByLabel('Name', { exact: true }).fill('Nightly');
  await page.getByLabel('Scope').selectOption({ label: 'Run chosen activities and see their runs' });
  await expect.poll(() => page.getByRole('button', { name: 'Create API key' }).isDisabled()).toBe(true);
  await page.getByLabel('Find activities').fill('loan');
  await page.getByText('Loan schedule').click();
  await page.getByLabel('Assistants with the key start runs that change data without asking').click({ force: true });
  await photograph(page, 'api-keys-1', { isWholePage: true });
  await page.getByRole('button', { name: 'Create API key' }).click();
  const shown = page.getByRole('status').locator('code');
  const first = (await shown.textContent())!;
  const call = (key: string, path: string) =>
    fetch(new URL(path, `${portal.address}/`), { headers: { authorization: `Bearer ${key}` } });
  const listed = (await (await call(first, 'api/activities')).json()) as { result: { Activities: { Name: string }[] } };
  expect(listed.result.Activities.map(({ Name }) => Name)).toEqual(['Loan schedule']);
  await page.getByText('Run Loan schedule').waitFor();
  await page.getByText('Change data without asking', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Rotate Nightly' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('The old key').selectOption({ label: 'Expires immediately' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await photograph(page, 'api-keys-2', { isWholePage: true });
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  await expect.poll(() => shown.textContent()).not.toBe(first);
  expect((await call(first, 'api/activities')).status).toBe(401);
  expect((await call((await shown.textContent())!, 'api/activities')).status).toBe(200);
  await photograph(page, 'api-keys-3', { isWholePage: true });
});
