/** Queries on PostgreSQL: row by row through a cursor, or several small ones at once. */
import type { Socket } from 'node:net';
import type { Knex } from 'knex';
import type { Client, FieldDef, QueryArrayResult, QueryConfig } from 'pg';
import type { BoundQuery, SqlParameter } from '#shared/codecs/query-text.ts';
import { cancellation } from './cancel-pg.ts';
import { exactNumberOfText, fractionOfTime, numberOfText, serialOfText } from './result-values.ts';
import type { ResultBatch, ResultColumn } from './types.ts';

type PooledClient = Omit<Client, 'pipeline'> & {
  processID: number;
  pipeline: boolean;
  connection: { stream: Socket };
  __knex__disposed?: unknown;
};

interface Pooling {
  acquireConnection(): Promise<PooledClient>;
  releaseConnection(connection: PooledClient): Promise<void>;
}

export interface PgReadSettings {
  timeZone: string;
  /** Milliseconds after which the server itself ends a statement, should this process be gone. */
  timeLimit: number;
  batchRows: number;
  exactNumbers?: boolean;
  /** Ends the statement of a server process. */
  cancel: (processId: number) => Promise<void>;
}

const CURSOR = 'runsheet_rows';

interface PgReadTogetherSettings extends Omit<PgReadSettings, 'batchRows' | 'exactNumbers'> {
  /** Of each query; further ones are not read. */
  mostRows: number;
}

/**
 * DECLARE takes one statement that reads, and nothing else, so that no query can leave the read-only transaction it is in.
 * An abort ends the statement in the server, which the driver then answers with the error 57014.
 */
export async function* readPg(
  knex: Knex,
  { sql, values }: BoundQuery,
  signal: AbortSignal,
  settings: PgReadSettings,
): AsyncGenerator<ResultBatch, void, void> {
  signal.throwIfAborted();
  const pooling = knex.client as Pooling;
  const client = await pooling.acquireConnection();
  const { send, settled } = cancellation(() => settings.cancel(client.processID));
  signal.addEventListener('abort', send);
  try {
    await client.query(`begin isolation level repeatable read, read only;${sessionOf(settings)}`);
    signal.throwIfAborted();
    await client.query(declaration(CURSOR, { sql, values }));
    yield* fetchAll(client, signal, settings);
  } finally {
    signal.removeEventListener('abort', send);
    await settled();
    await leave(client).catch((error: unknown) => {
      client.__knex__disposed = error;
    });
    await pooling.releaseConnection(client);
  }
}

/**
 * All rows of each query, in one round trip. Each query sees what was committed when it began; what the first ones read is locked against
 * changes of its definition until the last one has been answered. The connection is cleaned and given back while the caller goes on.
 */
export async function readTogetherPg(
  knex: Knex,
  queries: readonly BoundQuery[],
  signal: AbortSignal,
  settings: PgReadTogetherSettings,
): Promise<ResultBatch[]> {
  const pooling = knex.client as Pooling;
  const client = await pooling.acquireConnection();
  const { send, settled } = cancellation(() => settings.cancel(client.processID));
  signal.addEventListener('abort', send);
  const sent = signal.aborted ? null : sendTogether(client, queries, settings);
  const giveBack = async (): Promise<void> => {
    const [left] = await Promise.allSettled([sent?.left]);
    signal.removeEventListener('abort', send);
    await settled();
    client.pipeline = false;
    if (left.status === 'rejected') client.__knex__disposed = left.reason;
    await pooling.releaseConnection(client);
  };
  void giveBack();
  signal.throwIfAborted();
  return sent!.answers;
}

function sendTogether(
  client: PooledClient,
  queries: readonly BoundQuery[],
  { mostRows, ...settings }: PgReadTogetherSettings,
): { answers: Promise<ResultBatch[]>; left: Promise<unknown> } {
  client.pipeline = true;
  // One packet for all that is sent in this turn, rather than one for each.
  const { stream } = client.connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
  // Outside a transaction DECLARE is refused: where the first statement fails, nothing is read without its protection.
  const began = client.query(`begin isolation level read committed, read only;${sessionOf(settings)}`);
  const answers = queries.map(async (query, index) => {
    const cursor = `${CURSOR}_${index}`;
    const declared = client.query(declaration(cursor, query));
    const [, rows] = await Promise.all([declared, fetchRows(client, mostRows, { cursor })]);
    return batchOf(rows);
  });
  // The driver answers in the order in which it was asked, so this is the last answer.
  const left = Promise.all([client.query('rollback'), client.query('discard all')]);
  return { answers: Promise.all([began, ...answers]).then(([, ...batches]) => batches), left };
}

