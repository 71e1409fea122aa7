/** The screens of workflows, for tests of editing and running them. */
import type { Locator } from 'playwright-core';
import { visit, type Browser, type Portal } from './portal.ts';

export type WorkflowScreens = ReturnType<typeof workflowScreens>;

export function workflowScreens(browser: Browser, portal: Portal) {
  const { page } = browser;

  /** Creates a checklist of the samples or other activities, with all inputs mapped. */
  async function makeChecklist(name: string, activities = ['Loan schedule', 'FX exposure report']): Promise<void> {
    await visit(page, `${portal.address}/checklists/new`);
    await page.getByLabel('Checklist name').fill(name);
    await page.getByLabel('Schema').selectOption('Samples');
    for (const activity of activities) {
      await page.getByRole('combobox', { name: 'Add activity' }).fill(activity);
      await page.getByRole('option', { name: activity }).first().click();
      await page.getByRole('listitem').filter({ hasText: activity }).first().waitFor();
    }
    // The list of activities covers what is below it.
    await page.keyboard.press('Escape');
    if (activities.includes('Loan schedule')) {
      await page.getByRole('button', { name: 'Map by name' }).click();
      await page.getByText('All inputs are mapped').waitFor();
    }
    await page.getByRole('button', { name: 'Create checklist' }).click();
    await page.getByText('Checklist created').waitFor();
  }

  async function openMenu(name: string, entry: string): Promise<void> {
    await page.getByRole('button', { name: `Menu of ${name}` }).click();
    await page.getByRole('menuitem', { name: entry, exact: true }).click();
  }

  const list = (): Locator => page.getByRole('region', { name: 'Steps' });
  const panel = (): Locator => page.getByRole('region', { name: 'Selected step' });
  const stepButton = (name: string): Locator => list().getByRole('button', { name, exact: true });
  const stepNames = (): Promise<string[]> => list().getByRole('rowheader').getByRole('button').allInnerTexts();
  const row = (name: string): Locator =>
    list()
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name, exact: true }) });
  /** Finds a node in the drawing by its name and state. */
  const node = (name: string): Locator =>
    page.getByRole('region', { name: 'Diagram' }).locator(`.react-flow__node[aria-label^="${name}"]`);
  const problems = (): Locator => page.getByRole('list', { name: 'Problems' });
  const nothingWrong = (): Promise<void> => page.getByText('Ready to save.').waitFor();
  return { makeChecklist, openMenu, list, panel, stepButton, stepNames, row, node, problems, nothingWrong };
}
