/** Databases that workbooks use by a name from the configuration. */
import { readFileSync } from 'node:fs';
import type { BoundQuery, SqlKind } from '#shared/codecs/query-text.ts';
import type { ConnectionSettings, NamedConnections } from '#server/config/connection-settings.ts';
import { createDatabase } from '#server/db/database.ts';
import type { Log } from '#server/base/log.ts';
import { StartError } from '#server/base/start-error.ts';
import { ConnectionError } from './connection-error.ts';
import { cancelPg } from './cancel-pg.ts';
import { runWrite } from './write.ts';
import { faultOf } from './faults.ts';
import { readMssql } from './read-mssql.ts';
import { readPg, readManyPg } from './read-pg.ts';
import { createProcedures } from './procedures/procedures.ts';
import { writableTable } from './writing-login.ts';
import type { Connections, NamedConnection, ReadOptions, ResultBatch } from './types.ts';
import type { ConnectionTarget } from './connection-target.ts';

export interface ConnectionsOptions {
  /** Time zone in which times with a zone are shown: the one of schedules and dates. */
  timeZone: string;
  log?: Log;
}

const POOL_SIZE = 4;
const MAX_ROWS = 1_000_000;
const TIME_LIMIT_SECONDS = 300;
const BATCH_ROWS = 1000;

/** Creates the pools; each connects at its first query. Throws a StartError if a password file cannot be read. */
export function createConnections(settings: NamedConnections, { timeZone, log }: ConnectionsOptions): Connections {
  const opened = Object.entries(settings).map(([name, one]) => openConnection(name, one, timeZone, log));
  const byName = new Map(opened.map(({ connection }) => [connection.name.toLowerCase(), connection]));
  return {
    names: opened.map(({ connection }) => connection.name),
    has: (name) => byName.has(name.trim().toLowerCase()),
    get: (name) => {
      const found = byName.get(name.trim().toLowerCase());
      if (!found) throw new ConnectionError('missing', `There is no connection named '${name}' on this server`);
      return found;
    },
    warnOfWritingLogins: async () => {
      await Promise.all(opened.map(({ warnOfWritingLogin }) => warnOfWritingLogin()));
    },
    close: async () => {
      await Promise.all(opened.map(({ close }) => close()));
    },
  };
}

function openConnection(
  name: string,
  settings: ConnectionSettings,
  timeZone: string,
  log: Log | undefined,
): { connection: NamedConnection; warnOfWritingLogin: () => Promise<void>; close: () => Promise<void> } {
  const url = urlOf(name, settings);
  const database = createDatabase({ url, poolSize: settings.poolSize ?? POOL_SIZE, log });
  const kind: SqlKind = database.dialect.name;
  const limits = {
    maxRows: settings.maxRows ?? MAX_ROWS,
    timeLimit: (settings.timeLimitSeconds ?? TIME_LIMIT_SECONDS) * 1000,
  };
  const target: ConnectionTarget = { name, url, database, timeZone, log, ...limits };
  const connection: NamedConnection = {
    name,
    kind,
    allowWrites: settings.allowWrites ?? false,
    ...limits,
    read: (query, options) =>
      bounded(target, (signal, time) => rowsOf(target, query, options, { signal, time }), options),
    readAll: async (query, options) => collect(connection.read(query, options)),
    readMany: (queries, options) => readMany(target, connection, queries, options),
    write: async (work, options) => {
      if (!connection.allowWrites) {
        throw new ConnectionError('readOnly', `The connection '${name}' is configured as read-only`);
      }
      return runWrite(target, work, options);
    },
    procedures: createProcedures(target, settings.procedureSchemas ?? []),
  };
  return {
    connection,
    warnOfWritingLogin: async () => (connection.allowWrites ? undefined : warnOfWritingLogin(target)),
    close: () => database.close(),
  };
}

async function warnOfWritingLogin({ name, database, log }: ConnectionTarget): Promise<void> {
  try {
    const table = await writableTable(database);
    if (table === null) return;
    const text = `The connection '${name}' only reads, but its login may write, for example to ${table}: give it one that may only read`;
    log?.warn({ connection: name }, text);
  } catch (error) {
    log?.debug({ err: error, connection: name }, 'The rights of a connection could not be looked up');
  }
}

