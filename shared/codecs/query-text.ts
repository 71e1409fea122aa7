/**
 * Parses queries that authors write for named connections: finds references to inputs such as `@Other_Input`, and
 * checks that a query only reads. References count only outside texts, comments and quoted identifiers. Their values
 * are always bound as parameters, never inserted as text.
 */
import { queryProblem } from './read-only-query.ts';
import { sqlTokens, type SqlKind, type SqlToken } from './sql-tokens.ts';

export type { SqlKind } from './sql-tokens.ts';

/** A Date represents its UTC parts: a calendar day and time without a time zone. */
export type SqlParameter = string | number | boolean | Date | null;

/** A fragment of SQL: either text, or a value to bind. */
export type SqlFragment = { text: string } | { value: SqlParameter };

export type QueryFragment = { text: string } | { parameter: string };

export interface QueryText {
  fragments: readonly QueryFragment[];
  /** Names of parameters as written, without the '@', each once. */
  parameters: readonly string[];
  /** Why the query cannot be run; null if it can. */
  problem: string | null;
}

/** SQL in the form that drivers expect: $1, $2, … for PostgreSQL, @p0, @p1, … for SQL Server. */
export interface BoundQuery {
  sql: string;
  values: readonly SqlParameter[];
}

/**
 * Parses a query that must only read: one statement that starts with SELECT, WITH or VALUES. `kind` determines the
 * quoting rules. The fragments are what was checked, and only they may be sent: they have Unix line ends and no
 * comments.
 */
export function parseQueryText(sql: string, kind: SqlKind): QueryText {
  const tokens = withoutEnds(sqlTokens(sql, kind));
  const fragments: QueryFragment[] = [];
  for (const { kind: tokenKind, text } of tokens) {
    if (tokenKind === 'parameter') fragments.push({ parameter: text.slice(1) });
    else appendText(fragments, text);
  }
  const names = fragments.flatMap((fragment) => ('parameter' in fragment ? [fragment.parameter] : []));
  const distinct = new Map(names.map((name) => [name.toLowerCase(), name]));
  return { fragments, parameters: [...distinct.values()], problem: queryProblem(tokens, kind) };
}

/** Removes leading and trailing blanks, and trailing semicolons. */
function withoutEnds(tokens: readonly SqlToken[]): SqlToken[] {
  const start = tokens.findIndex(({ kind }) => kind !== 'space');
  const end = tokens.findLastIndex(({ kind }) => kind !== 'space' && kind !== 'end');
  return start < 0 ? [] : tokens.slice(start, end + 1);
}

function appendText(fragments: QueryFragment[], text: string): void {
  const last = fragments.at(-1);
  if (last && 'text' in last) last.text += text;
  else fragments.push({ text });
}

/** Returns the parameter name of an input: 'Cost centre (old)' is @Cost_centre_old. */
export function parameterName(inputName: string): string {
  return inputName
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '_')
    .replaceAll(/_+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
}

/** Returns whether `@name` in a query refers to the input. */
export function isParameterOf(parameter: string, inputName: string): boolean {
  const written = (name: string): string => parameterName(name).toLowerCase();
  return written(parameter) === written(inputName);
}

/**
 * Returns the query in the form sent to the database. Each occurrence of a parameter is bound separately, because the
 * database may infer a different type for each position. `valueOf` returns a value, or SQL with its own values (a
 * condition), for the name as written.
 */
export function bindQuery(
  query: Pick<QueryText, 'fragments'>,
  kind: SqlKind,
  valueOf: (parameter: string) => SqlParameter | readonly SqlFragment[],
): BoundQuery {
  const fragments = query.fragments.flatMap((fragment): readonly SqlFragment[] => {
    if ('text' in fragment) return [fragment];
    const value = valueOf(fragment.parameter);
    return Array.isArray(value) ? value : [{ value: value as SqlParameter }];
  });
  return bindFragments(fragments, kind);
}

/** Joins SQL fragments and numbers the placeholders of their values. */
export function bindFragments(fragments: readonly SqlFragment[], kind: SqlKind): BoundQuery {
  const values: SqlParameter[] = [];
  let sql = '';
  for (const fragment of fragments) {
    if ('text' in fragment) {
      sql += fragment.text;
      continue;
    }
    values.push(fragment.value);
    sql += kind === 'pg' ? `$${values.length}` : `@p${values.length - 1}`;
  }
  return { sql, values };
}

/** Quotes the name of a column or table. */
export function quoteName(name: string, kind: SqlKind): string {
  return kind === 'pg' ? `"${name.replaceAll('"', '""')}"` : `[${name.replaceAll(']', ']]')}]`;
}
