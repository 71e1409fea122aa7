/**
 * Triggers with the mouse in a real browser. An arriving file, a calling program, a finished run and a new row start
 * runs, and the page reports it.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signedHeaders } from '#server/automation/deliveries/signature.ts';
import { automationPortal } from './support/automation-portal.ts';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { visit } from './support/portal.ts';
import { publish } from './support/publish.ts';

const made = automationPortal();
const expectGoodScreen = (name: string) => expectGoodScreenOf(made.browser, name, { isWholePage: true });

test('a file that arrives starts a run, and the page says so', async () => {
  const { page } = made.browser;
  await visit(page, `${made.portal.address}/activities/${made.id}/`);
  await page
    .getByRole('link', { name: 'Edit the triggers' })
    .or(page.getByRole('button', { name: 'Edit the triggers' }))
    .click();
  await page.getByRole('button', { name: 'Add trigger' }).click();
  const form = page.getByRole('form', { name: 'Trigger' });
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await form.getByText('Please correct the errors shown.').waitFor();
  expect(await form.getByText('Enter a name').count()).toBe(1);
  await form.getByLabel('Name', { exact: true }).fill('Rates of the day');
  await form.getByLabel('Name of the file').fill('rates*.csv');
  await form.getByLabel('Amount', { exact: false }).first().fill('21');
  await form.getByLabel('Where Remark comes from').selectOption('event');
  await expectGoodScreen('trigger-form');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Trigger saved').waitFor();
  await writeFile(join(made.inbox, 'rates-1.csv'), 'USD,2\n');
  await page.getByRole('button', { name: 'Try Rates of the day' }).click();
  await page
    .getByRole('dialog')
    .getByText(/rates-1\.csv: |No file in Inbox/)
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByText('A file matching rates*.csv arrives').waitFor();
      return page.getByText('Last firings').isVisible();
    })
    .toBe(true);
  await page.getByText('Last firings').click();
  await page.getByRole('list', { name: 'Last firings of Rates of the day' }).getByText('Started').waitFor();
  await expectGoodScreen('triggers');
  await page.getByRole('link', { name: /^Run \d+$/ }).click();
  await page.getByText('42').first().waitFor();
});

test('a program that calls starts a run; the secret is shown once; all triggers stand on one page', async () => {
  const { page } = made.browser;
  await page.goto(`${made.portal.address}/activities/triggers/${made.id}`);
  await page.getByRole('button', { name: 'Add trigger' }).click();
  const form = page.getByRole('form', { name: 'Trigger' });
  await form.getByLabel('Name', { exact: true }).fill('Orders');
  await form.getByLabel('It starts when').selectOption('Webhook');
  await form.getByLabel('Where Amount comes from').selectOption('event');
  await form.getByLabel('Amount', { exact: false }).first().fill('/order/amount');
  await form.getByLabel('Remark', { exact: false }).first().fill('by call');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  const secret = await page.getByRole('status').locator('code').innerText();
  expect(secret).toMatch(/^whsec_/);
  const address = await page.locator('.rs-trigger-address').innerText();
  await expectGoodScreen('trigger-secret');
  const body = JSON.stringify({ order: { amount: 4 } });
  const headers = { 'content-type': 'application/json', ...signedHeaders([secret], 'msg_1', body) };
  const answer = await fetch(address, { method: 'POST', body, headers });
  expect([answer.status, (await answer.json()) as unknown]).toMatchObject([202, { result: { Outcome: 'Started' } }]);
  await page.getByRole('button', { name: 'Try Orders' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Body of a call').fill('{"order":{"amount":"x"}}');
  await dialog.getByRole('button', { name: 'Try it' }).click();
  await dialog.getByText('Amount: the value at /order/amount is not a number').waitFor();
  await expectGoodScreen('trigger-try');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Pause Orders' }).click();
  await page.getByText('Paused since').waitFor();
  await page.goto(`${made.portal.address}/triggers`);
  await page.getByRole('list', { name: 'Triggers' }).getByText('Rates of the day').waitFor();
  expect(await page.getByText('whsec_').count()).toBe(0);
  await expectGoodScreen('all-triggers');
});

test('the end of a run starts another activity, and a query says what is new', async () => {
  const { page } = made.browser;
  const plain = { sheets: [{ name: 'S', cells: { A1: 1 } }], names: { out_One: 'S!$A$1' } };
  const follower = await publish(made.browser, made.portal, { Name: 'Follows', workbook: plain });
  await page.goto(`${made.portal.address}/activities/triggers/${follower}`);
  await page.getByRole('button', { name: 'Add trigger' }).click();
  const form = page.getByRole('form', { name: 'Trigger' });
  await form.getByLabel('Name', { exact: true }).fill('After doubling');
  await form.getByLabel('It starts when').first().selectOption('Ended');
  await form.getByLabel('Run of').selectOption({ label: 'Follows' });
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await form.getByText('The triggers would start each other in an endless loop').first().waitFor();
  await form.getByLabel('Run of').selectOption({ label: 'Doubles' });
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Trigger saved').waitFor();
  await page.goto(`${made.portal.address}/activities/run/${made.id}/`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('The run was successful').waitFor();
  await page.goto(`${made.portal.address}/activities/triggers/${follower}`);
  await page.getByRole('button', { name: 'Add trigger' }).click();
  await form.getByLabel('Name', { exact: true }).fill('New orders');
  await form.getByLabel('It starts when').first().selectOption('Query');
  await form.getByLabel('Connection').selectOption('Shop');
  await form.getByLabel('Query', { exact: true }).fill('select "Id" from "Orders"');
  await expectGoodScreen('trigger-query');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Trigger saved').waitFor();
  await page.getByRole('button', { name: 'Try New orders' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/2 rows/).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('Last firings').first().click();
  const firings = page.getByRole('list', { name: 'Last firings of After doubling' });
  await firings.getByText(/Run \d+ of Doubles: Succeeded/).waitFor();

  const { knex } = made.database;
  const asked = async (): Promise<unknown> => (await knex('Triggers').where('Name', 'New orders').first()).StateText;
  await expect.poll(asked).not.toBeNull();
  await made.shop.knex('Orders').insert({ Id: 7 });
  await knex('Triggers').where('Name', 'New orders').update({ NextTime: knex.fn.now() });
  await expect.poll(() => knex('TriggerEvents').where('Message', 'New: 7').pluck('Outcome')).toEqual(['Started']);
  await page.reload();
  await page.getByText('Last firings').nth(1).click();
  await page.getByRole('list', { name: 'Last firings of New orders' }).getByText('New: 7').waitFor();
});