function urlOf(name: string, { url, passwordFile }: ConnectionSettings): string {
  if (passwordFile === undefined) return url;
  try {
    const changed = new URL(url);
    changed.password = encodeURIComponent(readFileSync(passwordFile, 'utf8').replace(/\r?\n$/, ''));
    return changed.href;
  } catch (cause) {
    const said = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new StartError(`the password of the connection ${name} cannot be read from ${passwordFile}: ${said}`, {
      cause,
    });
  }
}

function rowsOf(
  target: ConnectionTarget,
  query: BoundQuery,
  { exactNumbers = false }: ReadOptions,
  { signal, time: timeLimit }: { signal: AbortSignal; time: number },
): AsyncGenerator<ResultBatch, void, void> {
  const { database, timeZone, url } = target;
  if (database.dialect.name === 'mssql') {
    return readMssql(database.knex, query, signal, { timeZone, batchRows: BATCH_ROWS, exactNumbers });
  }
  const cancel = (processId: number): Promise<void> => cancelPg(url, processId);
  return readPg(database.knex, query, signal, { timeZone, timeLimit, batchRows: BATCH_ROWS, exactNumbers, cancel });
}

async function readMany(
  target: ConnectionTarget,
  connection: NamedConnection,
  queries: readonly BoundQuery[],
  options: ReadOptions,
): Promise<ResultBatch[]> {
  const { database, timeZone, url } = target;
  if (database.dialect.name === 'mssql') {
    const batches: ResultBatch[] = [];
    for (const query of queries) batches.push(await connection.readAll(query, options));
    return batches;
  }
  const bounds = boundsOf(target, options);
  const { maxRows, signal, timeLimit } = bounds;
  const cancel = (processId: number): Promise<void> => cancelPg(url, processId);
  try {
    const settings = { timeZone, timeLimit, maxRows: maxRows + 1, cancel };
    const batches = await readManyPg(database.knex, queries, signal, settings);
    if (batches.some(({ rows }) => rows.length > maxRows)) throw tooManyRows(target, maxRows);
    return batches;
  } catch (error) {
    throw faultOf(target, error, { ...bounds, signal: options.signal });
  }
}

function boundsOf(target: ConnectionTarget, options: ReadOptions) {
  const timeLimit = Math.min(options.timeLimit ?? target.timeLimit, target.timeLimit);
  const deadline = AbortSignal.timeout(timeLimit);
  const maxRows = options.isStreamed ? Infinity : Math.min(options.maxRows ?? target.maxRows, target.maxRows);
  return { maxRows, timeLimit, deadline, signal: AbortSignal.any([options.signal, deadline]) };
}

function tooManyRows({ name }: ConnectionTarget, maxRows: number): ConnectionError {
  const message =
    maxRows === 1
      ? `A query on the connection '${name}' returns more than 1 row`
      : `A query on the connection '${name}' returns more than ${maxRows.toLocaleString('en')} rows`;
  return new ConnectionError('tooManyRows', message);
}

/** Reads within the limits on rows and time, and converts errors to messages for people. */
async function* bounded(
  target: ConnectionTarget,
  read: (signal: AbortSignal, timeLimit: number) => AsyncGenerator<ResultBatch, void, void>,
  options: ReadOptions,
): AsyncGenerator<ResultBatch, void, void> {
  const bounds = boundsOf(target, options);
  const { maxRows, signal, timeLimit } = bounds;
  let count = 0;
  try {
    for await (const batch of read(signal, timeLimit)) {
      count += batch.rows.length;
      if (count > maxRows) throw tooManyRows(target, maxRows);
      yield batch;
    }
  } catch (error) {
    const fault = faultOf(target, error, { ...bounds, signal: options.signal });
    if (fault.kind === 'transactionLeft') target.log?.error({ err: fault, connection: target.name }, fault.message);
    throw fault;
  }
}

async function collect(batches: AsyncIterable<ResultBatch>): Promise<ResultBatch> {
  const rows: ResultBatch['rows'][number][] = [];
  let columns: ResultBatch['columns'] = [];
  for await (const batch of batches) {
    columns = batch.columns;
    for (const row of batch.rows) rows.push(row);
  }
  return { columns, rows };
}
