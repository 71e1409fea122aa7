/** Two people edit the same thing: nobody overwrites the other without noticing, and nothing that was typed is lost. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectNothingSerious } from './support/good-screen.ts';
import { fallAsleep } from './support/inactivity.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

const PASSWORD = 'Newcomer-Pass-1';

let portal: Portal;
let mine: Browser;
let theirs: Browser;

beforeAll(async () => {
  [portal, mine, theirs] = await Promise.all([startPortal(), openBrowser(), openBrowser()]);
  await firstSignIn(mine.page, portal, PASSWORD);
  await theirs.page.goto(portal.address);
  await signIn(theirs.page);
});

afterAll(async () => {
  await Promise.all([mine.close(), theirs.close()]);
  await portal.stop();
});

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Username').fill(portal.userName);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('button', { name: 'Login' }).waitFor({ state: 'detached' });
}

const daysOf = (page: Page) => page.getByLabel('Run Retention Period', { exact: false }).first();
const update = (page: Page) => page.getByRole('button', { name: 'Update', exact: true }).click();
const conflictOf = (page: Page) => page.getByRole('alert').filter({ hasText: 'changed this on' });

async function open(page: Page): Promise<void> {
  await page.goto(`${portal.address}/activities/runretention/edit/3`);
  await daysOf(page).waitFor();
}

async function saveTheirs(days: string): Promise<void> {
  await open(theirs.page);
  await daysOf(theirs.page).fill(days);
  await update(theirs.page);
  await theirs.page.getByText('Run retention updated').waitFor();
}

test('a later save says who changed it, shows both versions, and overwrites on purpose', async () => {
  const { page } = mine;
  await open(page);
  await daysOf(page).fill('10');
  await saveTheirs('20');
  await update(page);
  await conflictOf(page).waitFor();
  await expectNothingSerious(mine);
  expect(await daysOf(page).inputValue()).toBe('10');
  await page.getByRole('button', { name: 'Show theirs' }).click();
  expect(await daysOf(page).inputValue()).toBe('20');
  await page.getByRole('button', { name: 'Show mine' }).click();
  expect(await daysOf(page).inputValue()).toBe('10');
  await page.getByRole('button', { name: 'Overwrite with mine' }).click();
  await page.getByText('Run retention updated').waitFor();
  await open(page);
  expect(await daysOf(page).inputValue()).toBe('10');
});

fullSetTest('who discards their version continues with the other one', async () => {
  const { page } = mine;
  await open(page);
  await daysOf(page).fill('11');
  await saveTheirs('21');
  await update(page);
  await page.getByRole('button', { name: 'Discard mine and open theirs' }).click();
  await conflictOf(page).waitFor({ state: 'detached' });
  expect(await daysOf(page).inputValue()).toBe('21');
  await daysOf(page).fill('12');
  await update(page);
  await page.getByText('Run retention updated').waitFor();
});

fullSetTest('a form that comes back after the session ended knows the version that it was made from', async () => {
  const { page } = mine;
  await open(page);
  await daysOf(page).fill('13');
  await fallAsleep(mine);
  await saveTheirs('23');
  await signIn(page);
  await page.getByText('What you entered earlier is back.').waitFor();
  expect(await daysOf(page).inputValue()).toBe('13');
  await update(page);
  await conflictOf(page).waitFor();
  expect(await daysOf(page).inputValue()).toBe('13');
});
