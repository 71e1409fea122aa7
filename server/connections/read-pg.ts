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
  /** Milliseconds after which the server itself ends a statement, in case this process dies. */
  timeLimit: number;
  batchRows: number;
  exactNumbers?: boolean;
  /** Ends the current statement of a server process. */
  cancel: (processId: number) => Promise<void>;
}

const CURSOR = 'runsheet_rows';

interface PgReadManySettings extends Omit<PgReadSettings, 'batchRows' | 'exactNumbers'> {
  /** Maximum number of rows per query; further rows are not read. */
  maxRows: number;
}

/**
 * DECLARE accepts a single statement that reads, so no query can leave its read-only transaction. Aborting ends the
 * statement in the server, and the driver then reports error 57014.
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
 * Returns all rows of each query, in one round trip. Each query sees what was committed when it began. The tables that
 * the first queries read are locked against changes of their definition until the last query has been answered. The
 * connection is cleaned and released in the background.
 */
export async function readManyPg(
  knex: Knex,
  queries: readonly BoundQuery[],
  signal: AbortSignal,
  settings: PgReadManySettings,
): Promise<ResultBatch[]> {
  const pooling = knex.client as Pooling;
  const client = await pooling.acquireConnection();
  const { send, settled } = cancellation(() => settings.cancel(client.processID));
  signal.addEventListener('abort', send);
  const sent = signal.aborted ? null : sendMany(client, queries, settings);
  const giveBack = async (): Promise<void> => {
    const [reset] = await Promise.allSettled([sent?.reset]);
    signal.removeEventListener('abort', send);
    await settled();
    client.pipeline = false;
    if (reset.status === 'rejected') client.__knex__disposed = reset.reason;
    await pooling.releaseConnection(client);
  };
  void giveBack();
  signal.throwIfAborted();
  return sent!.answers;
}

function sendMany(
  client: PooledClient,
  queries: readonly BoundQuery[],
  { maxRows, ...settings }: PgReadManySettings,
): { answers: Promise<ResultBatch[]>; reset: Promise<unknown> } {
  client.pipeline = true;
  // Sends everything of this tick in a single packet.
  const { stream } = client.connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
  // DECLARE fails outside a transaction: if the first statement fails, nothing is read without its protection.
  const began = client.query(`begin isolation level read committed, read only;${sessionOf(settings)}`);
  const answers = queries.map(async (query, index) => {
    const cursor = `${CURSOR}_${index}`;
    const declared = client.query(declaration(cursor, query));
    const [, rows] = await Promise.all([declared, fetchRows(client, maxRows, { cursor })]);
    return batchOf(rows);
  });
  // The driver receives responses in the order of the requests, so this is the last one.
  const reset = Promise.all([client.query('rollback'), client.query('discard all')]);
  return { answers: Promise.all([began, ...answers]).then(([, ...batches]) => batches), reset };
}

/** Also undoes what a function in the query did to the session: its settings, and locks that outlast a transaction. */
async function leave(client: PooledClient): Promise<void> {
  await client.query('rollback');
  await client.query('discard all');
}

/**
 * Uses the extended protocol even without values: it accepts only one statement. The simple protocol would execute all
 * of 'select 1; commit; drop table …'.
 */
function declaration(cursor: string, { sql, values }: BoundQuery): QueryConfig & { queryMode: 'extended' } {
  const text = `declare ${cursor} no scroll cursor for ${sql}`;
  return { text, values: values.map(pgValue), queryMode: 'extended' };
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * Returns the settings on which parsing queries and values depends, whatever the defaults of role or database are.
 * Cursors are planned for all rows.
 */
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

/** Type oids in pg_type. */
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

/** Everything is sent as text, which the server parses as the type that is expected there. */
function pgValue(value: SqlParameter): string | null {
  if (value === null) return null;
  return value instanceof Date
    ? value
        .toISOString()
        .replace('T', ' ')
        .replace(/(?: 00:00:00)?\.000Z$|Z$/, '')
    : String(value);
}
