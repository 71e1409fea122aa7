/** Procedures that do not end: each call ends clearly, and leaves neither a session nor a lock behind. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isOtherMakersServer, LATE_ATTENTION } from '#test/support/sql-server.ts';
import { startCuttingTdsPeer } from '#test/support/peers/tds.ts';
import { isRowHeld } from '#test/support/held-row.ts';
import { procedureBench, type ProcedureBench } from '#test/support/procedures.ts';
import { until } from '#test/support/until.ts';
import type { ConnectionError } from '../connection-error.ts';
import type { ProcedureError } from './types.ts';

const isPg = !process.env['RUNSHEET_TEST_DATABASE_URL']?.startsWith('mssql:');

const thrownBy = async (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error as Error,
  );

let bench: ProcedureBench;
beforeAll(async () => {
  bench = await procedureBench();
  await bench.run('create table log (n int primary key)');
});
afterAll(async () => bench.end());

describe('what does not end on its own', () => {
  beforeAll(async () => {
    if (!isPg)
      return bench.run(
        `create procedure sleeps as begin insert into log values (7); print 'asleep'; waitfor delay '00:10:00' end`,
      );
    await bench.run(
      `create procedure sleeps() language plpgsql as $$ begin insert into log values (7); raise notice 'asleep'; perform pg_sleep(600); end $$`,
      `create procedure stubborn() language plpgsql as $$ begin insert into log values (7); raise notice 'asleep';
        loop begin perform pg_sleep(600); exception when query_canceled then raise notice 'not yet'; end; end loop; end $$`,
    );
  });
  beforeEach((context) => context.skip(!isPg, LATE_ATTENTION));

  /** Queried over a separate connection: our sessions that are not idle, and locks on the table. */
  async function listOpenWork(): Promise<string[]> {
    const asked = (await bench.database.knex.raw(`select a.state || ': ' || a.query as left from pg_stat_activity a
      where a.datname = current_database() and a.pid <> pg_backend_pid() and a.state <> 'idle' union all
      select 'lock ' || l.mode from pg_locks l where l.relation = 'log'::regclass and l.pid <> pg_backend_pid()`)) as {
      rows: { left: string }[];
    };
    return asked.rows.map((row) => row.left);
  }

  for (const name of ['sleeps', 'stubborn']) {
    for (const mode of ['transaction', 'own', 'trial'] as const) {
      it(`is cancelled: ${name}, ${mode}`, async () => {
        const controller = new AbortController();
        const calling = thrownBy(
          bench.call(name, {}, { mode, signal: controller.signal, onMessage: () => controller.abort() }),
        );
        const error = (await calling) as ConnectionError;
        expect([error.kind, error.message.split(';')[0]]).toEqual([
          'cancelled',
          `The procedure on the connection 'Shop' was cancelled`,
        ]);
        expect(await listOpenWork()).toEqual([]);
        expect(await bench.database.knex('log').select()).toEqual([]);
      });
    }
  }

  it('is ended by its time limit, in the database too, and the connection serves the next', async () => {
    const error = (await thrownBy(bench.call('sleeps', {}, { timeLimit: 500 }))) as ConnectionError;
    expect([error.kind, error.message]).toEqual([
      'timeLimit',
      `The procedure on the connection 'Shop' took longer than 1 s; its changes were rolled back`,
    ]);
    expect(await listOpenWork()).toEqual([]);
    await bench.run('create procedure works() language sql as $$ select 1 $$');
    for (let round = 0; round < 8; round += 1) await bench.call('works');
  });

  it('is not started if it is already cancelled', async () => {
    const error = (await thrownBy(bench.call('sleeps', {}, { signal: AbortSignal.abort() }))) as ConnectionError;
    expect(error.kind).toBe('cancelled');
  });

  it('ends with the connection, killed from outside or from inside', async () => {
    const calling = thrownBy(
      bench.call(
        'sleeps',
        {},
        {
          onMessage: () =>
            void bench.run(
              `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'call%sleeps%' and pid <> pg_backend_pid()`,
            ),
        },
      ),
    );
    const error = (await calling) as ConnectionError;
    expect([error.kind, error.message]).toEqual([
      'unreachable',
      `The connection to the database of 'Shop' was lost while the procedure was running; its changes were rolled back`,
    ]);
    await bench.run(
      `create procedure suicide() language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(10); end $$`,
    );
    expect(((await thrownBy(bench.call('suicide', {}, { mode: 'own' }))) as ConnectionError).message).toContain(
      'changes that it had already committed remain',
    );
    await until('sessions that end', async () => (await listOpenWork()).length === 0);
    expect(await bench.database.knex('log').select()).toEqual([]);
  });
});

