/** What tests do on the page of a run. */
import type { Page } from 'playwright-core';

/** Chooses an entry of the menu beside the buttons of the result. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name }).click();
}

export const compareWithPrevious = (page: Page): Promise<void> => chooseAction(page, 'Compare with previous run');

/** Opens the line with phases, log and technical facts. */
export const openDetails = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Details', exact: true }).click();
