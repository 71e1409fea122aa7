/** A form whose workbook restricts the input, in the browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { RULED } from '#test/support/ruled-workbook.ts';
import { expectNothingSerious } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { publish } from './support/publish.ts';

const PASSWORD = 'Newcomer-Pass-1';

let portal: Portal;
let browser: Browser;
let ruled: number;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser()]);
  await firstSignIn(browser.page, portal, PASSWORD);
  ruled = await publish(browser, portal, { Name: 'Ruled', workbook: RULED, hasSimultaneousRuns: true });
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const field = (name: string) => browser.page.getByLabel(name, { exact: true });
const shown = (text: string) => browser.page.getByText(text, { exact: true }).first().waitFor();

describe('a form with rules', () => {
  test('says under its fields what is allowed, and follows what is filled in', async () => {
    const { page } = browser;
    await visit(page, `${portal.address}/activities/run/${ruled}`);
    await shown('1 to 40');
    await shown('0% to 25%');
    await shown('1/Jan/2026 to 31/Dec/2026');
    await shown('from 08:30 on');
    await shown('more than 2 characters');
    await shown('From: more than 0');
    await shown('at most 10');
    await field('Years').fill('30');
    await shown('at most 30');
    await expectNothingSerious(browser);
  });

  test('refuses what a rule stops, with its words, and loses nothing', async () => {
    const { page } = browser;
    await field('Years').fill('99.5');
    await field('Rate').fill('26%');
    await field('Code').fill('AB');
    await field('Boxes').fill('3');
    await field('Many').fill('500');
    await shown('Rather many');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await shown('Value must be between 1 and 40');
    await shown('Value must be between 0% and 25%');
    await shown('Value must have more than 2 characters');
    await page.getByText('Only even numbers of boxes').first().waitFor();
    expect(await field('Years').inputValue()).toBe('99.5');
  });

  fullSetTest('starts what only a warning is about, once the rest is right', async () => {
    const { page } = browser;
    await field('Years').fill('30');
    await field('Rate').fill('10%');
    await field('Code').fill('ABC');
    await field('Boxes').fill('4');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText("Input 'Many': Rather many").first().waitFor();
    await page.getByText('The run succeeded with warnings').first().waitFor();
  });

  fullSetTest('of the loan refuses 99.5 years', async () => {
    const { page } = browser;
    await page.goto(`${portal.address}/activities/`);
    await page.getByRole('link', { name: 'Loan schedule', exact: true }).click();
    await page.getByRole('button', { name: 'Run Now' }).first().click();
    await shown('1 to 40');
    await field('Term in Years').fill('99.5');
    await page.getByRole('button', { name: 'Calculate', exact: true }).click();
    await shown('Value must be between 1 and 40');
    expect(page.url()).not.toContain('runstatus');
  });
});
