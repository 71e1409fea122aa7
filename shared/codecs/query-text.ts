/**
 * Queries that authors write for named connections: where they name inputs as `@Other_Input`, and whether they only read.
 * A name counts only outside of texts, comments and quoted identifiers, and its value is always bound, never pasted.
 */
import { queryProblem } from './read-only-query.ts';
import { sqlTokens, type SqlKind, type SqlToken } from './sql-tokens.ts';

export type { SqlKind } from './sql-tokens.ts';

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

/**
 * Reads a query that must only read: one statement that begins with SELECT, WITH or VALUES. `kind` decides what quotes. The pieces are
 * what was checked, and alone may be sent: line ends are those of Unix there, and comments are left out.
 */
export function parseQueryText(sql: string, kind: SqlKind): QueryText {
  const tokens = withoutEnds(sqlTokens(sql, kind));
  const pieces: QueryPiece[] = [];
  for (const { kind: tokenKind, text } of tokens) {
    if (tokenKind === 'parameter') pieces.push({ parameter: text.slice(1) });
    else appendText(pieces, text);
  }
  const names = pieces.flatMap((piece) => ('parameter' in piece ? [piece.parameter] : []));
  const distinct = new Map(names.map((name) => [name.toLowerCase(), name]));
  return { pieces, parameters: [...distinct.values()], problem: queryProblem(tokens, kind) };
}

/** Without blanks around it, nor semicolons at its end. */
function withoutEnds(tokens: readonly SqlToken[]): SqlToken[] {
  const start = tokens.findIndex(({ kind }) => kind !== 'space');
  const end = tokens.findLastIndex(({ kind }) => kind !== 'space' && kind !== 'end');
  return start < 0 ? [] : tokens.slice(start, end + 1);
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
