/** The values of the filter 'is one of', as typed: separated by semicolons. */

export const listedValues = (text: string): string[] =>
  text
    .split(';')
    .map((value) => value.trim())
    .filter((value) => value !== '');

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
