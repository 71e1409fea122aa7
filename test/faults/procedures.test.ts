/** Procedures whose portal is killed, or whose database is, in the middle of a call. `npm run test:faults`. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { testDatabase } from '#test/support/database.ts';
import { activityFields } from '#test/support/procedure-portal.ts';
import { onItsDatabase, until } from '#test/support/until.ts';
import { administratorToken } from './administrator-token.ts';
import { serverProcess } from './server-process.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const SQL = [
  'create table kept (n int)',
  `create procedure sleeps(n int) language plpgsql as $$ begin lock table kept; insert into kept values (n); raise notice 'asleep'; perform pg_sleep(600); end $$`,
];

/** A portal in a process of its own, and a database of procedures on another server. */
async function launch() {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-faults-'));
  // The embedded server runs under another uid where this is root.
  await chmod(folder, 0o711);
  cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const shop = await startEmbeddedPostgres(join(folder, 'shop'), pino({ level: 'silent' }));
  cleanups.push(() => shop.stop());
  await onShop(shop.url, ...SQL);
  const database = await testDatabase();
  cleanups.push(() => database.drop());
  await database.knex('Schemas').insert({ Name: 'Shop', DisplayName: 'Shop', Order: 1 });
  const server = serverProcess('portal', {
    RUNSHEET_DATABASE_URL: database.url,
    RUNSHEET_DATA_DIR: join(folder, 'portal'),
    RUNSHEET_ADMIN_PASSWORD: 'Correct-Horse-7',
    RUNSHEET_SAMPLES: 'false',
    RUNSHEET_LEASE_SECONDS: '5',
    RUNSHEET_LOG_LEVEL: 'warn',
    RUNSHEET_CONNECTIONS: JSON.stringify({ Shop: { url: shop.url, procedureSchemas: ['public'] } }),
  });
  cleanups.push(() => server.kill());
  await server.start();
  const { token } = await administratorToken(database);
  const call = async <T>(path: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const answer = await fetch(`${server.address}/api/activities/${path}`, init);
    const { result, message } = (await answer.json()) as { result?: T; message?: string };
    if (result === undefined) throw new Error(`${path}: ${answer.status} ${message}`);
    return result;
  };
  const ended = (id: number) =>
    until(
      `the end of run ${id}`,
      async () => {
        const run = await call<ActivityRun>(`status/${id}`);
        return !isPending(run.Status) && run;
      },
      onItsDatabase(60_000),
    );
  return { server, database, shop, call, ended };
}

async function onShop<R extends object>(url: string, ...statements: string[]): Promise<R[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: R[] = [];
    for (const statement of statements) ({ rows } = await client.query<R>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/** A run in the middle of the procedure, which has written and holds a lock. */
async function asleep({ call }: Awaited<ReturnType<typeof launch>>): Promise<number> {
  const ProcedureName = 'Shop: public.sleeps(integer)';
  const { Settings } = await call<{ Settings: object }>('procedures/describe', { ProcedureName });
  const fields = { ...activityFields('Sleeps'), ProcedureName, Procedure: Settings };
  const { Id: ActivityId } = await call<{ Id: number }>('createStoredProcedureActivity', fields);
  const { Inputs } = await call<Activity>(`details/${ActivityId}`);
  const given = [{ ActivityParameterId: Inputs[0]!.Id, Value: '7' }];
  const { Id } = await call<{ Id: number }>('start', { ActivityId, ActivityVersion: 1, Inputs: given });
  await until('the procedure to speak', async () => {
    const { LogEntries } = await call<ActivityRun>(`status/${Id}`);
    return LogEntries.some(({ Message }) => Message === 'asleep');
  });
  return Id;
}

/** Nothing of the call is left in the database: no work, no lock, no row. */
async function expectAtRest(url: string): Promise<void> {
  await until('the database to be at rest', async () => {
    const sql = `select 1 from pg_stat_activity where query ilike '%sleeps%' and pid <> pg_backend_pid() and state <> 'idle'`;
    return (await onShop(url, sql)).length === 0;
  });
  await onShop(url, 'begin', 'lock table kept in access exclusive mode nowait', 'rollback');
  expect(await onShop(url, 'select * from kept')).toEqual([]);
}

test(
  'a portal that is killed in the middle of a procedure ends the run with a clear text, and leaves nothing in the database',
  async () => {
    const portal = await launch();
    const id = await asleep(portal);
    await portal.server.kill();
    // Before anybody comes back to tidy up.
    await expectAtRest(portal.shop.url);
    await portal.server.start();
    const run = await portal.ended(id);
    expect(run.Status).toBe('Abandoned');
    expect(run.LogEntries.at(-1)!.Message).not.toBe('asleep');
    await expectAtRest(portal.shop.url);
    // Nothing carries it out a second time.
    expect(await portal.database.knex('ActivityRuns').where('RetryOf', id)).toEqual([]);
  },
  onItsDatabase(120_000),
);

test(
  'a database that is killed in the middle of a procedure ends the run with a clear text, and has nothing half done',
  async () => {
    const portal = await launch();
    const id = await asleep(portal);
    process.kill(portal.shop.pid()!, 'SIGKILL');
    const run = await portal.ended(id);
    expect(run.Status).toBe('Failed');
    expect(run.LogEntries.at(-1)!.Message).toBe(
      "The connection to the database of 'Shop' was lost while the procedure ran; nothing of it is kept",
    );
    const { url } = portal.shop;
    await until(
      'the database to be back',
      () => onShop(url, 'select 1').then(Boolean, () => false),
      onItsDatabase(60_000),
    );
    await expectAtRest(url);
  },
  onItsDatabase(120_000),
);
