/** Tests procedures that are interrupted: by a person, by the time limit, with their database or with their worker. */
import { expect, test as base } from 'vitest';
import { createReaper } from '#server/queue/worker/reaper.ts';
import { pino } from 'pino';
import { isRowHeld } from '#test/support/held-row.ts';
import { startWatchedTdsPeer } from '#test/support/peers/tds.ts';
import { startProcedurePortal, type PortalSettings } from '#test/support/procedure-portal.ts';
import { isOtherMakersServer, LATE_MESSAGES } from '#test/support/sql-server.ts';
import { until } from '#test/support/until.ts';

const SQL = {
  pg: [
    'create table kept (n int)',
    'create table at_work (n int)',
    'insert into at_work values (0)',
    `create procedure sleeps(n int) language plpgsql as $$ begin insert into kept values (n); update at_work set n = at_work.n + 1;
      raise notice 'asleep'; perform pg_sleep(60); end $$`,
    `create procedure talks(n int) language plpgsql as $$ begin for i in 1..n loop raise notice 'line %', i; end loop; end $$`,
  ],
  mssql: [
    'create table kept (n int)',
    'create table at_work (n int)',
    'insert into at_work values (0)',
    // Longer than the time limit, but short enough for a server that reacts to cancellations only when a statement has
    // ended.
    `create procedure sleeps @n int as begin insert into kept values (@n);
      update at_work set n = n + 1; raiserror('asleep', 0, 1) with nowait; waitfor delay '00:00:04.5' end`,
    `create procedure talks @n int as begin declare @i int = 1; while @i <= @n begin print concat('line ', @i); set @i = @i + 1 end end`,
  ],
};

/** Seconds. */
const TIME_LIMIT = 3;

const test = base
  // A proxy to SQL Server, because the tests' login may not end sessions there.
  .extend('way', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = process.env['RUNSHEET_TEST_DATABASE_URL'];
    const way = server?.startsWith('mssql:') ? await startWatchedTdsPeer(server) : null;
    onCleanup(() => way?.stop());
    return way;
  })
  .extend(
    'startPortal',
    { scope: 'file' },
    ({ way }) =>
      (settings: PortalSettings = {}) =>
        startProcedurePortal(SQL, { ...settings, wayTo: (url) => way?.urlOf(url) ?? url }),
  )
  .extend('portal', { scope: 'file' }, async ({ startPortal }, { onCleanup }) => {
    const portal = await startPortal();
    onCleanup(() => portal.close());
    return portal;
  })
  // Only for the test of the time limit: a slow machine may need longer to interrupt a run in another way.
  .extend('limited', { scope: 'file' }, async ({ startPortal }, { onCleanup }) => {
    const portal = await startPortal({ runTimeLimit: TIME_LIMIT });
    onCleanup(() => portal.close());
    return portal;
  });

const it = test.extend('procedures', { scope: 'file' }, async ({ portal }) => {
  const committedRows = (n: number) => portal.shop.knex('kept').where({ n }) as unknown as Promise<unknown[]>;

  /** Starts a run and waits until its procedure is running. */
  async function asleep(n: number): Promise<number> {
    const { Id } = (await portal.start(sleeps, { n })).body.result;
    await until('the procedure is at work', () => works());
    return Id;
  }

  /** Returns whether the procedure is running in the database: it holds a row until its transaction ends. */
  const works = (): Promise<boolean> => isRowHeld(portal.shop, 'at_work');
  const sleeps = await portal.create('sleeps');
  return { kept: committedRows, asleep, works };
});

it('says what the procedure says while it works', async ({ portal, procedures: { asleep }, skip }) => {
  skip(await isOtherMakersServer(portal.shop.knex), LATE_MESSAGES);
  const id = await asleep(5);
  await until('the procedure speaks', async () => {
    const { LogEntries, EndTime } = (await portal.get(`status/${id}`)).body.result;
    return EndTime === null && LogEntries.some(({ Message }: { Message: string }) => Message === 'asleep');
  });
  await portal.post(`cancel/${id}`);
  await portal.ended(id);
});

it('a cancelled run ends in the database too, and leaves neither work nor locks', async ({
  portal,
  procedures: { asleep, works, kept: committedRows },
}) => {
  const id = await asleep(1);
  expect((await portal.post(`cancel/${id}`)).status).toBe(200);
  expect((await portal.ended(id)).Status).toBe('Cancelled');
  await until('the database is at rest', async () => !(await works()));
  expect(await committedRows(1)).toEqual([]);
  const lock = portal.isPg ? 'lock table kept in access exclusive mode nowait' : 'select 1 from kept with (tablockx)';
  await portal.shop.knex.transaction(async (trx) => trx.raw(lock));
});

it('the time limit ends a run in the database, and the log says so', async ({ limited }) => {
  const run = await limited.run(await limited.create('sleeps'), { n: 2 });
  expect(run.Status).toBe('Failed');
  expect(run.log.at(-1)).toContain(`took longer than ${TIME_LIMIT} s; its changes were rolled back`);
  await until('the database is at rest', async () => !(await isRowHeld(limited.shop, 'at_work')));
  expect(await limited.shop.knex('kept').where({ n: 2 })).toEqual([]);
});

it('a database that goes away in the middle ends the run with a clear text, and nothing half done', async ({
  portal,
  way,
  procedures: { asleep, works, kept: committedRows },
}) => {
  const id = await asleep(3);
  if (way) way.cut();
  else
    await portal.shop.knex.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike '%sleeps%' and pid <> pg_backend_pid()`,
    );
  const run = await portal.ended(id);
  expect(run.Status).toBe('Failed');
  expect(run.log.at(-1)).toMatch(
    /^The connection to the database of 'Shop' was lost while the procedure was running; its changes were rolled back$/,
  );
  await until('the database is at rest', async () => !(await works()));
  expect(await committedRows(3)).toEqual([]);
  expect((await portal.run(await portal.create('talks'), { n: 1 })).Status).toBe('Succeeded');
});

it('messages beyond a thousand are counted', async ({ portal }) => {
  const run = await portal.run(await portal.create('talks'), { n: 1500 });
  expect(run.Status).toBe('Succeeded');
  expect(run.log).toHaveLength(1001);
  expect(run.log.slice(-2)).toEqual(['line 1000', '500 further messages of the procedure are not stored']);
});

it('a run whose worker is gone is found by the reaper as ever, and its end is not overwritten', async ({
  portal,
  procedures: { asleep, works },
}) => {
  const id = await asleep(4);
  const { knex } = portal.app.database;
  await knex('ActivityRuns')
    .where({ Id: id })
    .update({ WorkerId: 'gone', LeaseUntil: new Date(Date.now() - 60_000) });
  const reaper = createReaper(portal.app.database, portal.app.signals, {
    intervalMs: 20,
    log: pino({ level: 'silent' }),
  });
  reaper.start();
  const run = await portal.ended(id);
  await reaper.stop();
  expect(run).toMatchObject({ Status: 'Abandoned' });
  await until('the database is at rest', async () => !(await works()));
  expect((await portal.ended(id)).Status).toBe('Abandoned');
});
