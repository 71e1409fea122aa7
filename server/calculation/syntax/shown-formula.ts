/** Prefixes of the file format that Excel does not show: of newer functions, variables, functions as values, add-ins' functions. */
const FILE_PREFIXES = /_xl(?:fn|ws|pm|op|eta|udf|l)\./gi;

/** A formula's text in a file as Excel shows it. */
export const shownFormula = (text: string): string => `=${text.replaceAll(FILE_PREFIXES, '')}`;
