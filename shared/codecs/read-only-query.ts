/**
 * Checks that a query is a single statement that only reads. On PostgreSQL, queries run in a read-only transaction and
 * as a single statement, so only functions with effects beyond the transaction are refused. SQL Server has no read-only
 * transactions: every word that starts another statement or changes something is refused. Those words are reserved, so
 * a column with such a name must be quoted anyway. Source: Transact-SQL Reference, Statements and Reserved keywords;
 * PostgreSQL manual, 9.28 System Administration Functions.
 */
import type { SqlKind, SqlToken } from './sql-tokens.ts';

/** Returns why the query cannot be run, as the continuation of 'The query …'; null if it can. */
export function queryProblem(tokens: readonly SqlToken[], kind: SqlKind): string | null {
  const refused = tokens.find((token) => token.kind === 'refused');
  if (refused) return refused.problem!;
  const code = tokens.filter((token) => token.kind !== 'space');
  if (code.length === 0) return 'is empty';
  if (code.some((token) => token.kind === 'end')) return 'has more than one statement';
  const first = code.find(({ text }) => text !== '(');
  if (!first || !['select', 'with', 'values'].includes(wordOf(first))) return 'does not begin with SELECT or WITH';
  if (!isBalanced(code)) return 'has brackets that do not match';
  return kind === 'pg' ? calledProblem(code) : statementProblem(code);
}

/** Folds a word like SQL Server might: full-width letters, and the dotless and dotted i of Turkish collations. */
function wordOf(token: SqlToken | undefined): string {
  if (token?.kind !== 'word') return '';
  return token.text.normalize('NFKC').toLowerCase().replaceAll('ı', 'i').replaceAll('\u0307', '');
}

