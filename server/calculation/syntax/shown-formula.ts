/** Prefixes of the file format that Excel does not show: of newer functions, of variables, of functions as values. */
const FILE_PREFIXES = /_xl(?:fn|ws|pm|op|eta|udf)\./g;

/** A formula's text in a file as Excel shows it. */
export const shownFormula = (text: string): string => `=${text.replaceAll(FILE_PREFIXES, '')}`;
