/**
 * The portal's database becomes unreachable while runs execute. No run fails: their queries wait for the database, as
 * their ends do.
 */
import { expect, test as base } from 'vitest';
import { createConnectionAccess } from '#server/connections/connection-access.ts';
import { createConnections } from '#server/connections/connections.ts';
import { createDatabase } from '#server/db/database.ts';
import type { RunRequest } from '#server/executors/executor.ts';
import type { ProcedureListener } from '#server/executors/procedure-call.ts';
import type { StepServices } from '#server/executors/step-services.ts';
import { withDeltas } from '#server/files/deltas.ts';
import { createRunProcedures } from '#server/queue/procedures/run-procedures.ts';
import { runHolder } from '#server/queue/steps/run-holder.ts';
import { answerPrompt } from '#server/queue/steps/run-prompts.ts';
import { createRunSteps } from '#server/queue/steps/run-steps.ts';
import type { StaticFolders } from '#server/folders/static-folders.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { testDatabase } from '#test/support/database.ts';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { EMPTY_DEFINITION, insertActivity } from '#test/support/runs.ts';
import { storeDelta } from '#test/support/store-delta.ts';
import { until } from '#test/support/until.ts';
import { createWorkerBench, startWorkerStore } from '#test/support/worker-bench.ts';

const INFO = { CellUsages: ['Number'], RangeType: 'SingleCell', Specifications: ['Required'] };
const INPUT = { Id: 1, Name: 'n', PresetValue: null, HasAccess: true, Info: INFO };
const WORKBOOK = { FileId: 'workbook', bytes: Buffer.from('workbook') };
const LISTENER: ProcedureListener = { onMessage: () => {}, onRows: () => {}, onEnd: () => {} };

const test = base
  .extend('shop', { scope: 'file' }, async ({}, { onCleanup }) => {
    const shop = await testDatabase({ migrated: false, isPostgres: true });
    onCleanup(() => shop.drop());
    await shop.knex.raw('create table "Results" ("Id" int)');
    await shop.knex.raw('create procedure close() language sql as $$ insert into "Results" values (7) $$');
    return shop;
  })
  .extend('connections', { scope: 'file' }, async ({ shop }, { onCleanup }) => {
    const settings = { url: shop.url, allowWrites: true, procedureSchemas: ['public'] };
    const connections = createConnections({ Shop: settings }, { timeZone: 'UTC' });
    onCleanup(() => connections.close());
    return connections;
  })
  .extend('store', { scope: 'file' }, async ({}, { onCleanup }) => {
    const store = await startWorkerStore();
    onCleanup(() => store.close());
    return store;
  })
  .extend('breakAt', { scope: 'file' }, async ({ store }) => {
    const { knex } = store.database;
    /** Terminates the connections that wait for a lock. */
    const endWaiting = async (): Promise<boolean> => {
      const waiting = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return ((await knex.raw(waiting)) as { rows: unknown[] }).rows.length > 0;
    };
    /** Simulates a restart of the database at the moment when something reads the table or changes the run. */
    return async <T>(table: string, runId: number, act: () => Promise<T>): Promise<T> => {
      const trx = await knex.transaction();
      if (table === 'ActivityRuns') await trx('ActivityRuns').where('Id', runId).forUpdate().first('Id');
      else await trx.raw('lock table ?? in access exclusive mode', [table]);
      const acting = act();
      const settled = Promise.allSettled([acting]).then(() => true);
      let isSettled = false;
      void settled.then(() => (isSettled = true));
      await until('something waits for the database', async () => isSettled || endWaiting());
      await trx.rollback();
      return acting;
    };
  })
  .extend('worker', { scope: 'file' }, async ({ store, connections }, { onCleanup }) => {
    // Its connections are terminated while in use; the test's own connections are not.
    const own = createDatabase({ url: store.database.url });
    const database = { ...store.database, ...own };
    const { knex } = database;
    const { UserId } = store;
    // Users and rights are read from the portal's database, as in a real portal.
    const access = createConnectionAccess(connections, {
      has: async () => (await knex('Schemas').first('Name')) !== undefined,
    });
    const findHolder = async (userId: number) => {
      await knex('Users').first('UserId');
      return { UserId: userId, IsUserAdmin: false, fromInternet: false };
    };
    const ActivityId = await insertActivity(knex, { UserId });
    const inputs = [INPUT as unknown as Input];
    const steps = createRunSteps({
      database,
      mail: { isConfigured: true, send: async () => {} },
      mailDomains: [],
      pdf: null,
      connections: access,
      folders: { newest: async () => null } as unknown as StaticFolders,
      findHolder,
      findStartable: async () => ({ ActivityId, ActivityVersion: 1, Name: 'Other', inputs }),
    });
    const working = createWorkerBench({ ...store, database, files: withDeltas(store.files, database) });
    onCleanup(async () => {
      await working.stop();
      await own.close();
    });
    const acts: { call?: (call: () => Promise<void>) => Promise<void> } = {};
    const procedures = createRunProcedures({
      connections: access,
      holderOf: (runId) => runHolder(database, runId, findHolder),
      execute: async ({ caller }) => {
        await acts.call!(() => caller.call(new Map(), LISTENER));
        return SUCCESS;
      },
    });
    working.work({ steps, procedures });
    return { bench: { ...createWorkerBench(store), executor: working.executor }, acts };
  });

