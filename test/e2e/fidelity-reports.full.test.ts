/** What the report of an upload says about formulas that are compared, different and not compared, and its colours. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWorkbook, type CellSpec } from '#test/support/build-workbook.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

let portal: Portal;
let browser: Browser;
let folder: string;

beforeAll(async () => {
  [portal, browser, folder] = await Promise.all([
    startPortal(),
    openBrowser(),
    mkdtemp(join(tmpdir(), 'runsheet-fidelity-reports-')),
  ]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
  await rm(folder, { recursive: true, force: true });
});

const GOOD: Record<string, CellSpec> = {
  A1: 100,
  A2: { formula: 'A1*2', value: 200 },
  A3: { formula: 'A2+1', value: 201 },
};

async function upload(name: string, cells: Record<string, CellSpec>): Promise<void> {
  const { page } = browser;
  const file = join(folder, `${name}.xlsx`);
  const names = { in_Amount: 'Data!$A$1', out_Total: 'Data!$A$3' };
  await writeFile(file, await buildWorkbook({ sheets: [{ name: 'Data', cells }], names }));
  await page.goto(`${portal.address}/activities/new/`);
  await page.getByLabel('Activity Name').fill(name);
  await page.getByLabel('Schema').selectOption('General');
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Create Activity' }).click();
}

const report = (): Locator => browser.page.getByRole('region', { name: 'Next steps' });

/** The colour of the top sentence: 'success', 'warning', 'danger', or '' if it has none. */
async function colour(): Promise<string> {
  const classes = await report().locator('.rs-fidelity > div').first().getAttribute('class');
  return /intent-(\w+)/.exec(classes ?? '')?.[1] ?? '';
}

test('is one green sentence where all formulas were compared and are equal', async () => {
  await upload('Equal', GOOD);
  await report().getByRole('link', { name: "All 2 formulas match Excel's saved values" }).waitFor();
  expect(await report().locator('.rs-status-success.rs-fidelity-line').count()).toBe(1);
  expect(await report().getByText('Formulas not compared').count()).toBe(0);
  await expectGoodScreen(browser, 'fidelity-equal');
});

test('is not green where an output depends on a formula not compared, and names the output and the cell', async () => {
  const { page } = browser;
  const sums = Array.from(
    { length: 30 },
    (_, at) => [`D${at + 2}`, { formula: `D${at + 1}+1`, value: at + 46001 }] as const,
  );
  await upload('Partly', {
    ...GOOD,
    A3: { formula: 'A2+D1', value: 46200 },
    B1: { formula: 'B2+1', value: 0 },
    B2: { formula: 'B1+1', value: 0 },
    C1: { formula: 'A1*3', value: null },
    D1: { formula: 'TODAY()', value: 46000 },
    ...Object.fromEntries(sums),
  });
  await report().getByText('1 of 36 formulas was recalculated').waitFor();
  await report().getByText('35 formulas could not be compared. Outputs depend on 2 of them.').waitFor();
  expect(await colour()).toBe('warning');
  await report().getByText('Outputs that depend on formulas not compared').waitFor();
  for (const text of ['Total', 'Data', 'D1', 'Depends on time, random numbers, or the computer']) {
    await report().getByRole('gridcell', { name: text, exact: true }).first().waitFor();
  }
  await report().getByText('Depends on a circular reference that does not converge to a value: 2').click();
  await report().getByRole('gridcell', { name: 'B2+1' }).waitFor();
  await report().getByText('Depends on time, random numbers, or the computer: 32').click();
  await report().getByRole('gridcell', { name: 'TODAY()' }).waitFor();
  // No cell of an expanded list overlaps the next one.
  const [cell, next] = await Promise.all([
    report().getByRole('gridcell', { name: 'Data' }).last().boundingBox(),
    report().getByRole('gridcell', { name: 'B2', exact: true }).last().boundingBox(),
  ]);
  expect(cell!.x + cell!.width).toBeCloseTo(next!.x, 0);
  await expectGoodScreen(browser, 'fidelity-partly');
  await page.goto(`${portal.address}/activities/versions/all`);
  await page.getByText('1 equal, 35 not compared').waitFor();
});

test('is red where an output depends on a different value, and says what was not compared as well', async () => {
  await upload('Different', { ...GOOD, A2: { formula: 'A1*2', value: 7 }, D1: { formula: 'NOW()', value: 46000 } });
  await report().getByText('2 of 3 formulas were recalculated').waitFor();
  await report().getByText('1 formula could not be compared. No output depends on it.').waitFor();
  expect(await colour()).toBe('danger');
  await expectGoodScreen(browser, 'fidelity-different');
});

test('a refused workbook has no report, but says what to fix', async () => {
  const { page } = browser;
  await upload('Refused', { ...GOOD, A2: { formula: 'STOCKHISTORY("X",A1)', value: 7 } });
  await page.getByText('An output depends on STOCKHISTORY').first().waitFor();
  expect(await report().count()).toBe(0);
  await expectGoodScreen(browser, 'fidelity-refused');
  expect(browser.errors).toEqual([]);
});
