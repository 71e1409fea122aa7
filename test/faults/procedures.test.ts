/** Procedures whose portal is killed, or whose database is, in the middle of a call. `npm run test:faults`. */
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createDatabase, type Database } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { activityFields } from '#test/support/procedure-portal.ts';
import { isRowHeld } from '#test/support/held-row.ts';
import { onItsDatabase, until } from '#test/support/until.ts';
import { administratorToken } from './administrator-token.ts';
import { cleanUp, launch, temporaryDatabase, temporaryFolder } from './fault-bench.ts';

const SQL = {
  pg: [
    'create table kept (n int)',
    'create table at_work (n int)',
    'insert into at_work values (0)',
    `create procedure sleeps(n int) language plpgsql as $$ begin
      insert into kept values (n); update at_work set n = at_work.n + 1; raise notice 'asleep'; perform pg_sleep(600); end $$`,
  ],
  mssql: [
    'create table kept (n int)',
    'create table at_work (n int)',
    'insert into at_work values (0)',
    // A server of another maker learns that nobody listens any more once the statement has ended.
    `create procedure sleeps @n int as begin insert into kept values (@n); update at_work set n = n + 1; waitfor delay '00:00:10' end`,
  ],
};

interface Shop extends Database {
  url: string;
  /** As it is called on its database. */
  procedure: string;
}

async function shopIn(database: Database, url: string): Promise<Shop> {
  const isPg = database.dialect.name === 'pg';
  for (const statement of isPg ? SQL.pg : SQL.mssql) await database.knex.raw(statement);
  return { ...database, url, procedure: isPg ? 'public.sleeps(integer)' : 'dbo.sleeps' };
}

/** A portal in a process of its own, with a database of procedures. */
async function startPortal(shop: Shop) {
  const database = await temporaryDatabase();
  await database.knex('Schemas').insert({ Name: 'Shop', DisplayName: 'Shop', Order: 1 });
  const procedureSchemas = [shop.procedure.split('.')[0]];
  const server = launch('portal', {
    RUNSHEET_DATABASE_URL: database.url,
    RUNSHEET_DATA_DIR: await temporaryFolder(),
    RUNSHEET_LEASE_SECONDS: '5',
    RUNSHEET_CONNECTIONS: JSON.stringify({ Shop: { url: shop.url, procedureSchemas } }),
  });
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

/** A run in the middle of the procedure, which has written and holds a lock. */
async function asleep({ call, shop }: Awaited<ReturnType<typeof startPortal>>): Promise<number> {
  const ProcedureName = `Shop: ${shop.procedure}`;
  const { Settings } = await call<{ Settings: object }>('procedures/describe', { ProcedureName });
  const fields = { ...activityFields('Sleeps'), ProcedureName, Procedure: Settings };
  const { Id: ActivityId } = await call<{ Id: number }>('createStoredProcedureActivity', fields);
  const { Inputs } = await call<Activity>(`details/${ActivityId}`);
  const given = [{ ActivityParameterId: Inputs[0]!.Id, Value: '7' }];
  const { Id } = await call<{ Id: number }>('start', { ActivityId, ActivityVersion: 1, Inputs: given });
  await until('the procedure to be at work', () => isRowHeld(shop, 'at_work'));
  return Id;
}

/** Nothing of the call is left in the database: no work, no lock, no row. */
async function expectAtRest(shop: Shop): Promise<void> {
  await until('the database to be at rest', async () => !(await isRowHeld(shop, 'at_work')));
  const isPg = shop.dialect.name === 'pg';
  const lock = isPg ? 'lock table kept in access exclusive mode nowait' : 'select 1 from kept with (tablockx)';
  await shop.knex.transaction(async (trx) => trx.raw(lock));
  expect(await shop.knex('kept')).toEqual([]);
}

test(
  'a portal that is killed in the middle of a procedure ends the run with a clear text, and leaves nothing in the database',
  async () => {
    const procedures = await temporaryDatabase({ migrated: false });
    const portal = await startPortal(await shopIn(procedures, procedures.url));
    const id = await asleep(portal);
    await portal.server.kill();
    // Before anybody comes back to tidy up.
    await expectAtRest(portal.shop);
    await portal.server.start();
    const run = await portal.ended(id);
    expect(run.Status).toBe('Abandoned');
    expect(run.LogEntries.at(-1)!.Message).not.toBe('asleep');
    await expectAtRest(portal.shop);
    // Nothing carries it out a second time.
    expect(await portal.database.knex('ActivityRuns').where('RetryOf', id)).toEqual([]);
  },
  onItsDatabase(120_000),
);

test(
  'a database that is killed in the middle of a procedure ends the run with a clear text, and has nothing half done',
  async () => {
    const postgres = await startEmbeddedPostgres(join(await temporaryFolder(), 'shop'), pino({ level: 'silent' }));
    cleanUp(() => postgres.stop());
    const procedures = createDatabase({ url: postgres.url });
    cleanUp(() => procedures.close());
    const portal = await startPortal(await shopIn(procedures, postgres.url));
    const id = await asleep(portal);
    process.kill(postgres.pid()!, 'SIGKILL');
    const run = await portal.ended(id);
    expect(run.Status).toBe('Failed');
    expect(run.LogEntries.at(-1)!.Message).toBe(
      "The connection to the database of 'Shop' was lost while the procedure ran; nothing of it is kept",
    );
    await until(
      'the database to be back',
      () => procedures.knex.raw('select 1').then(Boolean, () => false),
      onItsDatabase(60_000),
    );
    await expectAtRest(portal.shop);
  },
  onItsDatabase(120_000),
);