describe.runIf(!isPg)('on SQL Server', () => {
  it('a procedure that rolls back and begins again is reported', async () => {
    await bench.run(
      `create procedure rolls as begin insert into log values (3); rollback; insert into log values (4) end`,
      `create procedure begins_anew as begin insert into log values (13); rollback; begin transaction; insert into log values (14) end`,
      `create procedure commits_all as begin insert into log values (5); while @@trancount > 0 commit; end`,
    );
    for (const name of ['rolls', 'begins_anew']) {
      const error = (await thrownBy(bench.call(name))) as ConnectionError;
      expect([name, error.kind]).toEqual([name, 'transactionLeft']);
      if (name === 'rolls')
        expect(error.message).toContain('changes that it committed, or made after a rollback, remain');
    }
    expect(await bench.database.knex('log').whereIn('n', [3, 13, 14]).select()).toEqual([]);
    const committed = (await thrownBy(bench.call('commits_all', {}, { mode: 'trial' }))) as ConnectionError;
    expect(committed.message).toContain('changes that it committed, or made after a rollback, remain');
  });

  for (const mode of ['transaction', 'trial'] as const) {
    it(`a procedure in the middle of its work is stopped, and takes it back: ${mode}`, async () => {
      const { knex } = bench.database;
      // See LATE_ATTENTION: a compatible server of another vendor stops it only when its statement has ended.
      const isOther = await isOtherMakersServer(knex);
      const table = `at_work_${mode}`;
      await bench.run(
        `create table ${table} (n int)`,
        `insert into ${table} values (0)`,
        `create procedure works_${mode} as begin insert into log values (11); update ${table} set n = 1; waitfor delay '00:0${isOther ? '0' : '5'}:04' end`,
      );
      const controller = new AbortController();
      const calling = thrownBy(bench.call(`works_${mode}`, {}, { mode, signal: controller.signal }));
      await until('it is at work', () => isRowHeld(bench.database, table));
      const stopped = performance.now();
      controller.abort();
      const error = (await calling) as ConnectionError;
      expect([error.kind, error.message]).toEqual([
        'cancelled',
        `The procedure on the connection 'Shop' was cancelled; its changes were rolled back`,
      ]);
      if (!isOther) expect(performance.now() - stopped).toBeLessThan(60_000);
      await until('nothing holds its lock', async () => !(await isRowHeld(bench.database, table)));
      expect(await knex('log').where('n', 11).select()).toEqual([]);
    });
  }

  // Source: RAISERROR (Transact-SQL): "Severity levels from 20 through 25 are considered fatal. … the client connection is terminated".
  for (const [level, where] of [
    [20, 'after'],
    [25, 'after'],
    [25, 'within'],
  ] as const) {
    it(`an error of level ${level} ends the connection and has a clear end, closed ${where} the answer`, async (context) => {
      const isOther = await isOtherMakersServer(bench.database.knex);
      context.skip(!isOther && where === 'within', 'SQL Server itself closes the connection, where it does');
      const raise = isOther
        ? `raiserror('fatal, it says', 16, 1)`
        : `raiserror('fatal, it says', ${level}, 1) with log`;
      const [fatal, calm] = [`fatal_${level}_${where}`, `calm_${level}_${where}`];
      await bench.run(
        `create procedure ${fatal} @n int as begin insert into log values (@n); ${raise}; waitfor delay '00:00:00.2' end`,
        `create procedure ${calm} as select 1 as n`,
      );
      const way = isOther ? await startCuttingTdsPeer(bench.database.url, 'fatal, it says', { level, where }) : null;
      const other = await procedureBench({ url: way?.url ?? bench.database.url });
      try {
        const message = `an error of level ${level}, with which the database ended the connection; its changes were rolled back`;
        const error = (await thrownBy(other.call(fatal, { n: '8' }))) as ProcedureError;
        expect([error.message, error.number, error.severity]).toEqual([
          `fatal, it says: ${message}`,
          '50000',
          String(level),
        ]);
        const own = await thrownBy(other.call(fatal, { n: '9' }, { mode: 'own' }));
        expect(own.message).toContain('changes that it had already committed remain');
        expect(await bench.database.knex('log').where('n', 8).select()).toEqual([]);
        // The pool provides another connection for the next call.
        expect((await other.call(calm)).sets).toHaveLength(1);
      } finally {
        await other.end();
        await way?.stop();
        await bench.database.knex('log').where('n', 9).delete();
      }
    });
  }
});