/** What a function of the query did to the session is undone as well: its settings, and the locks that outlast a transaction. */
async function leave(client: PooledClient): Promise<void> {
  await client.query('rollback');
  await client.query('discard all');
}

/**
 * In the extended protocol also where there are no values: it takes one statement only, while the simple one would carry out
 * 'select 1; commit; drop table …' to the end.
 */
function declaration(cursor: string, { sql, values }: BoundQuery): QueryConfig & { queryMode: 'extended' } {
  const text = `declare ${cursor} no scroll cursor for ${sql}`;
  return { text, values: values.map(pgValue), queryMode: 'extended' };
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** What the reading of queries and of values rests on, whatever role or database say; the plan is made for all rows. */
function sessionOf({ timeZone, timeLimit }: Pick<PgReadSettings, 'timeZone' | 'timeLimit'>): string {
  return [
    'set local standard_conforming_strings = on',
    "set local datestyle = 'ISO, YMD'",
    `set local timezone = ${literal(timeZone)}`,
    'set local cursor_tuple_fraction = 1',
    `set local statement_timeout = ${Math.ceil(timeLimit)}`,
  ].join(';');
}

async function* fetchAll(
  client: PooledClient,
  signal: AbortSignal,
  { batchRows, exactNumbers }: PgReadSettings,
): AsyncGenerator<ResultBatch> {
  for (let isFirst = true; ; isFirst = false) {
    signal.throwIfAborted();
    const result = await fetchRows(client, batchRows, { cursor: CURSOR, exactNumbers });
    if (result.rows.length > 0 || isFirst) yield batchOf(result);
    if (result.rows.length < batchRows) return;
  }
}

type Cells = (string | number | boolean | null)[];

const batchOf = ({ fields, rows }: QueryArrayResult<Cells>): ResultBatch => ({ columns: fields.map(columnOf), rows });

async function fetchRows(
  client: PooledClient,
  count: number,
  { cursor, exactNumbers = false }: { cursor: string; exactNumbers?: boolean },
): Promise<QueryArrayResult<Cells>> {
  const text = `fetch forward ${count} from ${cursor}`;
  const getTypeParser = exactNumbers ? exactParser : parserOf;
  return client.query<Cells>({ text, rowMode: 'array', types: { getTypeParser } as never });
}

/** Numbers of types in pg_type. */
const KINDS = new Map<number, ResultColumn['kind']>([
  [16, 'Boolean'],
  [20, 'Number'],
  [21, 'Number'],
  [23, 'Number'],
  [26, 'Number'],
  [700, 'Number'],
  [701, 'Number'],
  [1700, 'Number'],
  [790, 'Text'],
  [1082, 'Date'],
  [1083, 'Date'],
  [1114, 'Date'],
  [1184, 'Date'],
]);
const TIME = 1083;
const SIZES = new Map<number, Pick<ResultColumn, 'bits' | 'isFloat'>>([
  [20, { bits: 64 }],
  [21, { bits: 16 }],
  [23, { bits: 32 }],
  [700, { bits: 32, isFloat: true }],
  [701, { bits: 64, isFloat: true }],
]);

const columnOf = ({ name, dataTypeID }: FieldDef): ResultColumn => ({
  name: name === '?column?' ? '' : name,
  kind: KINDS.get(dataTypeID) ?? 'Text',
  ...SIZES.get(dataTypeID),
});

const exactParser = (oid: number): ReturnType<typeof parserOf> =>
  KINDS.get(oid) === 'Number' ? exactNumberOfText : parserOf(oid);

function parserOf(oid: number): (text: string) => string | number | boolean {
  switch (KINDS.get(oid)) {
    case 'Boolean':
      return (text) => text === 't';
    case 'Number':
      return numberOfText;
    case 'Date':
      return oid === TIME ? fractionOfTime : serialOfText;
    default:
      return String;
  }
}

/** Everything goes as text, which the server reads as the type its place asks for. */
function pgValue(value: SqlParameter): string | null {
  if (value === null) return null;
  return value instanceof Date
    ? value
        .toISOString()
        .replace('T', ' ')
        .replace(/(?: 00:00:00)?\.000Z$|Z$/, '')
    : String(value);
}
