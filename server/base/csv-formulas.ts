/** Keeps spreadsheet programs from running texts of CSV files as formulas. Source: OWASP, "CSV Injection". */
const FORMULA_START = /^[=+\-@\t\r\n|]/;
const NUMBER = /^[+-]?[\d.,]+$/;

/** Returns the text with a leading apostrophe if a spreadsheet program would run it as a formula. */
export const escapeFormula = (text: string): string => (FORMULA_START.test(text) ? `'${text}` : text);

/** The same, but leaves numbers as they are: they may begin with a sign. */
export const escapeFormulaButNumber = (text: string): string => (NUMBER.test(text) ? text : escapeFormula(text));
