/**
 * Queries that authors write for named connections: where they name inputs as `@Other_Input`, and whether they only read.
 * A name counts only outside of texts, comments and quoted identifiers, and its value is always bound, never pasted.
 */

/** Whose SQL it is: what quotes a name or a text differs. */
export type SqlKind = 'pg' | 'mssql';

/** A Date stands for its parts in UTC: a calendar day and time without a zone. */
export type SqlParameter = string | number | boolean | Date | null;

/** SQL in which each value has its own place. */
export type SqlPiece = { text: string } | { value: SqlParameter };

export type QueryPiece = { text: string } | { parameter: string };

export interface QueryText {
  pieces: readonly QueryPiece[];
  /** Parameters as written, without the '@', each once. */
  parameters: readonly string[];
  /** Why it cannot be run; null where it can. */
  problem: string | null;
}

/** SQL as a driver takes it: $1, $2, … for PostgreSQL, @p0, @p1, … for SQL Server. */
export interface BoundQuery {
  sql: string;
  values: readonly SqlParameter[];
}

type Token = 'code' | 'quoted' | 'comment' | 'parameter' | 'unclosed';

/**
 * Reads a query that must only read: one statement that begins with SELECT, WITH or VALUES. `kind` decides what quotes.
 * PostgreSQL refuses a write by itself (the transaction reads only); SQL Server has no such transaction, so that words
 * which write are refused there: all of them are reserved, and a column of such a name has to be quoted anyway.
 */
export function parseQueryText(sql: string, kind: SqlKind): QueryText {
  const trimmed = sql.trim().replace(/(\s*;)+$/, '');
  const pieces: QueryPiece[] = [];
  let code = '';
  let problem: string | null = null;
  for (const { token, text } of tokens(trimmed, kind)) {
    if (token === 'unclosed') problem ??= 'has a text, a quoted name or a comment that is not closed';
    if (token === 'parameter') pieces.push({ parameter: text.slice(1) });
    else appendText(pieces, text);
    code += token === 'code' ? text : token === 'parameter' ? '0' : ' ';
  }
  problem ??= codeProblem(code, kind);
  const names = pieces.flatMap((piece) => ('parameter' in piece ? [piece.parameter] : []));
  const distinct = new Map(names.map((name) => [name.toLowerCase(), name]));
  return { pieces, parameters: [...distinct.values()], problem };
}

function appendText(pieces: QueryPiece[], text: string): void {
  const last = pieces.at(-1);
  if (last && 'text' in last) last.text += text;
  else pieces.push({ text });
}

/** The name of an input as a query writes it: 'Cost centre (old)' is @Cost_centre_old. */
export function parameterName(inputName: string): string {
  return inputName
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '_')
    .replaceAll(/_+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
}

/** Whether a query's `@name` means the input. */
export function isParameterOf(parameter: string, inputName: string): boolean {
  const written = (name: string): string => parameterName(name).toLowerCase();
  return written(parameter) === written(inputName);
}

/**
 * The query as it is sent. Each occurrence of a parameter is bound by itself, so that the database may read each as the type
 * its place asks for. `valueOf` answers a value, or SQL with values of its own (a condition), for the name as written.
 */
export function bindQuery(
  query: Pick<QueryText, 'pieces'>,
  kind: SqlKind,
  valueOf: (parameter: string) => SqlParameter | readonly SqlPiece[],
): BoundQuery {
  const pieces = query.pieces.flatMap((piece): readonly SqlPiece[] => {
    if ('text' in piece) return [piece];
    const value = valueOf(piece.parameter);
    return Array.isArray(value) ? value : [{ value: value as SqlParameter }];
  });
  return bindPieces(pieces, kind);
}

/** SQL with its values' places numbered. */
export function bindPieces(pieces: readonly SqlPiece[], kind: SqlKind): BoundQuery {
  const values: SqlParameter[] = [];
  let sql = '';
  for (const piece of pieces) {
    if ('text' in piece) {
      sql += piece.text;
      continue;
    }
    values.push(piece.value);
    sql += kind === 'pg' ? `$${values.length}` : `@p${values.length - 1}`;
  }
  return { sql, values };
}

/** A column's or table's name, quoted. */
export function quoteName(name: string, kind: SqlKind): string {
  return kind === 'pg' ? `"${name.replaceAll('"', '""')}"` : `[${name.replaceAll(']', ']]')}]`;
}

