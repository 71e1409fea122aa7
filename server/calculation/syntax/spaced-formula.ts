/**
 * Restores formulas as they were typed: Excel preserves blanks and line breaks between the parts of a formula, and
 * redundant parentheses. FORMULATEXT shows them.
 */
import { isSpaceCode, isWordCode, wordEnd } from './scanner.ts';

const REFERENCE = /^\.?(?:\$?[A-Z]{1,3}\$?\d+|\$?[A-Z]{1,3}|\$?\d+)\.?$/i;

/**
 * Returns `printed`, a formula without blanks and redundant parentheses, with those of `typed`. `typed` is the same
 * formula, or the one it was filled from, so that only references differ. Returns `printed` unchanged if the two do not
 * match. Functions that are not Excel's own (`isFunction`), such as those of macros and add-ins, keep their case as
 * typed; LAMBDA keeps its brackets.
 */
export function withSpacesOf(
  typed: string,
  printed: string,
  isFunction: (name: string) => boolean = () => true,
): string {
  let result = '';
  let from = 0;
  let at = 0;
  while (from < typed.length) {
    const code = typed.charCodeAt(from);
    if (isSpaceCode(code) || isBracket(code)) {
      if (printed[at] === typed[from]) at += 1;
      result += typed[from]!;
      from += 1;
      continue;
    }
    const [end, other] = isWordCode(code) ? [wordEnd(typed, from), wordEnd(printed, at)] : tokenEnds(typed, from, at);
    const token = printed.slice(at, other);
    // The name of a function is not a column.
    const isName = typed[end] === '(' || typed[end] === '!';
    if (!isAlike(typed.slice(from, end), token, isName)) return printed;
    result += typed[end] === '(' && !isFunction(token.toUpperCase()) ? typed.slice(from, end) : token;
    from = end;
    at = other;
  }
  return at === printed.length ? result : printed;
}

const isBracket = (code: number): boolean => code === 0x28 || code === 0x29 || code === 0x5b || code === 0x5d;

/** Advances over texts and quoted names as a whole, and over everything else character by character. */
function tokenEnds(typed: string, from: number, at: number): [number, number] {
  const quote = typed[from]!;
  if (quote !== '"' && quote !== "'") return [from + 1, at + 1];
  const end = typed.indexOf(quote, from + 1) + 1;
  return end === 0 ? [typed.length, at] : [end, at + end - from];
}

function isAlike(typed: string, printed: string, isName: boolean): boolean {
  if (typed.toUpperCase() === printed.toUpperCase()) return true;
  return !isName && REFERENCE.test(typed) && REFERENCE.test(printed);
}
