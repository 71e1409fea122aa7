/**
 * A portal as a process, and a procedure that sleeps in the middle of its work, for tests that kill one of the two
 * databases or the portal.
 */
import { expect } from 'vitest';
import type { Database } from '#server/db/database.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { isRowHeld } from '#test/support/held-row.ts';
import { activityFields } from '#test/support/procedure-portal.ts';
import { administratorToken } from './administrator-token.ts';
import { ENDLESS_LEASE, eventually, launch, temporaryDatabase, temporaryFolder } from './fault-bench.ts';

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
    // Compatible servers of other vendors notice a lost client only once the statement has ended.
    `create procedure sleeps @n int as begin insert into kept values (@n); update at_work set n = n + 1; waitfor delay '00:00:10' end`,
  ],
};

export interface Shop extends Database {
  url: string;
  /** Its name in calls on its database. */
  procedure: string;
}

export async function shopIn(database: Database, url: string): Promise<Shop> {
  const isPg = database.dialect.name === 'pg';
  for (const statement of isPg ? SQL.pg : SQL.mssql) await database.knex.raw(statement);
  return { ...database, url, procedure: isPg ? 'public.sleeps(integer)' : 'dbo.sleeps' };
}

/** Starts a portal as a process, with a database of procedures. */
export async function startPortal(shop: Shop) {
  const database = await temporaryDatabase();
  await database.knex('Schemas').insert({ Name: 'Shop', DisplayName: 'Shop', Order: 1 });
  const procedureSchemas = [shop.procedure.split('.')[0]];
  const server = launch('portal', {
    RUNSHEET_DATABASE_URL: database.url,
    RUNSHEET_DATA_DIR: await temporaryFolder(),
    ...ENDLESS_LEASE,
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
    eventually(`the end of run ${id}`, async () => {
      const run = await call<ActivityRun>(`status/${id}`);
      return !isPending(run.Status) && run;
    });
  return { server, database, shop, call, ended };
}

/** Starts a run and waits until it is in the middle of the procedure, which has written and holds a lock. */
export async function asleep({ call, shop }: Awaited<ReturnType<typeof startPortal>>): Promise<number> {
  const ProcedureName = `Shop: ${shop.procedure}`;
  const { Settings } = await call<{ Settings: object }>('procedures/describe', { ProcedureName });
  const fields = { ...activityFields('Sleeps'), ProcedureName, Procedure: Settings };
  const { Id: ActivityId } = await call<{ Id: number }>('createStoredProcedureActivity', fields);
  const { Inputs } = await call<Activity>(`details/${ActivityId}`);
  const given = [{ ActivityParameterId: Inputs[0]!.Id, Value: '7' }];
  const { Id } = await call<{ Id: number }>('start', { ActivityId, ActivityVersion: 1, Inputs: given });
  await eventually('the procedure is at work', () => isRowHeld(shop, 'at_work'));
  return Id;
}

/** Expects that nothing of the call remains in the database: no work, no lock, no row. */
export async function expectAtRest(shop: Shop): Promise<void> {
  await eventually('the database is at rest', async () => !(await isRowHeld(shop, 'at_work')));
  const isPg = shop.dialect.name === 'pg';
  const lock = isPg ? 'lock table kept in access exclusive mode nowait' : 'select 1 from kept with (tablockx)';
  await shop.knex.transaction(async (trx) => trx.raw(lock));
  expect(await shop.knex('kept')).toEqual([]);
}
