/**
 * Creates an alert on an activity, tests it, triggers it and checks it; a webhook with its log. In a real browser, with
 * axe and a small screen.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALERT_NAME_MAX } from '#shared/contract/alerts.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { startHttpPeer, type HttpPeer } from '#test/support/peers/http.ts';
import { expectNote, tick } from './support/controls.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { publish } from './support/publish.ts';

let portal: Portal;
let browser: Browser;
let receiver: HttpPeer;

beforeAll(async () => {
  [portal, browser, receiver] = await Promise.all([
    startPortal({ RUNSHEET_WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.0/8' }),
    openBrowser(),
    startHttpPeer(),
  ]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
  await receiver.stop();
});

test('an alert is made on the home of an activity, tried, fires, and is looked at', async () => {
  const { page } = browser;
  const sheet = { name: 'Sheet1', cells: { A1: { formula: '6*7', value: 42 } } };
  const id = await publish(browser, portal, {
    Name: 'Answer',
    workbook: { sheets: [sheet], names: { out_Answer: 'Sheet1!$A$1' } },
  });
  await visit(page, `${portal.address}/activities/${id}`);
  await page.getByRole('button', { name: 'Edit the alerts' }).click();
  await page.getByText('No alerts yet').waitFor();
  await page.getByRole('button', { name: 'New alert' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('The answer is large');
  await dialog.getByLabel('When').selectOption({ label: 'An output meets a condition' });
  await dialog.getByLabel('Condition').fill('Answer > 40');
  await dialog.getByLabel('Search roles and people: Who is notified').fill(portal.userName);
  await tick(dialog.getByRole('group', { name: 'Who is notified' }).getByLabel(`(${portal.userName})`), true);
  await dialog.getByRole('button', { name: 'Add a channel' }).click();
  await dialog.getByLabel('Address of channel 1').fill(`${receiver.url}/teams`);
  await expectGoodScreen(browser, 'alert-dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Answer > 40').waitFor();
  await page.getByRole('button', { name: 'Send a test of The answer is large' }).click();
  await expect.poll(() => receiver.received.length).toBe(1);

  await visit(page, `${portal.address}/activities/run/${id}/`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(receiver.received[1]!.body).toContain('Answer > 40: Answer is 42');
  await visit(page, `${portal.address}/activities/alerts/${id}`);
  await page.getByText('1 sent').first().waitFor();
  await expectGoodScreen(browser, 'alerts');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  const seen = page.waitForResponse('**/api/alerts/firings/*/seen');
  await page
    .getByRole('link', { name: /Answer > 40: Answer is 42/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Open the run' }).waitFor();
  await expectGoodScreen(browser, 'firing');
  await seen;
  await page.reload();
  await page.getByText(/, seen .* by /).waitFor();
  expect(browser.errors).toEqual([]);
});

test('a rule for many activities is created, fires, and is muted on the page of all alerts', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/alerts`);
  await page.getByText('The answer is large').waitFor();
  await page.getByRole('button', { name: 'New alert rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('All answers');
  await dialog.getByLabel('Covers').selectOption({ label: 'Names that match a pattern' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectNote(dialog.getByLabel('Pattern'), 'Enter a pattern');
  await dialog.getByLabel('Pattern').fill('ans*');
  await dialog.getByText('Currently 1 activity and 0 workflows: Answer').waitFor();
  await tick(dialog.getByRole('group', { name: 'Outcomes' }).getByLabel('Succeeded', { exact: true }), true);
  await expectGoodScreen(browser, 'alert-rule-dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const entry = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem').filter({ hasText: 'All answers' });
  await entry.getByText('Names like ans*').waitFor();
  await entry.getByText('It has not fired yet').waitFor();
  await visit(page, `${portal.address}/activities/`);
  await page.getByRole('link', { name: 'Answer', exact: true }).click();
  await page.getByRole('button', { name: 'Run Now' }).first().click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('The run was successful').first().waitFor();
  await visit(page, `${portal.address}/alerts`);
  await entry.getByText(/^Fired /).waitFor();
  await entry.getByRole('button', { name: 'Mute All answers' }).click();
  await page.getByRole('menuitem', { name: 'For 1 day' }).click();
  await entry.getByText(/^Muted until /).waitFor();
  await expectGoodScreen(browser, 'all-alerts');
  await entry.getByRole('button', { name: 'Unmute All answers' }).click();
  await entry.getByRole('button', { name: 'Mute All answers' }).waitFor();
  expect(browser.errors).toEqual([]);
});

fullSetTest(
  'what is wrong with an alert stands at its fields, also what the server refuses, and a long name stays whole',
  async () => {
    const { page } = browser;
    await page.goto(`${portal.address}/activities/`);
    await page.getByRole('link', { name: 'Answer', exact: true }).click();
    await page.getByRole('button', { name: 'Edit the alerts' }).click();
    await page.getByRole('button', { name: 'New alert' }).click();
    const dialog = page.getByRole('dialog');
    const save = (): Promise<void> => dialog.getByRole('button', { name: 'Save' }).click();
    const receivers = dialog.getByRole('group', { name: 'Who is notified', exact: true });
    await dialog.getByLabel('When').selectOption({ label: 'It takes longer than usual' });
    await dialog.getByLabel('Times the usual duration').fill('0');
    await save();
    await dialog.getByRole('alert').getByText('Please correct the errors shown.').waitFor();
    expect(await dialog.getByRole('alert').getByRole('listitem').count()).toBe(0);
    await expectNote(dialog.getByLabel('Name'), 'Enter a name');
    await expectNote(
      dialog.getByLabel('Times the usual duration'),
      'Enter how many times as long as usual: a number from 1 to 1,000',
    );
    await expectNote(receivers, 'Choose who is notified');
    await expectGoodScreen(browser, 'alert-errors');

    const name = dialog.getByLabel('Name');
    await name.fill('x'.repeat(ALERT_NAME_MAX + 5));
    await expectNote(name, '105 of 100 characters: 5 too many');
    expect(await name.inputValue()).toHaveLength(ALERT_NAME_MAX + 5);
    await dialog.getByLabel('Search roles and people: Who is notified').fill(portal.userName);
    await tick(receivers.getByLabel(`(${portal.userName})`), true);
    await dialog.getByLabel('When').selectOption({ label: 'An output meets a condition' });
    await dialog.getByLabel('Condition').fill('Question > 40');
    await save();
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
    await name.fill('Unknown');
    await save();
    await expectNote(dialog.getByLabel('Condition'), 'There is no output Question that a condition can compare');
    expect(await page.getByText('There is no output Question').count()).toBe(1);
    await dialog.getByLabel('Condition').fill('Answer > 41');
    await save();
    await page.getByText('Answer > 41').waitFor();
  },
);

fullSetTest('quiet hours and the summary of the day are set in the menu of the user', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('menuitem', { name: 'Notification settings' }).click();
  const ownRuns = page.getByRole('group', { name: 'My runs' });
  await tick(ownRuns.getByLabel('In the portal'), false);
  expect(await ownRuns.getByLabel('On the desktop').isDisabled()).toBe(true);
  await page.getByLabel('Of my runs').selectOption({ label: 'Problems and runs that succeeded' });
  await tick(page.getByLabel('Do not notify me of alerts at certain hours'), true);
  await tick(page.getByLabel('Send me an email once a day'), true);
  await page.getByLabel('From').fill('21:30');
  await page.getByText('This portal does not send email.').waitFor();
  await expectGoodScreen(browser, 'settings');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved').waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel('From').inputValue()).toBe('21:30');
  expect(await ownRuns.getByLabel('In the portal').isChecked()).toBe(false);
  expect(await page.getByLabel('Of my runs').inputValue()).toBe('All');
});

fullSetTest('a webhook is made, shows its secret once, and logs what it sent', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/webhooks`);
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByLabel('Name').fill('Operations');
  await page.getByLabel('Address').fill(`${receiver.url}/hook`);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText(/whsec_/).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Create a new secret' }).waitFor();
  expect(await page.getByText(/whsec_/).count()).toBe(0);
  receiver.answer = 503;
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('It answered 503').waitFor();
  await expectGoodScreen(browser, 'webhook');
  await page.getByText('It answered 503').click();
  await page.getByRole('dialog').getByText('webhook-id').waitFor();
  await expectGoodScreen(browser, 'delivery');
  await page.getByRole('button', { name: 'Close' }).last().click();
  await page.goto(`${portal.address}/webhooks`);
  await page.getByRole('link', { name: 'Operations' }).waitFor();
  await expectGoodScreen(browser, 'webhooks');
  expect(browser.errors).toEqual([]);
});
