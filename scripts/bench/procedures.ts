/**
 * Calls a small procedure (two values in, one out, a row as result) through a named connection, alternately with the
 * bare statement of the driver. Measures with and without the catalog queries that precede a run. Runs on PostgreSQL,
 * and on RUNSHEET_TEST_MSSQL_URL.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { createConnections } from '#server/connections/connections.ts';
import type { ProcedureValue } from '#server/base/procedure-types.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { freshDatabase } from '#test/support/fresh-database.ts';
import { compare, print, printMachine } from './measure.ts';

const ROUNDS = 200;
/** Milliseconds that a call may take in addition to twice the bare call. */
const ALLOWANCE = 10;

const PG = [
  'create table rates (code text primary key, rate numeric(12,6))',
  `insert into rates select 'C' || n, n / 7.0 from generate_series(1, 1000) n`,
  `create function price(code text, amount numeric) returns table (code text, total numeric) language sql as
    $$ select code, rate * amount from rates where rates.code = price.code $$`,
  `create procedure cost(code text, amount numeric, inout total numeric default null) language plpgsql as
    $$ begin select rate * amount into total from rates where rates.code = cost.code; end $$`,
];
const MSSQL = [
  'create table rates (code nvarchar(10) primary key, rate decimal(12,6))',
  `insert into rates values (N'C77', 11)`,
  `create procedure cost @code nvarchar(10), @amount decimal(18,4), @total decimal(30,10) = null output as
    select @total = rate * @amount from rates where code = @code`,
];
const ARGUMENTS = new Map<string, ProcedureValue>([
  ['code', 'C77'],
  ['amount', '1234.56'],
]);

async function measure(url: string, name: string, schema: string, bare: () => Promise<unknown>): Promise<void> {
  const connections = createConnections({ Shop: { url, procedureSchemas: [schema] } }, { timeZone: 'UTC' });
  const { procedures, kind } = connections.get('Shop');
  const { signal } = new AbortController();
  try {
    const known = await procedures.describe(name, signal);
    if (!known) throw new Error(`${name} has no description`);
    const call = async (procedure = known): Promise<unknown> =>
      procedures.call({ procedure, arguments: ARGUMENTS, mode: 'transaction' }, { signal, onRows: () => undefined });
    const sides = {
      [`${kind}: ${name}`]: () => call(),
      [`${kind}: ${name}, including its description`]: async () => call((await procedures.describe(name, signal))!),
    };
    for (const [title, ours] of Object.entries(sides)) {
      const result = await compare(title, { ours, peer: bare, target: null, rounds: ROUNDS });
      print(result);
      const limit = 2 * result.peer.median + ALLOWANCE;
      const verdict = result.ours.median <= limit ? 'within' : 'ABOVE';
      console.log(`  ${verdict} the limit of ${limit.toFixed(2)} ms: twice the bare call + ${ALLOWANCE} ms\n`);
    }
  } finally {
    await connections.close();
  }
}

async function onPostgres(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-bench-procedures-'));
  const server = await startEmbeddedPostgres(folder, pino({ level: 'silent' }));
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    for (const statement of PG) await client.query(statement);
    const values = ['C77', '1234.56'];
    await measure(server.url, 'public.price(text, numeric)', 'public', () =>
      client.query('select * from price($1, $2)', values),
    );
    await measure(server.url, 'public.cost(text, numeric, numeric)', 'public', () =>
      client.query('call cost($1, $2, null)', values),
    );
  } finally {
    await client.end();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function onSqlServer(serverUrl: string): Promise<void> {
  const { database, url, drop } = await freshDatabase(serverUrl);
  try {
    for (const statement of MSSQL) await database.knex.raw(statement);
    const bare = (): Promise<unknown> =>
      database.knex.raw(
        `declare @total decimal(30,10); exec cost 'C77', 1234.56, @total output; select @total as total`,
      );
    await measure(url, 'dbo.cost', 'dbo', bare);
  } finally {
    await drop();
  }
}

export async function benchProcedures(): Promise<void> {
  printMachine();
  await onPostgres();
  const serverUrl = process.env['RUNSHEET_TEST_MSSQL_URL'];
  if (serverUrl) await onSqlServer(serverUrl);
}
