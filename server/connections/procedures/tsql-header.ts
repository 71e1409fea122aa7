/**
 * Parses the header of a T-SQL procedure: SQL Server stores the defaults of parameters only in the procedure's text.
 * Source: CREATE PROCEDURE (Transact-SQL), Syntax; sys.parameters, has_default_value ("only for CLR objects").
 */

export interface HeaderParameter {
  /** Without the '@'. */
  name: string;
  /** The default as written: a constant, or a bare word that is its own text; null without a default. */
  defaultText: string | null;
  isOutput: boolean;
  isReadOnly: boolean;
  isCursor: boolean;
}

interface Token {
  kind: 'word' | 'parameter' | 'text' | 'quoted' | 'number' | 'sign';
  text: string;
}

/**
 * Unlike sqlTokens for queries, this supports nested comments. A text may begin with N; a number can be 0x…, 1e5, or
 * money.
 */
const TOKENS =
  /(?<space>\s+)|(?<line>--[^\r\n]*)|(?<comment>\/\*)|(?<text>[nN]?'(?:[^']|'')*')|(?<quoted>\[(?:[^\]]|\]\])*\]|"(?:[^"]|"")*")|(?<parameter>@[\p{L}\p{N}_@#$]+)|(?<number>0[xX][\da-fA-F]*|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d*)?|[$€£¥]\s*(?:\d[\d,]*\.?\d*|\.\d+))|(?<word>[\p{L}_#][\p{L}\p{N}_@#$]*)|(?<sign>[^])/uy;

function* tokensOf(sql: string): Generator<Token> {
  let at = 0;
  while (at < sql.length) {
    TOKENS.lastIndex = at;
    const groups = TOKENS.exec(sql)!.groups!;
    const [kind, text] = Object.entries(groups).find(([, found]) => found !== undefined)!;
    if (kind === 'comment') at = endOfComment(sql, at);
    else at += text!.length;
    if (kind !== 'comment' && kind !== 'space' && kind !== 'line') yield { kind: kind as Token['kind'], text: text! };
  }
}

function endOfComment(sql: string, start: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  for (let depth = 0; ;) {
    const mark = marks.exec(sql);
    if (!mark) return sql.length;
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
}

/** Returns the parameters of the procedure that the text creates; null if the text cannot be parsed as one. */
export function readTsqlHeader(sql: string): HeaderParameter[] | null {
  const tokens = tokensUpToBody(sql);
  if (tokens === null) return null;
  const parameters: HeaderParameter[] = [];
  for (let at = 0; at < tokens.length;) {
    const name = tokens[at]!;
    if (name.kind !== 'parameter') return null;
    const end = endOfParameter(tokens, at + 1);
    parameters.push(parameterOf(name.text.slice(1), tokens.slice(at + 1, end)));
    at = end + 1;
  }
  return parameters;
}

const isWord = (token: Token | undefined, ...words: string[]): boolean =>
  token?.kind === 'word' && words.includes(token.text.toLowerCase());
const isSign = (token: Token | undefined, ...signs: string[]): boolean =>
  token?.kind === 'sign' && signs.includes(token.text);

/**
 * Returns the tokens between the procedure's name and AS, WITH or FOR REPLICATION, without the parentheses around them.
 */
function tokensUpToBody(sql: string): Token[] | null {
  const rest = tokensOf(sql);
  const next = (): Token | undefined => rest.next().value as Token | undefined;
  let token = next();
  while (token && !isWord(token, 'proc', 'procedure')) token = next();
  if (!token) return null;
  // The name with up to three parts, and the number of a numbered procedure.
  token = next();
  if (token?.kind !== 'word' && token?.kind !== 'quoted') return null;
  token = next();
  while (isSign(token, '.')) {
    token = next();
    if (!isSign(token, '.')) token = next();
  }
  if (isSign(token, ';')) {
    next();
    token = next();
  }
  const isBracketed = isSign(token, '(');
  if (isBracketed) token = next();
  const found: Token[] = [];
  for (let depth = 0; token; token = next()) {
    if (isSign(token, '(')) depth += 1;
    else if (isSign(token, ')')) {
      if (depth === 0) return isBracketed ? found : null;
      depth -= 1;
    } else if (depth === 0 && isBody(token, found.at(-1))) return found;
    found.push(token);
  }
  return null;
}

/** In '@a AS int', AS does not begin the body. '= with' cannot be a default. */
const isBody = (token: Token, before: Token | undefined): boolean =>
  isWord(token, 'with', 'for') || (isWord(token, 'as') && before?.kind !== 'parameter');

function endOfParameter(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at += 1) {
    if (isSign(tokens[at], '(')) depth += 1;
    if (isSign(tokens[at], ')')) depth -= 1;
    if (depth === 0 && isSign(tokens[at], ',')) return at;
  }
  return tokens.length;
}

function parameterOf(name: string, tokens: readonly Token[]): HeaderParameter {
  const at = tokens.findIndex((token) => isSign(token, '='));
  const declared = at < 0 ? tokens : tokens.slice(0, at);
  const behind = at < 0 ? [] : tokens.slice(at + 1);
  const isMark = (token: Token): boolean => isWord(token, 'out', 'output', 'readonly');
  // Such a word may itself be the default: '= output output'.
  const value = behind.filter((token, index) => index === 0 || !isMark(token));
  const marks = at < 0 ? declared.slice(1).filter(isMark) : behind.slice(1).filter(isMark);
  return {
    name,
    defaultText: at < 0 ? null : value.map(({ text }) => text).join(''),
    isOutput: marks.some((token) => isWord(token, 'out', 'output')),
    isReadOnly: marks.some((token) => isWord(token, 'readonly')),
    isCursor: declared.some((token) => isWord(token, 'cursor')),
  };
}

/**
 * Converts the default to an expression for initializing a variable; null if that is not possible. A constant is used
 * as written; a bare word (`@a nvarchar(10) = hello`) becomes a text.
 */
export function defaultExpression(defaultText: string): string | null {
  const tokens = [...tokensOf(defaultText)];
  const signs = tokens.slice(0, -1);
  const last = tokens.at(-1);
  if (!last || !signs.every((token) => isSign(token, '-', '+'))) return null;
  if (last.kind === 'number' || (last.kind === 'text' && signs.length === 0)) return defaultText;
  if (signs.length > 0) return null;
  if (isWord(last, 'null')) return 'null';
  if (last.kind === 'word') return `N'${last.text}'`;
  return last.kind === 'quoted' ? `N'${unquoted(last.text).replaceAll("'", "''")}'` : null;
}

function unquoted(text: string): string {
  const close = text.at(-1)!;
  return text.slice(1, -1).replaceAll(close + close, close);
}
