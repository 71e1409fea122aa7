import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectToFit } from './support/layout.ts';
import { openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';

const PASSWORD = 'Languages-Pass-1';

let portal: Portal;
let german: Browser;
let english: Browser;

beforeAll(async () => {
  [portal, german, english] = await Promise.all([
    startPortal(),
    openBrowser({ locale: 'de-AT' }),
    openBrowser({ locale: 'en-GB' }),
  ]);
});
afterAll(async () => {
  await Promise.all([german.close(), english.close()]);
  await portal.stop();
});

const languageOf = (page: Page): Promise<string | null> => page.locator('html').getAttribute('lang');

test('who has not signed in reads the language of the browser, also what is wrong', async () => {
  const { page } = german;
  await visit(page, `${portal.address}/login`);
  await page.getByLabel('Benutzername').fill(portal.userName);
  await page.getByLabel('Kennwort').fill('wrong');
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.getByText('Ungültiger Benutzername oder ungültiges Kennwort').waitFor();
  expect(await languageOf(page)).toBe('de');
  await expectToFit({ page }, 360);
});

test('signs in, changes the password and runs an activity in German', async () => {
  const { page } = german;
  await page.getByLabel('Kennwort').fill(portal.password);
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.getByLabel('Neues Kennwort', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Neues Kennwort bestätigen').fill(PASSWORD);
  await page.getByRole('button', { name: 'Ändern' }).click();
  await page.getByRole('heading', { name: 'Aktivitäten' }).waitFor();
  await expectToFit({ page }, 360);
  await page.getByRole('link', { name: 'Sales commission' }).click();
  await page.getByRole('heading', { name: 'Meine letzten Läufe' }).or(page.getByText('Letzte Läufe')).first().waitFor();
  await expectToFit({ page }, 360);
  await page.getByRole('button', { name: 'Jetzt ausführen' }).first().click();
  await page.getByLabel('Bonus Rate').waitFor();
  await expectToFit({ page }, 360);
  await page.getByLabel('Bonus Rate').press('Control+Enter');
  await page.getByText('Der Lauf war erfolgreich').waitFor();
  await expectToFit({ page }, 360);
  expect(german.errors).toEqual([]);
});

fullSetTest('the other pages are German, and fit a telephone', async () => {
  const { page } = german;
  for (const [path, heading] of [
    ['/activities/runhistory', 'Verlauf der Läufe'],
    ['/schedules', 'Zeitpläne'],
    ['/users/', 'Benutzer'],
    ['/rights/', 'Rechte'],
    ['/system', 'System'],
    ['/setup', 'Einrichtung'],
    ['/newusers/', 'Mehrere Benutzer hinzufügen'],
  ] as const) {
    await page.goto(`${portal.address}${path}`);
    await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
    await expectToFit({ page }, 360);
  }
  expect(german.errors).toEqual([]);
});

fullSetTest('a thousand days of keeping, typed as Germans write them, are a thousand', async () => {
  const { page } = german;
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('link', { name: 'Sales commission' }).click();
  await page.waitForURL(/activities\/\d+/);
  const [, id = ''] = /activities\/(\d+)/.exec(page.url()) ?? [];
  const address = `${portal.address}/activities/runretention/edit/${id}`;
  const days = page.getByLabel('Aufbewahrungsdauer der Läufe');
  await page.goto(address);
  await days.fill('1.000');
  await page.getByRole('button', { name: 'Aktualisieren' }).click();
  await page.getByText('Aufbewahrung der Läufe aktualisiert').waitFor();
  await page.goto(address);
  await expect.poll(() => days.inputValue()).toBe('1000');
});

fullSetTest('a trigger is created and shown in German', async () => {
  const { page } = german;
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('link', { name: 'Loan schedule' }).click();
  await page.waitForURL(/activities\/\d+/);
  const [, id = ''] = /activities\/(\d+)/.exec(page.url()) ?? [];
  await page.goto(`${portal.address}/activities/triggers/${id}`);
  await page.getByRole('button', { name: 'Auslöser hinzufügen' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Auftrag');
  await page.getByLabel('Sie startet, wenn').first().selectOption({ label: 'Ein Programm ruft auf' });
  await page.getByRole('button', { name: 'Hinzufügen' }).click();
  await page.getByText('Das ist das Geheimnis von Auftrag.').waitFor();
  await page.getByText('Ein Programm ruft auf').waitFor();
  await page.goto(`${portal.address}/triggers`);
  await page.getByText('Auftrag: ein Programm ruft auf, als').waitFor();
});

fullSetTest('a chosen language comes along to another computer, and can follow the browser again', async () => {
  const { page } = german;
  await page.getByRole('button', { name: /^Benutzermenü/ }).click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  const other = english.page;
  await other.goto(`${portal.address}/login`);
  await other.getByLabel('Username').fill(portal.userName);
  await other.getByLabel('Password').fill(PASSWORD);
  await other.getByRole('button', { name: 'Login' }).click();
  await other.getByRole('heading', { name: 'Aktivitäten' }).waitFor();
  await other.getByRole('button', { name: /^Benutzermenü/ }).click();
  await other.getByRole('menuitem', { name: 'Wie der Browser' }).click();
  await other.getByRole('heading', { name: 'Activities' }).waitFor();
  expect(await languageOf(other)).toBe('en');
});
