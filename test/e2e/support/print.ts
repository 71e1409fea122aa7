import type { Page } from 'playwright-core';

export interface PrintedPage {
  /** Sheets of paper. */
  pages: number;
  /** Rows of all tables, those of headers included. Headers that are repeated on the next sheet count once. */
  rows: number;
}

/** Prints the page as the browser's own dialog does, and counts what is on paper. Chromium writes the structure of a tagged PDF as plain text. */
export async function print(page: Page): Promise<PrintedPage> {
  const pdf = (await page.pdf({ tagged: true })).toString('latin1');
  return { pages: pdf.match(/\/Type \/Page\b/g)?.length ?? 0, rows: pdf.match(/\/S \/TR\b/g)?.length ?? 0 };
}