type Act = (request: RunRequest, services: StepServices) => Promise<unknown>;
const TABLE = { connection: 'Shop', target: 'Results', columns: ['Id'], keys: [], dates: [false] };
const START = {
  step: 'Go',
  activity: 'Other',
  columns: ['n'],
  keyColumn: null,
  concurrency: 1,
  stopAfterFailures: null,
};
const MAIL = { step: 'Tell', to: 'ann@example.com', cc: '', subject: '', text: '', attachments: [] };
/** Read to the end, because an open query keeps its connection. */
const query: Act = async (_, services) => {
  const rows: unknown[] = [];
  for await (const read of services.query({ connection: 'Shop', sql: 'SELECT 42 as n', values: {} }))
    rows.push(...read.rows);
  return rows;
};
const write: Act = (_, services) => services.write({ ...TABLE, mode: 'Append', rows: [[1]] });
const written = { inserted: 1, updated: 0, deleted: 0 };

const CASES: { step: string; table: string; act: Act; answer: unknown; log?: string[] }[] = [
  { step: 'Query', table: 'Users', act: query, answer: [[42]] },
  { step: 'Query', table: 'Schemas', act: query, answer: [[42]] },
  { step: 'Query', table: 'ActivityRuns', act: query, answer: [[42]] },
  { step: 'Write', table: 'Users', act: write, answer: written },
  { step: 'Write', table: 'Schemas', act: write, answer: written },
  {
    step: 'Start',
    table: 'RunStarts',
    act: (_, services) => services.start({ ...START, rows: [[1]] }),
    answer: undefined,
  },
  { step: 'Mail', table: 'ActivityRuns', act: (_, services) => services.sendMail(MAIL), answer: { recipients: 1 } },
  {
    step: 'Prompt',
    table: 'RunPrompts',
    act: (_, services) => services.prompt({ message: 'Which?', type: 'Text', seconds: 600 }),
    answer: { value: 'this' },
    log: ['Which?'],
  },
  {
    step: 'file',
    table: 'StoredFiles',
    act: async (request) => String(await request.readWorkbook()),
    answer: 'derived',
  },
];

test.for(CASES)(
  'a run waits with a $step that needs $table',
  async (each, { worker: { bench }, store, breakAt, skip }) => {
    skip(store.database.dialect.name !== 'pg', 'who waits for a lock is asked as PostgreSQL tells it');
    const { table, act, answer, log = [] } = each;
    const { knex } = store.database;
    const { FileId } = await storeDelta(knex, Buffer.from('derived'), WORKBOOK);
    const ActivityId = await insertActivity(knex, { UserId: store.UserId, FileId });
    let answered: unknown;
    const runId = Promise.withResolvers<number>();
    bench.executor.onRun = async (request) => {
      answered = await breakAt(table, await runId.promise, () => act(request, request.services!));
      return SUCCESS;
    };
    runId.resolve(await bench.run({ ActivityId }));
    const Id = await runId.promise;
    if (each.step === 'Prompt') {
      await until('the question', async () => (await bench.messages(Id)).length > 0);
      const { PromptKey: key } = await knex('RunPrompts').where({ ActivityRunId: Id }).first('PromptKey');
      await answerPrompt(store.database, { runId: Id, key, value: 'this', userId: store.UserId });
    }
    await until('its end', async () => (await bench.stored(Id)).EndTime);
    expect([(await bench.stored(Id)).Status, await bench.messages(Id)]).toEqual(['Succeeded', log]);
    expect(answered).toEqual(answer);
  },
);

test.for(['Users', 'Schemas', 'ActivityRuns'])(
  'a run waits with a procedure that needs %s, and calls it once',
  async (table, { worker: { bench, acts }, store, breakAt, connections, shop, skip }) => {
    skip(store.database.dialect.name !== 'pg', 'who waits for a lock is asked as PostgreSQL tells it');
    await shop.knex('Results').delete();
    const { signal } = new AbortController();
    const { procedures } = connections.get('Shop');
    const [found] = await procedures.list(signal);
    const pinned = await procedures.describe(found!.name, signal);
    const procedure = { connection: 'Shop', pinned, settings: { CommitsByItself: false }, parameters: [] };
    const definition = { ...EMPTY_DEFINITION, procedure } as unknown as typeof EMPTY_DEFINITION;
    const ActivityId = await insertActivity(store.database.knex, { UserId: store.UserId, definition });
    const runId = Promise.withResolvers<number>();
    acts.call = async (call) => breakAt(table, await runId.promise, call);
    runId.resolve(await bench.run({ ActivityId }));
    const Id = await runId.promise;
    await until('its end', async () => (await bench.stored(Id)).EndTime);
    expect([(await bench.stored(Id)).Status, await bench.messages(Id)]).toEqual(['Succeeded', []]);
    expect(await shop.knex('Results').pluck('Id')).toEqual([7]);
  },
);
