/**
 * Splits one section of a number format into tokens. Source: ECMA-376 part 1, 18.8.31; the letters that Excel refuses
 * were tested in Excel.
 */

export type Placeholder = '0' | '#' | '?';
export type DatePart = 'y' | 'm' | 'd' | 'a' | 'h' | 's' | 'b' | 'g';

export type FormatToken =
  | { type: 'literal'; text: string }
  | { type: 'digit'; placeholder: Placeholder }
  /** Digits 1 to 9 with the digits that follow: the denominator of '# ?/16', elsewhere a literal. */
  | { type: 'whole'; text: string }
  | { type: 'point' | 'comma' | 'percent' | 'slash' | 'general' | 'text' }
  | { type: 'exponent'; letter: string; signed: boolean }
  | { type: 'date'; part: DatePart; length: number }
  | { type: 'elapsed'; part: 'h' | 'm' | 's'; length: number }
  | { type: 'half'; text: string };

export interface Condition {
  operator: '<' | '<=' | '>' | '>=' | '=' | '<>';
  limit: number;
}

export interface TokenSection {
  tokens: FormatToken[];
  condition: Condition | null;
  /** The part after the '-' in '[$€-407]': '407'; null if there is none. */
  locale: string | null;
}

/** Returns true if a section determines how texts are shown. */
export const showsText = (section: TokenSection): boolean => section.tokens.some(({ type }) => type === 'text');

const SINGLE = /[.,%/@]/y;
const SINGLE_TYPES: Record<string, 'point' | 'comma' | 'percent' | 'slash' | 'text'> = {
  '.': 'point',
  ',': 'comma',
  '%': 'percent',
  '/': 'slash',
  '@': 'text',
};

const RULES: [RegExp, (found: RegExpExecArray) => FormatToken | null][] = [
  [/general/iy, () => ({ type: 'general' })],
  [/[0#?]/y, ([text]) => ({ type: 'digit', placeholder: text as Placeholder })],
  [SINGLE, ([text]) => ({ type: SINGLE_TYPES[text]! })],
  [/[1-9]\d*/y, ([text]) => ({ type: 'whole', text })],
  [/"([^"]*)"/y, ([, text]) => ({ type: 'literal', text: text! })],
  [/\\([^])/y, ([, text]) => ({ type: 'literal', text: text! })],
  [/_(?:\\[^]|[^])/y, () => ({ type: 'literal', text: ' ' })],
  [/\*(?:\\[^]|[^])/y, () => ({ type: 'literal', text: '' })],
  [/am\/pm/iy, () => ({ type: 'half', text: 'AM/PM' })],
  [/a\/p/iy, ([text]) => ({ type: 'half', text })],
  [/([Ee])([+-])/y, ([, letter, sign]) => ({ type: 'exponent', letter: letter!, signed: sign === '+' })],
  [/y+|m+|d+|h+|s+|g+|b+|a{3,4}/iy, ([text]) => ({ type: 'date', part: datePart(text), length: text.length })],
  // In English workbooks, 'e' (the year of the era) is the year.
  [/e+/y, () => ({ type: 'date', part: 'y', length: 4 })],
  // Anything else among these is an error: letters that Excel reserves, an open quote, a sign without an operand.
  [/[EN["*\\_]/iy, () => null],
  [/[^]/y, ([text]) => ({ type: 'literal', text })],
];

const datePart = (text: string): DatePart => text[0]!.toLowerCase() as DatePart;

const ELAPSED = /^(h+|m+|s+)$/i;
const CONDITION = /^(<=|>=|<>|<|>|=) *(-?(?:\d+\.?\d*|\.\d+)(?:E[+-]?\d+)?) *$/i;
const IGNORED =
  /^(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d{1,2}|dbnum\d|natnum\d+|eng|hij|[bB][12])$/i;
const LOCALE = /^\$([^-]*)(?:-(.*))?$/;

/** Returns null if Excel would refuse the section. */
export function tokenizeSection(code: string): TokenSection | null {
  const section: TokenSection = { tokens: [], condition: null, locale: null };
  for (let at = 0; at < code.length;) {
    if (code[at] === '[') {
      const end = code.indexOf(']', at);
      if (end < 0 || !takeBrackets(code.slice(at + 1, end), section)) return null;
      at = end + 1;
      continue;
    }
    const length = takeToken(code, at, section.tokens);
    if (length === 0) return null;
    at += length;
  }
  return section;
}

function takeToken(code: string, at: number, tokens: FormatToken[]): number {
  for (const [pattern, make] of RULES) {
    pattern.lastIndex = at;
    const found = pattern.exec(code);
    if (!found) continue;
    const token = make(found);
    if (!token) return 0;
    tokens.push(token);
    return found[0].length;
  }
  return 0;
}

function takeBrackets(text: string, section: TokenSection): boolean {
  const elapsed = ELAPSED.exec(text);
  if (elapsed) {
    section.tokens.push({ type: 'elapsed', part: text[0]!.toLowerCase() as 'h' | 'm' | 's', length: text.length });
    return true;
  }
  const condition = CONDITION.exec(text);
  if (condition) {
    section.condition = { operator: condition[1] as Condition['operator'], limit: Number(condition[2]) };
    return true;
  }
  const locale = LOCALE.exec(text);
  if (!locale) return IGNORED.test(text);
  if (locale[1]) section.tokens.push({ type: 'literal', text: locale[1] });
  if (locale[2]) section.locale = locale[2];
  return true;
}

/** Splits a format code into sections at ';' outside quotes, escapes and brackets. */
export function splitSections(code: string): string[] {
  const sections: string[] = [];
  let start = 0;
  for (let at = 0; at < code.length; at += 1) {
    const char = code[at];
    if (char === '\\' || char === '_' || char === '*') at += 1;
    else if (char === '"' || char === '[') {
      const end = code.indexOf(char === '"' ? '"' : ']', at + 1);
      if (end > 0) at = end;
    } else if (char === ';') {
      sections.push(code.slice(start, at));
      start = at + 1;
    }
  }
  sections.push(code.slice(start));
  return sections;
}
