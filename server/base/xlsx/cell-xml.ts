/** Rows of a sheet part (ECMA-376 part 1, 18.3.1.73). */
import { columnLetters } from '#shared/codecs/cell-address.ts';
import { encodeExcelEscapes, escapeXml } from '#shared/codecs/xml-escapes.ts';

/** A text is always a text, whatever its first character. */
export type CellContent = string | number | boolean | null | { error: string };

/** Errors that every version of Excel reads from a cell. */
const ERRORS = new Set(['#N/A', '#REF!', '#NAME?', '#DIV/0!', '#NULL!', '#VALUE!', '#NUM!']);

/** `styleAt` returns the index of a column's style; 0 for none. Cells without content are omitted. */
export function rowXml(row: number, cells: readonly CellContent[], styleAt: (col: number) => number): string {
  let inside = '';
  for (const [col, content] of cells.entries()) {
    if (content === null) continue;
    const style = styleAt(col);
    inside += `<c r="${lettersOf(col)}${row}"${style === 0 ? '' : ` s="${style}"`}${contentXml(content)}</c>`;
  }
  return inside === '' ? '' : `<row r="${row}">${inside}</row>`;
}

function contentXml(content: Exclude<CellContent, null>): string {
  if (typeof content === 'string') return textXml(content);
  if (typeof content === 'boolean') return ` t="b"><v>${content ? 1 : 0}</v>`;
  if (typeof content === 'number') return Number.isFinite(content) ? `><v>${content}</v>` : errorXml('#NUM!');
  // Newer errors, such as #SPILL!, have no cell type of their own.
  return ERRORS.has(content.error) ? errorXml(content.error) : textXml(content.error);
}

const errorXml = (code: string): string => ` t="e"><v>${code}</v>`;

/** Inline strings need no list of all texts, which would have to stay in memory. */
const textXml = (text: string): string => ` t="inlineStr"><is>${textElement(text)}</is>`;

/** Returns a `t` element that preserves the blanks of the text. */
export function textElement(text: string): string {
  const space = /^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : '';
  return `<t${space}>${escapeXml(encodeExcelEscapes(text))}</t>`;
}

const letters: string[] = [];

function lettersOf(col: number): string {
  return (letters[col] ??= columnLetters(col));
}
