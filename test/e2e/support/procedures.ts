/** Actions on pages for tests of procedures: creating an activity, and filling in its form. */
import type { Locator, Page } from 'playwright-core';

/** Pastes with Ctrl+V, as if copied in Excel. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('Control+V');
}

/** Opens the page of a new activity and chooses the procedure found by a search. */
export async function beginActivity(page: Page, address: string, name: string, search: string): Promise<void> {
  await page.goto(`${address}/activities/new/`);
  await page.getByLabel('Activity Name').fill(name);
  await page.getByLabel('Type', { exact: true }).selectOption('StoredProcedure');
  await page.getByRole('combobox', { name: 'Stored procedure' }).fill(search);
  await page.getByRole('option').filter({ hasText: search }).click();
}

export async function createActivity(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create Activity' }).click();
  await page.getByText('Activity created', { exact: true }).waitFor();
}

/** Opens the form of an activity from the list. */
export async function openForm(page: Page, address: string, name: string): Promise<void> {
  await page.goto(`${address}/activities/`);
  await page.getByRole('link', { name, exact: true }).first().click();
  await page.getByRole('button', { name: 'Run Now' }).first().click();
}

export const field = (page: Page, name: string): Locator => page.getByRole('textbox', { name, exact: true });

export const cell = (page: Page, grid: string, row: number, col: number): Locator =>
  page.getByRole('grid', { name: grid }).locator(`[role="gridcell"][data-row="${row}"][data-col="${col}"]`);
