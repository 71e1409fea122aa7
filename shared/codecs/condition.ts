/**
 * Filter conditions that users write: comparisons of columns with values, combined with AND, OR and NOT. Operators are
 * =, <>, <, <=, >, >=, IN and NOT IN (specification of activities, section 2).
 * A column name of several words is enclosed in brackets ([Order date]), with brackets inside it doubled. Texts and
 * dates are enclosed in apostrophes ('O''Hara', '2026-01-05'). Numbers, TRUE and FALSE are written without quotes. ''
 * is a blank. AND binds more tightly than OR. Case is ignored.
 */

import { parseExactNumber } from './number-text.ts';

export const COMPARISONS = ['=', '<>', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type ConditionValue = string | number | boolean;

export type Condition =
  | { kind: 'and' | 'or'; of: readonly Condition[] }
  | { kind: 'not'; of: Condition }
  | { kind: 'compare'; column: string; operator: Comparison; value: ConditionValue }
  | { kind: 'in'; column: string; negated: boolean; values: readonly ConditionValue[] };

export const INVALID_CONDITION = 'Condition is invalid';
/** The text can be parsed, but it compares operands that cannot be compared. */
export const NOT_SUPPORTED = 'Not Supported';

/** A text is not a valid condition; the message is one of the specification's. */
export class ConditionError extends Error {
  constructor(message: typeof INVALID_CONDITION | typeof NOT_SUPPORTED) {
    super(message);
    this.name = 'ConditionError';
  }
}

/** Maximum nesting depth and number of values: databases limit the size of their statements. */
const MAX_LEVELS = 40;
const MAX_VALUES = 1000;

/** Values of the @names in a condition, by the name as written: a text, or several texts for IN. */
export type ConditionParameters = Readonly<Record<string, string | readonly string[]>>;

/**
 * Parses a condition; returns null if the text is blank, which matches everything. Throws ConditionError. `parameters`
 * are inserted as values and never parsed as text; without them, @names are errors.
 */
export function parseCondition(text: string, parameters: ConditionParameters = {}): Condition | null {
  if (text.trim() === '') return null;
  const reader = createReader(scan(text, parameters));
  const condition = readGroup(reader, 'or', 0);
  if (reader.peek() !== undefined) throw invalid();
  return condition;
}

const invalid = (): ConditionError => new ConditionError(INVALID_CONDITION);

type Token =
  | { kind: 'word'; text: string }
  | { kind: 'column'; name: string }
  | { kind: 'value'; value: ConditionValue }
  | { kind: 'values'; values: readonly string[] }
  | { kind: 'operator'; operator: Comparison }
  | { kind: 'mark'; mark: '(' | ')' | ',' };

const TOKEN =
  /\s*(?:(?<name>\[(?:[^\]]|\]\])+\]|"(?:[^"]|"")+")|(?<text>'(?:[^']|'')*')|(?<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?)(?![\p{L}\p{N}_.])|(?<operator><=|>=|<>|!=|=|<|>)|(?<mark>[(),])|@(?<parameter>[\p{L}_][\p{L}\p{N}_]*)|(?<word>[\p{L}_][\p{L}\p{N}_.]*))/uy;

function scan(text: string, parameters: ConditionParameters): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const groups = TOKEN.exec(text)?.groups;
    if (!groups) throw invalid();
    tokens.push(groups['parameter'] === undefined ? tokenOf(groups) : parameterToken(groups['parameter'], parameters));
  }
  return tokens;
}

function tokenOf({ name, text, number, operator, mark, word }: Record<string, string | undefined>): Token {
  if (name !== undefined) {
    const close = name.at(-1)!;
    return { kind: 'column', name: name.slice(1, -1).replaceAll(close + close, close) };
  }
  if (text !== undefined) return { kind: 'value', value: text.slice(1, -1).replaceAll("''", "'") };
  if (number !== undefined) {
    const value = parseExactNumber(number);
    if (value === null || !Number.isFinite(Number(value))) throw invalid();
    return { kind: 'value', value };
  }
  if (operator !== undefined)
    return { kind: 'operator', operator: operator === '!=' ? '<>' : (operator as Comparison) };
  if (mark !== undefined) return { kind: 'mark', mark: mark as '(' | ')' | ',' };
  const upper = word!.toUpperCase();
  if (upper === 'TRUE' || upper === 'FALSE') return { kind: 'value', value: upper === 'TRUE' };
  return { kind: 'word', text: word! };
}

function parameterToken(name: string, parameters: ConditionParameters): Token {
  const known = Object.keys(parameters).find((one) => one.toLowerCase() === name.toLowerCase());
  if (known === undefined) throw invalid();
  const value = parameters[known]!;
  return typeof value === 'string' ? { kind: 'value', value } : { kind: 'values', values: value };
}