/** The caller puts queries in parentheses, so a query must not close them. */
function isBalanced(code: readonly SqlToken[]): boolean {
  let depth = 0;
  for (const { kind, text } of code) {
    if (kind !== 'symbol') continue;
    if (text === '(') depth += 1;
    else if (text === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/**
 * PostgreSQL functions that a read-only transaction permits although they have effects. They change the session, hold
 * server-wide locks, act through another connection, or act on files, processes, replication or statistics. Others run
 * a text as SQL, which may call any of these. Sources: PostgreSQL manual, 12.4 Additional Features (ts_stat,
 * ts_rewrite), F.41 tablefunc, F.50 xml2.
 */
const LASTING_FUNCTION = new RegExp(
  `^(?:${[
    'set_config',
    String.raw`pg_(?:try_)?advisory_\w+`,
    String.raw`dblink\w*`,
    'lo_(?:creat|create|open|unlink|import|export|put|from_bytea|truncate|truncate64)',
    'lowrite|pg_notify',
    'pg_(?:cancel|terminate)_backend',
    String.raw`pg_(?:reload_conf|rotate_logfile\w*|promote|switch_wal|export_snapshot|import_system_collations|prewarm)`,
    String.raw`pg_(?:file|ls|log|create|copy|replication|logical|backup|wal_replay|stat_reset|stat_statements_reset)(?:_\w+)?`,
    String.raw`pg_(?:read_file|read_binary_file|stat_file|start_backup|stop_backup|drop_replication_slot|sync_\w+)`,
    String.raw`(?:query|cursor)_to_xml\w*`,
    String.raw`brin_(?:de)?summarize\w*|gin_clean_pending_list|heap_force_\w+|postgres_fdw_disconnect\w*`,
    String.raw`pg_(?:truncate_visibility_map|buffercache_(?:evict|mark)\w*|(?:restore|clear)_\w+_stats)`,
    String.raw`autoprewarm_\w+|pg_background_\w+|http(?:_(?:get|post|put|patch|delete|head))?|query_export_to_s3|table_import_from_s3`,
    // They run SQL contained in a text, which has not been checked.
    String.raw`ts_stat|ts_rewrite|crosstab\w*|connectby|xpath_table`,
  ].join('|')})$`,
);

function calledProblem(code: readonly SqlToken[]): string | null {
  for (const [index, token] of code.entries()) {
    if (code[index + 1]?.text !== '(') continue;
    const name = token.kind === 'name' ? token.text.slice(1, -1).replaceAll('""', '"') : wordOf(token);
    if (LASTING_FUNCTION.test(name)) return `may only read, but calls ${name}`;
  }
  return null;
}

/** Reserved words: no unquoted name can be one of them. */
const WRITING = new Set(
  (
    'add alter backup begin break bulk checkpoint close commit continue create dbcc deallocate declare delete deny drop dump exec ' +
    'execute goto grant if insert into kill lineno load open opendatasource openquery openrowset print proc procedure raiserror ' +
    'readtext reconfigure restore return revert revoke rollback save set setuser shutdown tran transaction trigger truncate update ' +
    'updatetext waitfor while writetext'
  ).split(' '),
);
/**
 * Not reserved: these may be column names if they follow a dot or AS. The last three are hints that lock the rows read
 * until the query ends.
 */
const WRITING_UNLESS_NAME = new Set(['receive', 'send', 'throw', 'tablockx', 'updlock', 'xlock']);
const WRITING_PAIRS = new Set([
  'next value',
  'get conversation',
  'move conversation',
  'end conversation',
  'enable trigger',
  'disable trigger',
  // Only in Azure Synapse.
  'rename object',
  'rename database',
]);
/** Operators that combine two SELECTs into one statement. */
const SET_OPERATORS = new Set(['union', 'all', 'except', 'intersect']);
const ODBC_ESCAPES = new Set(['d', 't', 'ts', 'fn', 'guid', 'oj']);

interface WordContext {
  code: readonly SqlToken[];
  index: number;
  word: string;
  before: SqlToken | undefined;
  after: SqlToken | undefined;
}

function statementProblem(code: readonly SqlToken[]): string | null {
  let depth = 0;
  let selects = 0;
  const isWith = wordOf(code[0]) === 'with';
  for (const [index, token] of code.entries()) {
    if (token.text === '(') depth += 1;
    else if (token.text === ')') depth -= 1;
    const word = wordOf(token);
    const context = { code, index, word, before: code[index - 1], after: code[index + 1] };
    const problem = wordProblem(context) ?? symbolProblem(token, context);
    if (problem !== null) return problem;
    if (word !== 'select') continue;
    const isMainOfWith = isWith && depth === 0 && selects === 0 && context.before?.text === ')';
    if (depth === 0) selects += 1;
    if (!isMainOfWith && !mayBeginSelect(context)) return 'has more than one statement';
  }
  return null;
}

const mayBeginSelect = ({ index, before }: WordContext): boolean =>
  index === 0 || before?.text === '(' || SET_OPERATORS.has(wordOf(before));

function wordProblem(context: WordContext): string | null {
  const { word, before, after, index } = context;
  const says = (what: string): string => `may only read, but says ${what.toUpperCase()}`;
  if (word === '') return null;
  if (WRITING.has(word)) return says(word);
  const isName = before?.text === '.' || wordOf(before) === 'as';
  if (WRITING_UNLESS_NAME.has(word) && !isName) return says(word);
  const pair = `${word} ${wordOf(after)}`;
  if (WRITING_PAIRS.has(pair) && !isName) return says(pair);
  if (word === 'merge' && !['join', 'union'].includes(wordOf(after))) return says(word);
  // Allowed: OPTION (USE HINT ('…')), OFFSET 0 ROWS FETCH NEXT 5 ROWS ONLY.
  if (word === 'use' && !(/^[(,]$/.test(before?.text ?? '') && /^(?:hint|plan)$/.test(wordOf(after))))
    return says(word);
  if (word === 'fetch' && !isEndOfOffset(context)) return says(word);
  const isHint = after?.text === '(' || /^(?:rollup|cube|ties)$/.test(wordOf(after));
  return word === 'with' && index > 0 && !isHint ? 'has more than one statement' : null;
}

/** Matches OFFSET 0 ROWS FETCH NEXT 5 …; if 'rows' is the name of a column instead, a cursor would follow. */
const isEndOfOffset = ({ code, index, before, after }: WordContext): boolean =>
  /^rows?$/.test(wordOf(before)) && /^(?:first|next)$/.test(wordOf(after)) && code[index + 2]?.kind !== 'word';

/** Refuses labels (a single colon, in contrast to ::) and ODBC calls in braces. */
function symbolProblem({ kind, text }: SqlToken, { before, after }: WordContext): string | null {
  if (kind !== 'symbol') return null;
  if (text === ':' && before?.text !== ':' && after?.text !== ':') return 'has a : outside of quotes';
  return text === '{' && !ODBC_ESCAPES.has(wordOf(after)) ? 'has a { outside of quotes' : null;
}
