/** Somebody opens what they may not see, asks for access, and gets it from an administrator through the bell. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';

const PASSWORD = 'Newcomer-Pass-1';
const INITIAL_PASSWORD = 'Given-Password-1';
const OWN_PASSWORD = 'Chosen-Password-2';

let portal: Portal;
let admin: Browser;
let ada: Browser;
let adaId = '';

beforeAll(async () => {
  [portal, admin, ada] = await Promise.all([startPortal(), openBrowser(), openBrowser()]);
  await firstSignIn(admin.page, portal, PASSWORD);
  const { page } = admin;
  await visit(page, `${portal.address}/newuser/`);
  await page.getByLabel('User Name').fill('ada');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(INITIAL_PASSWORD);
  await page.getByLabel('Confirm Password').fill(INITIAL_PASSWORD);
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByText('New user created').waitFor();
  const account = { address: portal.address, userName: 'ada', password: INITIAL_PASSWORD };
  await firstSignIn(ada.page, account, OWN_PASSWORD);
});
afterAll(async () => {
  await admin.close();
  await ada.close();
  await portal.stop();
});

test('who may not see an activity reads so and asks for access, as for one that does not exist', async () => {
  const { page } = ada;
  for (const id of [999_999, 3]) {
    await page.goto(`${portal.address}/activities/${id}/`);
    await page.getByRole('heading', { name: "You don't have access to this" }).waitFor();
  }
  expect(await page.getByText('Sales commission').count()).toBe(0);
  await page.getByLabel('Why do you need it?').fill('I calculate the commissions of May.');
  await expectGoodScreen(ada, 'no-access');
  await page.getByRole('button', { name: 'Ask for access' }).click();
  await page.getByText('You asked for access').waitFor();
  await page.reload();
  await page.getByText('You asked for access').waitFor();
  await expectGoodScreen(ada, 'no-access-asked');
});

test('an administrator grants it, and the person is notified', async () => {
  const { page } = admin;
  await visit(page, `${portal.address}/accessRequests`);
  const entry = page.getByRole('listitem').filter({ hasText: 'Ada Lovelace asks for access to Sales commission' });
  await entry.getByText('I calculate the commissions of May.').waitFor();
  await expectGoodScreen(admin, 'access-requests');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  const notice = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem');
  await notice.getByText('Ada Lovelace asks for access').waitFor();
  await expectGoodScreen(admin, 'access-bell');
  await notice.getByRole('button', { name: /^Grant/ }).click();
  await page.getByText('Access granted').waitFor();
  await page.getByText('Nobody is waiting for access').waitFor();
  await ada.page.reload();
  await ada.page.getByRole('heading', { name: 'Sales commission' }).waitFor();
  await ada.page.getByRole('button', { name: 'Notifications: 1' }).click();
  await ada.page.getByText('gave you access').waitFor();
  await expectGoodScreen(ada, 'access-granted');
  await ada.page.getByRole('button', { name: /^Dismiss Sales commission/ }).click();
  await ada.page.getByText('No notifications').waitFor();
});

test('the chain of reasons says why, and one click reverses the answer', async () => {
  const { page } = admin;
  await visit(page, `${portal.address}/accessReasons`);
  await page.getByRole('searchbox', { name: 'Search people' }).fill('love');
  await page.getByRole('button', { name: /^Ada Lovelace/ }).click();
  await page.getByRole('searchbox', { name: 'Search activities' }).fill('commission');
  await page.getByRole('button', { name: /^Sales commission/ }).click();
  const reasons = page.getByRole('list', { name: 'Reasons' });
  await reasons.getByText('Ada Lovelace can run the activity').waitFor();
  await reasons.getByText('It was granted to Ada Lovelace personally, for this activity.').waitFor();
  await reasons.getByText("Ada Lovelace can't change the activity").waitFor();
  adaId = new URL(page.url()).searchParams.get('user') ?? '';
  await expectGoodScreen(admin, 'access-reasons', { isWholePage: true });
  await reasons.getByRole('button', { name: 'Take the grant back from Ada Lovelace' }).click();
  await reasons.getByText("Ada Lovelace can't run the activity").waitFor();
  await ada.page.goto(`${portal.address}/activities/3/`);
  await ada.page.getByRole('heading', { name: "You don't have access to this" }).waitFor();
});

test('the page of a user leads to the reasons, and shows what that person sees', async () => {
  const { page } = admin;
  await visit(page, `${portal.address}/edituser/${adaId}/`);
  await page.getByRole('button', { name: 'See as Ada Lovelace' }).click();
  await page.getByText('Ada Lovelace sees no activity.').waitFor();
  await page.getByRole('term').getByText('Dashboards').waitFor();
  expect(await page.getByRole('term').getByText('Administration').count()).toBe(0);
  await expectGoodScreen(admin, 'access-see-as', { isWholePage: true });
  await page.goBack();
  await page.getByRole('button', { name: 'Check access of Ada Lovelace' }).click();
  await page.getByRole('searchbox', { name: 'Search activities' }).waitFor();
  // The name is known although no activity is chosen yet.
  await page.getByRole('region', { name: 'Person' }).getByText('Ada Lovelace').waitFor();
});
