/** Steps of runs whose server is killed, or whose database goes away in the middle. `npm run test:faults`. */
import { expect, test } from 'vitest';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { messagesOf, startStepPortal, stepSheet } from '#test/support/step-portal.ts';
import { onItsDatabase, until } from '#test/support/until.ts';
import { administratorToken } from './administrator-token.ts';
import { cleanUp, launch, temporaryDatabase, temporaryFolder } from './fault-bench.ts';
import { portalClient } from './portal-client.ts';

const ASKING = buildWorkbook({
  sheets: [
    { name: 'S', cells: { A1: { value: 1 }, A2: { formula: 'A1*2', value: 2 } } },
    stepSheet([{ Step: 'Ask', Action: 'Prompt', Cell: 'S!A1', Message: 'Which number?' }]),
  ],
  names: { out_Double: 'S!$A$2' },
});

test(
  'a prompt outlives the server that people see, and ends with the worker that waits',
  async () => {
    const database = await temporaryDatabase();
    const settings = {
      RUNSHEET_DATABASE_URL: database.url,
      RUNSHEET_DATA_DIR: await temporaryFolder(),
      // Long enough for a worker that gets no processor for a while: its run must not end by that.
      RUNSHEET_LEASE_SECONDS: '5',
    };
    const api = launch('api', { ...settings, RUNSHEET_ROLE: 'api' });
    const worker = launch('worker', { ...settings, RUNSHEET_ROLE: 'worker' });
    await api.start();
    await worker.start();
    const { token } = await administratorToken(database);
    const fields = { Id: '0', Schema: 'General', Name: 'Asking', SingleRun: 'false' };
    const activity = await portalClient(() => api.address, token).upload(fields, 'Asking.xlsx', await ASKING);

    const call = async (path: string, body?: object): Promise<{ status: number; result: unknown }> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
      const answer = await fetch(`${api.address}/api/activities/${path}`, init);
      return { status: answer.status, result: ((await answer.json()) as { result?: unknown }).result };
    };
    const start = async (): Promise<number> => {
      const body = { ActivityId: activity, ActivityVersion: 1, UniqueId: null, Inputs: [] };
      return ((await call('start', body)).result as { Id: number }).Id;
    };
    const get = async (Id: number) => (await call(`status/${Id}?activity=true`)).result as ActivityRun;
    const promptOf = (Id: number) =>
      until('the question', async () => (await get(Id)).LogEntries.find(({ prompt }) => prompt)?.prompt);
    const ended = (Id: number) =>
      until(`the end of run ${Id}`, async () => {
        const run = await get(Id);
        return !isPending(run.Status) && run;
      });

    const first = await start();
    const asked = await promptOf(first);
    await api.kill();
    await api.start();
    expect(await promptOf(first)).toEqual(asked);
    const answer = { ActivityRunId: first, Key: asked.key, Value: '21' };
    expect((await call('provideinput', answer)).status).toBe(200);
    const run = await ended(first);
    expect([run.Status, run.Outputs[0]!.Value]).toEqual(['Succeeded', '42']);

    const second = await start();
    const { key } = await promptOf(second);
    await worker.kill();
    await worker.start();
    const abandoned = await ended(second);
    expect(abandoned.Status).toBe('Abandoned');
    expect(abandoned.LogEntries.every(({ prompt }) => prompt === undefined)).toBe(true);
    expect((await call('provideinput', { ActivityRunId: second, Key: key, Value: '1' })).status).toBe(409);
    // Nothing carries it out a second time.
    expect(await database.knex('ActivityRuns').where('RetryOf', second)).toEqual([]);
  },
  onItsDatabase(120_000),
);

test('a database that goes away in the middle of a Write keeps nothing of it, and of a Query gives nothing', async () => {
  const portal = await startStepPortal((url) => ({ Warehouse: { url, allowWrites: true } }));
  cleanUp(() => portal.close());
  const { knex } = portal.target;
  await knex.raw('create table "Results" ("Id" int, "Name" text)');
  await knex.raw(`insert into "Results" values (7, 'before')`);
  // Waits in the middle of the rows, so that the connection can be cut while the transaction is open.
  await knex.raw(`create function slow() returns trigger language plpgsql as
    $$ begin if new."Id" = 2 then perform pg_sleep(600); end if; return new; end $$`);
  await knex.raw('create trigger slow before insert on "Results" for each row execute function slow()');
  const cut = (): Promise<boolean> =>
    until('the statement that sleeps', async () => {
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
}, 120_000);
