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
 */
export async function print(page: Page): Promise<PrintedPage> {
  const pdf = (await page.pdf({ tagged: true })).toString('latin1');
  return { pages: pdf.match(/\/Type \/Page\b/g)?.length ?? 0, rows: pdf.match(/\/S \/TR\b/g)?.length ?? 0 };
}
