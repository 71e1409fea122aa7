/** The values of the filter 'is one of', as typed: separated by semicolons. */

export const listedValues = (text: string): string[] =>
  text
    .split(';')
    .map((value) => value.trim())
    .filter((value) => value !== '');

/** Node.js refuses a request whose headers have more than 16 KB: a page with a longer address cannot be reloaded. */
const ADDRESS_MAX = 12_000;

/** Returns whether the values fit into the address of the page, which contains its filters. */
export const fitsAddress = (values: readonly string[]): boolean =>
  new URLSearchParams({ filter: JSON.stringify(values) }).toString().length <= ADDRESS_MAX;

/**
 * Inserts pasted cells, such as a column of Excel, into the text between two positions, with semicolons between them.
 * Returns null if a single value was pasted. A field of one line would make one value of them all.
 */
export function withPastedCells(text: string, from: number, to: number, pasted: string): string | null {
  const cells = pasted
    .split(/[\r\n\t]+/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');
  if (cells.length < 2) return null;
  return [...listedValues(text.slice(0, from)), ...cells, ...listedValues(text.slice(to))].join('; ');
}
