/** Records database statements as spans: what they do with which table, and how long; never their text or values. */
import type { Knex } from 'knex';
import { currentSpan, openSpan, type OpenSpan } from '#server/base/tracing.ts';
import type { Database } from '#server/db/database.ts';

interface Query {
  __knexQueryUid: string;
  sql: string;
}

/** Maximum number of open spans, because some statements may have been given up without notice. */
const MAX_OPEN_SPANS = 1_000;
const CHANGE = /\b(insert into|update|delete from|merge into) (?:only )?["[](\w{1,64})["\]]/i;
const READ = /\bfrom (?:only )?["[](\w{1,64})["\]]/i;
const FIRST_WORD = /^\s*\(?(\w{1,20})/;
/** Names of our tables; other names in a statement are not recorded. */
const TABLE = /^[A-Z][A-Za-z]+$/;

export function traceStatements({ knex, dialect }: Pick<Database, 'knex' | 'dialect'>): void {
  const open = new Map<string, OpenSpan>();
  const system = dialect.name === 'pg' ? 'postgresql' : 'microsoft.sql_server';
  const end = ({ __knexQueryUid: uid }: Query, fault?: string): void => {
    const span = open.get(uid);
    if (!span) return;
    open.delete(uid);
    if (fault !== undefined) span.fail(fault);
    span.end();
  };
  knex.on('query', ({ __knexQueryUid: uid, sql }: Query) => {
    if (!currentSpan()) return;
    const { name, operation, table } = namesOf(sql);
    const attributes = {
      'db.system.name': system,
      'db.operation.name': operation,
      ...(table === '' ? {} : { 'db.collection.name': table }),
    };
    const [oldest] = open.keys();
    if (oldest !== undefined && open.size >= MAX_OPEN_SPANS) end({ __knexQueryUid: oldest, sql: '' }, 'given up');
    const span = openSpan(name, { kind: 'client', attributes });
    if (span) open.set(uid, span);
  });
  knex.on('query-response', (_answer: unknown, query: Query) => end(query));
  knex.on('query-error', (error: unknown, query: Query) => end(query, dialect.classify(error).fault));
}

/** Returns a name such as 'update ActivityRuns'; the first word of a statement that uses none of our tables. */
export function namesOf(sql: Knex.Sql['sql']): { name: string; operation: string; table: string } {
  const [, change, changed = ''] = CHANGE.exec(sql) ?? [];
  const [, read = ''] = READ.exec(sql) ?? [];
  const first = FIRST_WORD.exec(sql)?.[1] ?? 'statement';
  const operation = (change ?? (read === '' ? first : 'select')).split(' ')[0]!.toLowerCase();
  const named = change === undefined ? read : changed;
  const table = TABLE.test(named) ? named : '';
  return { name: `${operation} ${table}`.trim(), operation, table };
}
