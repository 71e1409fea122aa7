/** Prefixes of the file format that Excel does not show: of newer functions, variables, functions as values, add-ins' functions. */
const FILE_PREFIXES = /_xl(?:fn|ws|pm|op|eta|udf|l)\./gi;

/** A variable of LAMBDA that may be left out; Excel shows it in brackets. */
const OPTIONAL = /_xlop\.([\p{L}\p{N}_.]+)/gu;

/** A formula's text without what only files have. */
export const withoutFilePrefixes = (text: string): string =>
  text.replaceAll(OPTIONAL, '[$1]').replaceAll(FILE_PREFIXES, '');

/** A formula's text in a file as Excel shows it. */
export const shownFormula = (text: string): string => `=${withoutFilePrefixes(text)}`;
