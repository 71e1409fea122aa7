import type { Page } from 'playwright-core';

/** Opens a page behind an entry of the side menu: a tab above the pages of the entry, or a page of Administration. */
export async function openFromMenu(page: Page, entry: string, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: entry }).click();
  await page.getByRole('navigation', { name: entry, exact: true }).getByRole('link', { name, exact: true }).click();
}
