/**
 * Splits a query into tokens as both databases do. Anything that databases might interpret differently from this module
 * is either normalized to a form that all read alike (line ends, blanks, comments, which are removed), or refused.
 * Sources: Transact-SQL Reference (Database identifiers, Constants, Comment); PostgreSQL manual, 4.1 Lexical Structure.
 */

/** The SQL dialect: dialects differ in how names and texts are quoted. */
export type SqlKind = 'pg' | 'mssql';

export type SqlTokenKind =
  /** Blanks, line ends and comments. */
  | 'space'
  /** A keyword or a name without quotes. */
  | 'word'
  | 'number'
  | 'symbol'
  /** A quoted text. */
  | 'text'
  /** A quoted or bracketed name. */
  | 'name'
  /** '@Name', a reference to an input. */
  | 'parameter'
  /** A semicolon. */
  | 'end'
  /** Must not be sent; `problem` says why. */
  | 'refused';

export interface SqlToken {
  kind: SqlTokenKind;
  /** In the form that is sent. */
  text: string;
  /** Continues 'The query …'. */
  problem?: string;
}

const UNCLOSED = 'has a text, a quoted name or a comment that is not closed';

/**
 * Every character that either database treats as a line end: SQL Server and PostgreSQL also end a comment at a carriage
 * return.
 */
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/gu;
/** Includes zero-width spaces. */
const SPACE = /[\s\u0085\u180E\u200B\uFEFF]+/uy;
const OTHER_BLANK = /[^\S\n\t]|[\u180E\u200B\uFEFF]/gu;

