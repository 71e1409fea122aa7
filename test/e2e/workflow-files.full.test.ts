/** Workflows as YAML files in a real browser: exported from the versions of one, refused with a line, and imported. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, visit, type Browser, type Portal } from './support/portal.ts';
import { workflowScreens } from './support/workflow-screens.ts';

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

const expectGoodScreen = (name: string) => expectGoodScreenOf(browser, `workflow-files-${name}`, { isWholePage: true });

test('a version is exported as YAML, and imported after what is wrong in it was corrected', async () => {
  const { page } = browser;
  await workflowScreens(browser, portal).openMenu('Monthly close', 'View All Versions');
  await page.getByRole('button', { name: 'Menu of version 1', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Export as YAML' }).waitFor();
  await expectGoodScreen('menu');
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export as YAML' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('Monthly close 1.workflow.yaml');
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toContain('activity: { schema: Samples, name: Invoice reconciliation }');

  await visit(page, `${portal.address}/workflows/import`);
  const choose = (content: string) =>
    page
      .getByLabel('File of a workflow')
      .setInputFiles({ name: 'close.yaml', mimeType: 'application/yaml', buffer: Buffer.from(content) });
  await page.getByLabel('Schema').selectOption('Samples');
  await page.getByLabel('Name').fill('Close from a file');
  await choose(text.replace('condition:', 'conditon:'));
  const submit = page.getByRole('button', { name: 'Import workflow', exact: true });
  await submit.click();
  const line = text.slice(0, text.indexOf('    condition:')).split('\n').length;
  await page.getByText(`Line ${line}: The field conditon does not exist in a step of kind Decision.`).waitFor();
  await expectGoodScreen('refused');
  await choose(text);
  await submit.click();
  await page.getByRole('heading', { name: 'Edit workflow - Close from a file' }).waitFor();
});
