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

  /** Shows the steps of the editor as a list. */
  async function showList(): Promise<void> {
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await list().waitFor();
  }

  /** Answers what a new step does: a name of an activity, 'Decision' or 'Approval'. */
  async function chooseStep(what: string): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'Add ' });
    const kind = dialog.getByRole('group').getByRole('button', { name: what, exact: true });
    if (what === 'Decision' || what === 'Approval') await kind.click();
    else {
      await dialog.getByRole('combobox', { name: 'Run an activity' }).fill(what);
      await dialog.getByRole('option', { name: what }).first().click();
    }
    await dialog.waitFor({ state: 'detached' });
  }

  /** Adds a step after the selected one. */
  async function addStep(what: string): Promise<void> {
    await page.getByRole('button', { name: 'Add step', exact: true }).click();
    await chooseStep(what);
  }

  /** Confirms that a step is removed. */
  async function confirmRemoval(name: string): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'Remove step' });
    await dialog.getByText(`Remove the step ${name}?`).waitFor();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  async function removeStep(name: string): Promise<void> {
    await page.getByRole('button', { name: `Remove ${name}`, exact: true }).click();
    await confirmRemoval(name);
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
  return {
    makeChecklist,
    openMenu,
    showList,
    chooseStep,
    addStep,
    confirmRemoval,
    removeStep,
    list,
    panel,
    stepButton,
    stepNames,
    row,
    node,
    problems,
    nothingWrong,
  };
}
