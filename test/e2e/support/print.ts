import { join } from 'node:path';
import type { Page } from 'playwright-core';

export interface PrintedPage {
  /** Number of printed pages. */
  pages: number;
  /** Rows of all tables, including header rows. A header repeated on the next page counts once. */
  rows: number;
}

/**
 * Prints the page like the browser's own dialog and counts what is on paper. Chromium writes the structure of a tagged
 * PDF as plain text.
 * @param name of the file for review, if the environment variable PICTURES names a folder
 */
export async function print(page: Page, name?: string): Promise<PrintedPage> {
  const folder = process.env['PICTURES'];
  const file = folder !== undefined && name !== undefined ? { path: join(folder, `${name}.pdf`) } : {};
  const pdf = (await page.pdf({ tagged: true, format: 'A4', ...file })).toString('latin1');
  return { pages: pdf.match(/\/Type \/Page\b/g)?.length ?? 0, rows: pdf.match(/\/S \/TR\b/g)?.length ?? 0 };
}
