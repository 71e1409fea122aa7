/** Finds cells that a log line names: 'Sheet1!B4', and "'My Sheet'!$B$4". */
import type { CellLocation } from '#shared/contract/run-cells.ts';

export interface TextPart {
  text: string;
  /** The cell that the text names; for a block its first cell. Null for other text. */
  cell: CellLocation | null;
}

// The character before a sheet's name must not belong to the name.
const CELL =
  /(?<![\p{L}\p{N}_.'!])(?:'((?:[^'[\]:*?/\\]|''){1,62})'|([\p{L}_][\p{L}\p{N}_.]{0,30}))!\$?([A-Z]{1,3})\$?([1-9]\d{0,6})(?![\p{L}\p{N}_(])/gu;

export function cellsInText(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(CELL)) {
    const [found, quoted, plain, letters, row] = match;
    if (match.index > from) parts.push({ text: text.slice(from, match.index), cell: null });
    const Sheet = quoted === undefined ? plain! : quoted.replaceAll("''", "'");
    parts.push({ text: found, cell: { Sheet, Cell: `${letters}${row}` } });
    from = match.index + found.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), cell: null });
  return parts;
}
