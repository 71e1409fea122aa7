/**
 * Shows references to other workbooks as Excel does while these are closed: '[1]Prices'!A1 with the path and name of
 * the book.
 */

/** Texts, which stay as they are, and references to a sheet of a numbered book, with or without quotes. */
const TEXTS_AND_REFERENCES = /"(?:[^"]|"")*"|'\[(\d{1,5})\]((?:[^']|'')*)'!|\[(\d{1,5})\]([\p{L}_][\p{L}\d_.]*)!/gu;

/** `links` are the locations of the books, starting with [1]. Numbers beyond them stay. */
export function withBookNames(formula: string, links: readonly string[]): string {
  if (links.length === 0 || !formula.includes('[')) return formula;
  return formula.replace(
    TEXTS_AND_REFERENCES,
    (match, quoted?: string, quotedSheet?: string, bare?: string, bareSheet?: string) => {
      const link = links[Number(quoted ?? bare) - 1];
      if (link === undefined) return match;
      const { path, name } = splitPath(link);
      const qualifier = `${path}[${name}]`.replaceAll("'", "''") + (quotedSheet ?? bareSheet ?? '');
      const isPlain = bareSheet !== undefined && path === '' && /^\[[\p{L}_][\p{L}\d_.]*\]/u.test(qualifier);
      return isPlain ? `${qualifier}!` : `'${qualifier}'!`;
    },
  );
}

/** Splits 'file:///C:\Data\Prices.xlsx' into 'C:\Data\' and 'Prices.xlsx'. */
function splitPath(link: string): { path: string; name: string } {
  const plain = decoded(link.replace(/^file:\/\/\//i, '').replace(/^file:/i, ''));
  const end = Math.max(plain.lastIndexOf('/'), plain.lastIndexOf('\\')) + 1;
  return { path: plain.slice(0, end), name: plain.slice(end) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The '%' does not belong to an encoded address.
    return text;
  }
}
