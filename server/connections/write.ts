/** Writes to a named connection in one transaction, which is ended in the database when the run ends. */
import type { Knex } from 'knex';
import type { Connection } from 'tedious';
import { cancellation, cancelPg, type Cancellation } from './cancel-pg.ts';
import type { ConnectionTarget } from './connection-target.ts';
import { faultOf } from './faults.ts';
import type { ResultColumn, WriteOptions, WriteTransaction } from './types.ts';

export async function runWrite<T>(
  target: ConnectionTarget,
  work: (transaction: WriteTransaction) => Promise<T>,
  options: WriteOptions,
): Promise<T> {
  const { knex, dialect } = target.database;
  const timeLimit = Math.min(options.timeLimit ?? target.timeLimit, target.timeLimit);
  const deadline = AbortSignal.timeout(timeLimit);
  const signal = AbortSignal.any([options.signal, deadline]);
  let thrownByWork: unknown;
  try {
    signal.throwIfAborted();
    return await knex.transaction(async (trx) => {
      const { send, settled } = await cancellationOf(target, trx, timeLimit);
      signal.addEventListener('abort', send);
      try {
        const result = await work({ trx, dialect, columnsOf: (table) => columnsOf(trx, table) });
        // Aborted work is rolled back even if its statement succeeded.
        signal.throwIfAborted();
        return result;
      } catch (error) {
        thrownByWork = error;
        throw error;
      } finally {
        signal.removeEventListener('abort', send);
        await settled();
      }
    });
  } catch (error) {
    // The caller's own error is not an error of the database.
    if (error === thrownByWork && !signal.aborted && !isOfDriver(error)) throw error;
    throw faultOf(target, error, { signal: options.signal, deadline, timeLimit });
  }
}

/** Database errors have a code (PostgreSQL) or a number (SQL Server); network errors have a code too. */
const isOfDriver = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && ('code' in error || 'number' in error);

/** Returns the function that ends the current statement of the transaction. */
async function cancellationOf(
  { url, database, timeZone }: ConnectionTarget,
  trx: Knex.Transaction,
  timeLimit: number,
): Promise<Cancellation> {
  if (database.dialect.name === 'mssql') {
    const client = trx.client as unknown as { acquireConnection(): Promise<Connection> };
    const connection = await client.acquireConnection();
    return { send: () => void connection.cancel(), settled: () => Promise.resolve() };
  }
  await trx.raw(`set local statement_timeout = ${Math.ceil(timeLimit)}`);
  await trx.raw("select set_config('timezone', ?, true)", [timeZone]);
  const { rows } = (await trx.raw('select pg_backend_pid() as pid')) as { rows: { pid: number }[] };
  return cancellation(() => cancelPg(url, rows[0]!.pid));
}

interface CatalogRow {
  name: string;
  type: string;
  nullable: string;
}

/** Both databases have this catalog view. A name without a schema refers to the current schema of the login. */
async function columnsOf(trx: Knex.Transaction, table: string): ReturnType<WriteTransaction['columnsOf']> {
  const [name = '', schema] = table.split('.').reverse();
  const isPg = (trx.client as { dialect?: string }).dialect !== 'mssql';
  // PostgreSQL folds names to lower case. SQL Server has these views in upper case, which matters if its collation is
  // case-sensitive.
  const named = (text: string): string => (isPg ? text : text.toUpperCase());
  const found = (await trx(named('information_schema.columns'))
    .where(named('table_name'), name)
    .where(named('table_schema'), schema ?? trx.raw(isPg ? 'current_schema()' : 'schema_name()'))
    .orderBy(named('ordinal_position'))
    .select({
      name: named('column_name'),
      type: named('data_type'),
      nullable: named('is_nullable'),
    })) as CatalogRow[];
  return found.map((column) => ({
    name: column.name,
    kind: kindOf(column.type.toLowerCase()),
    nullable: column.nullable === 'YES',
  }));
}

function kindOf(type: string): ResultColumn['kind'] {
  if (/^(boolean|bit)$/.test(type)) return 'Boolean';
  if (/^(date|time|smalldatetime)/.test(type)) return 'Date';
  return /int|numeric|decimal|real|double|float|money/.test(type) && type !== 'interval' && type !== 'point'
    ? 'Number'
    : 'Text';
}
