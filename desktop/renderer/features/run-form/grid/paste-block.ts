/**
 * Parses a block of cells from the clipboard: tab-separated lines as Excel, LibreOffice and Google Sheets write them. A
 * cell with a tab, line break or quote is quoted, with its own quotes doubled; an unclosed quote is text.
 */
export function parseClipboardBlock(text: string): string[][] {
  const source = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at <= source.length) {
    const cell = readCell(source, at);
    row.push(cell.text);
    at = cell.end;
    if (source[at] !== '\t') {
      rows.push(row);
      row = [];
    }
    at += 1;
  }
  // Excel ends the last line with a line break, which does not start another row.
  if (rows.length > 1 && rows.at(-1)!.length === 1 && rows.at(-1)![0] === '') rows.pop();
  return rows;
}

function readCell(source: string, start: number): { text: string; end: number } {
  if (source[start] === '"') {
    const quoted = readQuoted(source, start);
    if (quoted) return quoted;
  }
  let end = start;
  while (end < source.length && source[end] !== '\t' && source[end] !== '\n') end += 1;
  return { text: source.slice(start, end), end };
}

/** Returns null if the quotes do not close at the end of a cell: then they are part of its text. */
function readQuoted(source: string, start: number): { text: string; end: number } | null {
  let text = '';
  let at = start + 1;
  for (;;) {
    const quote = source.indexOf('"', at);
    if (quote < 0) return null;
    text += source.slice(at, quote);
    if (source[quote + 1] !== '"') {
      const end = quote + 1;
      return end === source.length || source[end] === '\t' || source[end] === '\n' ? { text, end } : null;
    }
    text += '"';
    at = quote + 2;
  }
}