const PARAMETER = /@[\p{L}_][\p{L}\p{N}_]*/uy;
/** Characters that either database allows within a name. */
const NAME_CHARACTER = /[\p{L}\p{M}\p{N}_$#@]/u;

interface Lexis {
  word: RegExp;
  number: RegExp;
  symbol: RegExp;
  /** A character that would be read as a continuation of a name or of a parameter. */
  continues: RegExp;
}

const LEXES: Record<SqlKind, Lexis> = {
  pg: {
    // PostgreSQL allows every non-ASCII character in names.
    word: /[A-Za-z_\u{80}-\u{10FFFF}](?:[A-Za-z0-9_$]|(?!\s)[\u{80}-\u{10FFFF}])*/uy,
    number: /0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?/uy,
    symbol: /[!#%&()*+,\-./:<=>?@[\]^`{|}~]/uy,
    continues: /[\p{L}\p{M}\p{N}_$]/u,
  },
  mssql: {
    // Excludes invisible characters: a server could drop them from a word (d\u034Felete) or treat them as a blank.
    word: /(?!\p{DI})[\p{L}_#@](?:(?!\p{DI})[\p{L}\p{M}\p{N}_$#@])*|\$(?:action|identity|rowguid|partition)(?![\p{L}\p{M}\p{N}_$#@])/iuy,
    // SQL Server reads 1e as 1e0, and 0x as an empty binary value.
    number: /0[xX][0-9a-fA-F]*|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d*)?/uy,
    symbol: /[!%&()*+,\-./:<=>^{|}~]/uy,
    continues: NAME_CHARACTER,
  },
};

/** Returns the tokens in order. Unless one is refused, their concatenated texts are what may be sent. */
export function sqlTokens(sql: string, kind: SqlKind): SqlToken[] {
  const tokens: SqlToken[] = [];
  for (let at = 0; at < sql.length;) {
    const { token, end } = tokenAt(sql, at, kind, tokens);
    tokens.push(token);
    at = end;
  }
  return tokens;
}

interface Found {
  token: SqlToken;
  end: number;
}

const refused = (text: string, problem: string, end: number): Found => ({
  token: { kind: 'refused', text, problem },
  end,
});

function tokenAt(sql: string, at: number, kind: SqlKind, before: readonly SqlToken[]): Found {
  const found =
    spaceAt(sql, at) ??
    quotedAt(sql, at, kind, before) ??
    parameterAt(sql, at, kind) ??
    numberAt(sql, at, kind) ??
    plainAt(sql, at, kind);
  if (found) return found;
  const character = String.fromCodePoint(sql.codePointAt(at)!);
  const shown = /[\p{C}\p{Z}\p{DI}]/u.test(character)
    ? `U+${sql.codePointAt(at)!.toString(16).toUpperCase().padStart(4, '0')}`
    : character;
  return refused(character, `has the character ${shown} outside of quotes`, at + character.length);
}

function match(pattern: RegExp, sql: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(sql)?.[0];
}

function spaceAt(sql: string, at: number): Found | null {
  const two = sql.slice(at, at + 2);
  if (two === '--') return { token: { kind: 'space', text: ' ' }, end: lineEnd(sql, at) };
  if (two === '/*') {
    const end = blockCommentEnd(sql, at);
    return end === null ? refused('', UNCLOSED, sql.length) : { token: { kind: 'space', text: ' ' }, end };
  }
  const blank = match(SPACE, sql, at);
  if (blank === undefined) return null;
  const text = blank.replaceAll(LINE_END, '\n').replaceAll(OTHER_BLANK, ' ');
  return { token: { kind: 'space', text }, end: at + blank.length };
}

function lineEnd(sql: string, at: number): number {
  LINE_END.lastIndex = at;
  return LINE_END.exec(sql)?.index ?? sql.length;
}

/** Comments nest in both databases. */
function blockCommentEnd(sql: string, at: number): number | null {
  let depth = 0;
  for (let index = at; index < sql.length; index++) {
    const two = sql.slice(index, index + 2);
    if (two === '/*') depth += 1;
    else if (two === '*/') depth -= 1;
    else continue;
    index += 1;
    if (depth === 0) return index + 1;
  }
  return null;
}

function quotedAt(sql: string, at: number, kind: SqlKind, before: readonly SqlToken[]): Found | null {
  const character = sql[at]!;
  const isPg = kind === 'pg';
  if (character === '$' && isPg) return dollarQuotedAt(sql, at);
  if (character === "'") return closed(sql, at, { close: "'", kind: 'text', escapes: isPg && isEscapeText(before) });
  if (character === '[' && !isPg) return closed(sql, at, { close: ']', kind: 'name', escapes: false });
  if (character !== '"') return null;
  // U&"\0064rop": a name whose escapes hide the actual name.
  if (isPg && /u&$/i.test(sql.slice(Math.max(0, at - 2), at)))
    return refused('', 'has a name written as U&"…"', sql.length);
  return closed(sql, at, { close: '"', kind: 'name', escapes: false });
}

/** E'…' is a text with backslash escapes; a text that continues it after a line end has them too. */
function isEscapeText(before: readonly SqlToken[]): boolean {
  const last = before.at(-1);
  if (last?.kind === 'word') return /^e$/i.test(last.text);
  const at = before.findLastIndex(({ kind }) => kind !== 'space');
  const isEscape = ({ kind, text }: SqlToken): boolean => kind === 'word' && /^e$/i.test(text);
  // In a sequence of adjacent texts, the first one determines this.
  let first = at;
  while (first >= 0 && /^(?:text|space)$/.test(before[first]!.kind)) first -= 1;
  return at >= 0 && before[at]!.kind === 'text' && first >= 0 && isEscape(before[first]!);
}

interface Quotes {
  close: string;
  kind: 'text' | 'name';
  escapes: boolean;
}

function closed(sql: string, at: number, { close, kind, escapes }: Quotes): Found {
  for (let index = at + 1; index < sql.length; index++) {
    if (escapes && sql[index] === '\\') index += 1;
    else if (sql[index] === close) {
      if (sql[index + 1] !== close) return { token: { kind, text: sql.slice(at, index + 1) }, end: index + 1 };
      index += 1;
    }
  }
  return refused('', UNCLOSED, sql.length);
}

function dollarQuotedAt(sql: string, at: number): Found {
  const mark = match(/\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy, sql, at);
  if (mark === undefined) return refused('$', 'has a $ outside of quotes: values are named as @Name', at + 1);
  const end = sql.indexOf(mark, at + mark.length);
  if (end < 0) return refused('', UNCLOSED, sql.length);
  return { token: { kind: 'text', text: sql.slice(at, end + mark.length) }, end: end + mark.length };
}

function parameterAt(sql: string, at: number, kind: SqlKind): Found | null {
  // An '@' inside a name is part of the name.
  if (sql[at] !== '@' || NAME_CHARACTER.test(sql[at - 1] ?? '')) return null;
  const text = match(PARAMETER, sql, at);
  if (text === undefined) return null;
  const end = at + text.length;
  const next = characterAt(sql, end);
  if (LEXES[kind].continues.test(next)) return refused(text, `has ${text}${next}, which names no input`, end);
  return { token: { kind: 'parameter', text }, end };
}

/** SQL Server reads 1delete and $1delete as a number followed by a word. */
function numberAt(sql: string, at: number, kind: SqlKind): Found | null {
  const isMoney = kind === 'mssql' && /\p{Sc}/u.test(sql[at]!) && match(LEXES.mssql.word, sql, at) === undefined;
  const start = isMoney ? at + 1 : at;
  const digits = match(LEXES[kind].number, sql, start);
  if (digits === undefined && !isMoney) return null;
  const end = start + (digits ?? '').length;
  const text = sql.slice(at, end);
  const next = characterAt(sql, end);
  if (LEXES[kind].continues.test(next)) return refused(text, `has ${text}${next}: put a blank after the number`, end);
  return { token: { kind: 'number', text }, end };
}

function plainAt(sql: string, at: number, kind: SqlKind): Found | null {
  const { word, symbol } = LEXES[kind];
  const name = match(word, sql, at);
  if (name !== undefined) return { token: { kind: 'word', text: name }, end: at + name.length };
  if (sql[at] === ';') return { token: { kind: 'end', text: ';' }, end: at + 1 };
  const sign = match(symbol, sql, at);
  return sign === undefined ? null : { token: { kind: 'symbol', text: sign }, end: at + 1 };
}

const characterAt = (sql: string, at: number): string =>
  at < sql.length ? String.fromCodePoint(sql.codePointAt(at)!) : '';
