/** Prefixes of the file format that Excel does not show: of newer functions, variables, functions as values, add-ins' functions. */
const FILE_PREFIXES = /_xl(?:fn|ws|pm|op|eta|udf|l)\./gi;

/** A variable of LAMBDA that may be left out; Excel shows it in brackets. */
const OPTIONAL = /_xlop\.([\p{L}\p{N}_.]+)/gu;

/** '@A1' and 'A1#'. */
const SINGLE = /_xlfn\.SINGLE\(([^()]*)\)/gi;
const ANCHOR = /_xlfn\.ANCHORARRAY\(([^()]*)\)/gi;

/** 'A1:.A9', 'A1.:A9' and 'A1.:.A9', with the sheet before them. */
const TRIM_REFERENCE = /_xlfn\._TRO_(TRAILING|LEADING|ALL)\(((?:'(?:[^']|'')*'!)?[^()'":]*):([^()'":]*)\)/gi;

/** A text of more than 255 characters, which files hold in parts. */
const LONG_TEXT = /_xlfn\._LONGTEXT\(("(?:[^"]|"")*"(?:,"(?:[^"]|"")*")*)\)/gi;
const TEXT = /"((?:[^"]|"")*)"/g;

/** A formula's text without what only files have. */
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

/** A formula's text in a file as Excel shows it. */
export const shownFormula = (text: string): string => `=${withoutFilePrefixes(text)}`;
