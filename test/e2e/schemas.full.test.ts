/** Schemas are created, ordered, renamed and deleted on their page. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '#test/support/until.ts';
import { expectNothingSerious } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';

let portal: Portal;
let browser: Browser;
beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

test('a schema is added, moved, renamed and deleted', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/schemas`);
  const order = async (): Promise<string> => (await page.getByRole('gridcell').allInnerTexts()).join('\n');
  const isBefore = async (one: string, other: string) => {
    const text = await order();
    return text.includes(one) && text.indexOf(one) < text.indexOf(other);
  };
  await page.getByLabel('Name of the new schema').fill('Treasury');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('button', { name: 'Move Treasury up' }).click();
  await until('it stands before the samples', () => isBefore('Treasury', 'Samples'));
  await page.getByRole('button', { name: 'Rename Samples' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename Samples' });
  await dialog.getByLabel('Display name').fill('Examples to try');
  await expectNothingSerious(browser);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('Examples to try').waitFor();
  expect(await page.getByRole('button', { name: 'Delete Examples to try' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Delete Treasury' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await until('it is gone', async () => !(await order()).includes('Treasury'));
});