interface Reader {
  peek: () => Token | undefined;
  next: () => Token;
  /** Consumes the word or symbol if it comes next, and returns whether it did. */
  take: (text: string) => boolean;
  countValue: () => void;
}

function createReader(tokens: readonly Token[]): Reader {
  let at = 0;
  let values = 0;
  const says = (token: Token | undefined, text: string): boolean =>
    (token?.kind === 'mark' && token.mark === text) || (token?.kind === 'word' && token.text.toUpperCase() === text);
  return {
    peek: () => tokens[at],
    next: () => {
      const token = tokens[at];
      if (!token) throw invalid();
      at += 1;
      return token;
    },
    take: (text) => {
      if (!says(tokens[at], text)) return false;
      at += 1;
      return true;
    },
    countValue: () => {
      values += 1;
      if (values > MAX_VALUES) throw invalid();
    },
  };
}

function readGroup(reader: Reader, kind: 'and' | 'or', level: number): Condition {
  if (level > MAX_LEVELS) throw invalid();
  const part = (): Condition => (kind === 'or' ? readGroup(reader, 'and', level) : readPart(reader, level));
  const of = [part()];
  while (reader.take(kind.toUpperCase())) of.push(part());
  return of.length === 1 ? of[0]! : { kind, of };
}

function readPart(reader: Reader, level: number): Condition {
  if (level > MAX_LEVELS) throw invalid();
  if (reader.take('NOT')) return { kind: 'not', of: readPart(reader, level + 1) };
  if (reader.take('(')) {
    const group = readGroup(reader, 'or', level + 1);
    if (!reader.take(')')) throw invalid();
    return group;
  }
  return readComparison(reader);
}

const KEYWORDS = new Set(['AND', 'OR', 'NOT', 'IN', 'TRUE', 'FALSE']);

function readComparison(reader: Reader): Condition {
  const left = reader.next();
  const column = columnOf(left);
  if (column === null && left.kind !== 'value') throw invalid();
  const negated = reader.take('NOT');
  if (reader.take('IN')) {
    if (column === null) throw new ConditionError(NOT_SUPPORTED);
    return { kind: 'in', column, negated, values: readList(reader) };
  }
  const sign = reader.next();
  if (negated || sign.kind !== 'operator') throw invalid();
  const right = reader.next();
  const otherColumn = columnOf(right);
  if (right.kind !== 'value' && otherColumn === null) throw invalid();
  // A comparison of two columns, or one with a value on the left side, is not supported.
  if (column === null || right.kind !== 'value') throw new ConditionError(NOT_SUPPORTED);
  reader.countValue();
  return { kind: 'compare', column, operator: sign.operator, value: right.value };
}

function columnOf(token: Token): string | null {
  if (token.kind === 'column') return token.name;
  return token.kind === 'word' && !KEYWORDS.has(token.text.toUpperCase()) ? token.text : null;
}

function readList(reader: Reader): ConditionValue[] {
  if (!reader.take('(')) throw invalid();
  const values: ConditionValue[] = [];
  do {
    const token = reader.next();
    if (columnOf(token) !== null) throw new ConditionError(NOT_SUPPORTED);
    if (token.kind !== 'value' && token.kind !== 'values') throw invalid();
    for (const value of token.kind === 'value' ? [token.value] : token.values) {
      reader.countValue();
      values.push(value);
    }
  } while (reader.take(','));
  if (!reader.take(')')) throw invalid();
  return values;
}

/** Returns the text of a condition; parseCondition parses it to the same condition. */
export function printCondition(condition: Condition | null): string {
  return condition === null ? '' : print(condition, false);
}

function print(condition: Condition, isInGroup: boolean): string {
  switch (condition.kind) {
    case 'compare':
      return `${printColumn(condition.column)} ${condition.operator} ${printValue(condition.value)}`;
    case 'in': {
      const values = condition.values.map(printValue).join(', ');
      return `${printColumn(condition.column)} ${condition.negated ? 'NOT IN' : 'IN'} (${values})`;
    }
    case 'not':
      return `NOT (${print(condition.of, false)})`;
    default: {
      const text = condition.of.map((part) => print(part, true)).join(` ${condition.kind.toUpperCase()} `);
      return isInGroup ? `(${text})` : text;
    }
  }
}

const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

function printColumn(name: string): string {
  return PLAIN_NAME.test(name) && !KEYWORDS.has(name.toUpperCase()) ? name : `[${name.replaceAll(']', ']]')}]`;
}

function printValue(value: ConditionValue): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
}