const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const NAME_CHARACTER = /[\p{L}\p{N}_$#@]/u;

function* tokens(sql: string, kind: SqlKind): Generator<{ token: Token; text: string }> {
  let at = 0;
  let start = 0;
  const codeUpTo = function* (end: number): Generator<{ token: Token; text: string }> {
    if (end > start) yield { token: 'code', text: sql.slice(start, end) };
  };
  while (at < sql.length) {
    const found = special(sql, at, kind);
    if (!found) {
      at += 1;
      continue;
    }
    yield* codeUpTo(at);
    yield { token: found.token, text: sql.slice(at, found.end) };
    at = found.end;
    start = at;
  }
  yield* codeUpTo(sql.length);
}

interface Found {
  token: Token;
  end: number;
}

/** What begins at a place that is no plain code; null where plain code goes on. */
function special(sql: string, at: number, kind: SqlKind): Found | null {
  const character = sql[at]!;
  const two = sql.slice(at, at + 2);
  if (two === '--') {
    const end = sql.indexOf('\n', at);
    return { token: 'comment', end: end < 0 ? sql.length : end };
  }
  if (two === '/*') return blockComment(sql, at);
  if (character === "'") return quoted(sql, at, "'", kind === 'pg' && isEscapeText(sql, at));
  if (character === '"') return quoted(sql, at, '"', false);
  if (character === '[' && kind === 'mssql') return quoted(sql, at, ']', false);
  if (character === '$' && kind === 'pg') return dollarQuoted(sql, at);
  if (character === '@') return parameter(sql, at);
  return null;
}

/** Comments of both databases nest. */
function blockComment(sql: string, at: number): Found {
  let depth = 0;
  for (let place = at; place < sql.length; place++) {
    const two = sql.slice(place, place + 2);
    if (two === '/*') depth += 1;
    else if (two === '*/') depth -= 1;
    else continue;
    place += 1;
    if (depth === 0) return { token: 'comment', end: place + 1 };
  }
  return { token: 'unclosed', end: sql.length };
}

/** E'…', in which a backslash escapes. */
function isEscapeText(sql: string, at: number): boolean {
  return /[eE]/.test(sql[at - 1] ?? '') && !NAME_CHARACTER.test(sql[at - 2] ?? '');
}

function quoted(sql: string, at: number, close: string, escapes: boolean): Found {
  for (let place = at + 1; place < sql.length; place++) {
    if (escapes && sql[place] === '\\') place += 1;
    else if (sql[place] === close) {
      if (sql[place + 1] !== close) return { token: 'quoted', end: place + 1 };
      place += 1;
    }
  }
  return { token: 'unclosed', end: sql.length };
}

function dollarQuoted(sql: string, at: number): Found | null {
  if (NAME_CHARACTER.test(sql[at - 1] ?? '')) return null;
  const tag = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;
  tag.lastIndex = at;
  const [mark] = tag.exec(sql) ?? [];
  if (mark === undefined) return null;
  const end = sql.indexOf(mark, at + mark.length);
  return end < 0 ? { token: 'unclosed', end: sql.length } : { token: 'quoted', end: end + mark.length };
}

function parameter(sql: string, at: number): Found | null {
  // @@ROWCOUNT is SQL Server's own, and an '@' inside a name belongs to the name.
  if (sql[at + 1] === '@' || NAME_CHARACTER.test(sql[at - 1] ?? '')) return null;
  NAME.lastIndex = at + 1;
  const [name] = NAME.exec(sql) ?? [];
  return name === undefined ? null : { token: 'parameter', end: at + 1 + name.length };
}

/** Reserved words of SQL Server that change something, or run what might. */
const WRITING =
  /\b(insert|update|delete|merge|into|drop|alter|create|truncate|exec|execute|grant|revoke|deny|commit|rollback|begin|save|backup|restore|dbcc|shutdown|kill|use|openquery|openrowset|opendatasource|bulk|writetext|updatetext|waitfor|declare|set)\b/i;

/** The query without what is quoted or a comment. */
function codeProblem(code: string, kind: SqlKind): string | null {
  if (code.trim() === '') return 'is empty';
  if (code.includes(';')) return 'has more than one statement';
  if (!/^[\s(]*(select|with|values)\b/i.test(code)) return 'does not begin with SELECT or WITH';
  if (!isBalanced(code)) return 'has brackets that do not match';
  const writing = kind === 'mssql' ? WRITING.exec(code) : null;
  return writing ? `may only read, but says ${writing[0].toUpperCase()}` : null;
}

/** Queries are put in brackets: none may close them. */
function isBalanced(code: string): boolean {
  let depth = 0;
  for (const character of code) {
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
