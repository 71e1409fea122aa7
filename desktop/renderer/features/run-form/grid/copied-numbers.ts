/**
 * The numbers in the HTML of cells that were copied from results of the portal. The texts copied with them are rounded
 * as they are displayed, so a paste of the texts would change the numbers.
 */

/** The numbers of each line of the clipboard; null for other cells. */
export type CopiedNumbers = ReadonlyMap<readonly string[], readonly (number | null)[]>;

export const NO_NUMBERS: CopiedNumbers = new Map();

const ROW = /<tr\b[^>]*>(.*?)<\/tr>/gis;
const CELL = /<t[dh]\b([^>]*)>/gi;
/** Only toClipboardHtml writes the attributes of both Excel and LibreOffice. */
const NUMBER = /\bx:num="([^"]+)" sdval="/i;

/**
 * @param html as toClipboardHtml writes it
 * @param lines the texts of the same cells
 */
export function copiedNumbers(html: string, lines: readonly (readonly string[])[]): CopiedNumbers {
  if (!NUMBER.test(html)) return NO_NUMBERS;
  const rows = [...html.matchAll(ROW)].map(([, row = '']) =>
    [...row.matchAll(CELL)].map(([, cell = '']) => numberOf(cell)),
  );
  // Several tables with their titles have other lines as texts.
  if (rows.length !== lines.length || rows.some((row, at) => row.length !== lines[at]!.length)) return NO_NUMBERS;
  return new Map(lines.map((line, at) => [line, rows[at]!]));
}

function numberOf(attributes: string): number | null {
  const value = Number(NUMBER.exec(attributes)?.[1] ?? NaN);
  return Number.isFinite(value) ? value : null;
}
