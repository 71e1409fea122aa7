/**
 * Finds and prints the names that an expression of a workflow reads: Inputs.[Name], [Step].[Output], and either of them
 * with a column of a table, as [Step].[Table][Column]. Within brackets, an apostrophe escapes ' [ ] # and @, as in the
 * table references of Excel.
 */

/** Maximum length of an expression. Source: Excel, 'Specifications and limits'. */
export const EXPRESSION_MAX = 8_192;

/** A value that an expression reads; `column` is null for the whole value. */
export type ExpressionName =
  | { kind: 'Input'; name: string; column: string | null }
  | { kind: 'Output'; step: string; name: string; column: string | null };

/** A name with its position in the text of the expression. */
export interface FoundName {
  from: number;
  to: number;
  name: ExpressionName;
}

const INPUTS = 'inputs.';
/** The letters of words in formulas. */
const WORD = /[\w.$\\?\u0080-\uffff]/;
const ESCAPED = /['[\]#@]/;

/**
 * Returns the names in the order of the text. Other brackets, such as the optional variables of LAMBDA, are left to the
 * parser of formulas.
 */
export function findNames(formula: string): FoundName[] {
  const found: FoundName[] = [];
  for (let at = 0; at < formula.length;) {
    const char = formula[at];
    if (char === '"' || char === "'") at = afterQuotes(formula, at);
    else if (char === '[') {
      const name = nameAt(formula, at);
      if (name) found.push(name);
      at = name?.to ?? bracketAt(formula, at)?.end ?? formula.length;
    } else at += 1;
  }
  return found;
}

function afterQuotes(text: string, at: number): number {
  const close = text.indexOf(text[at]!, at + 1);
  return close < 0 ? text.length : close + 1;
}

/** Returns the name whose first bracket opens at `at`; null if it is another bracket. */
function nameAt(text: string, at: number): FoundName | null {
  const from = wordStart(text, at);
  const first = bracketAt(text, at);
  if (!first) return null;
  if (text.slice(from, at).toLowerCase() === INPUTS) {
    const column = bracketAt(text, first.end);
    const name = { kind: 'Input' as const, name: first.name, column: column?.name ?? null };
    return { from, to: column?.end ?? first.end, name };
  }
  if (from !== at || text[first.end] !== '.') return null;
  const output = bracketAt(text, first.end + 1);
  if (!output) return null;
  const column = bracketAt(text, output.end);
  const name = { kind: 'Output' as const, step: first.name, name: output.name, column: column?.name ?? null };
  return { from, to: column?.end ?? output.end, name };
}

function wordStart(text: string, end: number): number {
  let from = end;
  while (from > 0 && WORD.test(text[from - 1]!)) from -= 1;
  return from;
}

/** Reads the brackets that open at `at`; null if none do, or if they are not closed. */
function bracketAt(text: string, at: number): { name: string; end: number } | null {
  if (text[at] !== '[') return null;
  let name = '';
  for (let pos = at + 1; pos < text.length; pos += 1) {
    const char = text[pos]!;
    if (char === ']') return { name, end: pos + 1 };
    if (char === '[') return null;
    // An apostrophe before any other letter belongs to the name: [Customer's total]
    const isEscape = char === "'" && ESCAPED.test(text[pos + 1] ?? '');
    name += isEscape ? text[(pos += 1)]! : char;
  }
  return null;
}

const inBrackets = (name: string): string => `[${name.replaceAll(/['[\]#@]/g, "'$&")}]`;

/** Returns the name as an expression contains it. */
export function printName(name: ExpressionName): string {
  const value = name.kind === 'Input' ? `Inputs.${inBrackets(name.name)}` : outputText(name);
  return name.column === null ? value : value + inBrackets(name.column);
}

const outputText = ({ step, name }: { step: string; name: string }): string =>
  `${inBrackets(step)}.${inBrackets(name)}`;

/** Returns the expression with other names. @param change returns null to leave a name as it is written */
export function withNames(formula: string, change: (name: ExpressionName) => ExpressionName | null): string {
  let text = '';
  let end = 0;
  for (const { from, to, name } of findNames(formula)) {
    const changed = change(name);
    if (!changed) continue;
    text += formula.slice(end, from) + printName(changed);
    end = to;
  }
  return text + formula.slice(end);
}

/** Returns the expression without the '=' that it may begin with. */
export const withoutEquals = (formula: string): string => formula.trim().replace(/^=/, '');

/** Returns the expression as screens and messages show it. */
export const shownExpression = (formula: string): string => `=${withoutEquals(formula)}`;
