/**
 * Removes prefixes of the file format that Excel does not show: those of newer functions, variables, functions as
 * values, and add-in functions.
 */
const FILE_PREFIXES = /_xl(?:fn|ws|pm|op|eta|udf|l)\./gi;

/** An optional variable of LAMBDA; Excel shows it in brackets. */
const OPTIONAL = /_xlop\.([\p{L}\p{N}_.]+)/gu;

/** '@A1' and 'A1#'. */
const SINGLE = /_xlfn\.SINGLE\(([^()]*)\)/gi;
const ANCHOR = /_xlfn\.ANCHORARRAY\(([^()]*)\)/gi;

/** 'A1:.A9', 'A1.:A9' and 'A1.:.A9', with an optional sheet. */
const TRIM_REFERENCE = /_xlfn\._TRO_(TRAILING|LEADING|ALL)\(((?:'(?:[^']|'')*'!)?[^()'":]*):([^()'":]*)\)/gi;

/** A text of more than 255 characters, which files store in parts. */
const LONG_TEXT = /_xlfn\._LONGTEXT\(("(?:[^"]|"")*"(?:,"(?:[^"]|"")*")*)\)/gi;
const TEXT = /"((?:[^"]|"")*)"/g;

/** Returns a formula's text without what occurs only in files. */
export const withoutFilePrefixes = (text: string): string =>
  text
    .replaceAll(SINGLE, '@$1')
    .replaceAll(ANCHOR, '$1#')
    .replaceAll(TRIM_REFERENCE, trimReference)
    .replaceAll(LONG_TEXT, (_, parts: string) => `"${[...parts.matchAll(TEXT)].map(([, part]) => part).join('')}"`)
    .replaceAll(OPTIONAL, '[$1]')
    .replaceAll(FILE_PREFIXES, '');

function trimReference(_: string, kind: string, first: string, last: string): string {
  const isAll = kind.toUpperCase() === 'ALL';
  const isLeading = isAll || kind.toUpperCase() === 'LEADING';
  return `${first}${isLeading ? '.' : ''}:${isAll || !isLeading ? '.' : ''}${last}`;
}

/** Returns a formula's text in a file as Excel shows it. */
export const shownFormula = (text: string): string => `=${withoutFilePrefixes(text)}`;
