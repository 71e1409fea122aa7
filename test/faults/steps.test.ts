/** Steps whose database becomes unavailable in the middle. */
import { expect, test } from 'vitest';
import { messagesOf, startStepPortal, stepSheet } from '#test/support/step-portal.ts';
import { cleanUp, eventually, TEST_TIMEOUT_MS } from './fault-bench.ts';

test(
  'a database that disappears in the middle of a Write stores nothing of it, and returns nothing of a Query',
  async () => {
    const portal = await startStepPortal((url) => ({ Warehouse: { url, allowWrites: true } }));
    cleanUp(() => portal.close());
    const { knex } = portal.target;
    await knex.raw('create table "Results" ("Id" int, "Name" text)');
    await knex.raw(`insert into "Results" values (7, 'before')`);
    // Waits in the middle of the rows, to cut the connection while the transaction is open.
    await knex.raw(`create function slow() returns trigger language plpgsql as
    $$ begin if new."Id" = 2 then perform pg_sleep(600); end if; return new; end $$`);
    await knex.raw('create trigger slow before insert on "Results" for each row execute function slow()');
    const cut = (): Promise<boolean> =>
      eventually('the statement that sleeps', async () => {
        const { rows } = (await knex.raw(
          `select pg_terminate_backend(pid) as done from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
        )) as { rows: { done: boolean }[] };
        return rows.length > 0 && rows[0]!.done;
      });
    const book = (step: Record<string, string>) => ({
      sheets: [
        {
          name: 'W',
          cells: { A1: 'Id', B1: 'Name', A2: 1, B2: 'a', A3: 2, B3: 'b', D1: { formula: 'SUM(A2:A3)', value: 3 } },
          tables: [{ name: 'Results', ref: 'A1:B3', columns: ['Id', 'Name'] }],
        },
        stepSheet([{ Step: 'Step', Connection: 'Warehouse', Table: 'Results', ...step }]),
      ],
      names: { out_Sum: 'W!$D$1' },
    });
    const results = async () => knex('Results').orderBy('Id').select('Id', 'Name');

    for (const Mode of ['Append', 'Replace', 'Upsert']) {
      const step = { Action: 'Write', Target: 'Results', Mode, ...(Mode === 'Upsert' ? { KeyColumns: 'Id' } : {}) };
      const id = await portal.publish(book(step), Mode);
      const runId = await portal.start(id as number);
      await cut();
      const run = await portal.ended(runId);
      expect([run.Status, messagesOf(run).at(-1)]).toEqual(['Failed', expect.stringContaining('cannot be reached')]);
      expect(await results()).toEqual([{ Id: 7, Name: 'before' }]);
    }

    const query = {
      Action: 'Query',
      Query: `select n as "Id", 'x' as "Name", pg_sleep(600) from generate_series(1, 3) n`,
    };
    const runId = await portal.start((await portal.publish(book(query), 'Query')) as number);
    await cut();
    const run = await portal.ended(runId);
    expect([run.Status, messagesOf(run).at(-1)]).toEqual(['Failed', expect.stringContaining('cannot be reached')]);
  },
  TEST_TIMEOUT_MS,
);
