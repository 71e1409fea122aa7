/**
 * What the portal adds to its work: a run beside a bare job, the list of activities beside the same bytes sent bare, and a page
 * of history in a short and in a long table. `npm run bench`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import fastify from 'fastify';
import PgBoss from 'pg-boss';
import type { Activity } from '#shared/contract/activities.ts';
import type { RunState, StartResult } from '#shared/contract/runs.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { compare, print, type Comparison } from './measure.ts';
import { startBenchPortal, type BenchPortal } from './portal.ts';

const MANY_ACTIVITIES = 2_000;
const FEW_RUNS = 1_000;
const MANY_RUNS = 1_000_000;

const FIELDS = {
  Id: '0',
  Schema: 'General',
  Description: '',
  SingleRun: 'false',
  IsActive: 'true',
  Group: '',
  Function: '',
  Order: '',
  MemoryCost: '0',
  ChangeDescription: '',
  AcceptUnsupported: '[]',
};

async function publishOneCell(portal: BenchPortal, Name: string): Promise<Activity> {
  const bytes = await buildWorkbook({
    sheets: [{ name: 'S', cells: { A1: 1, A2: { formula: 'A1+1', value: 2 } } }],
    names: { in_A: 'S!$A$1', out_B: 'S!$A$2' },
  });
  const { Id } = await portal.upload({ ...FIELDS, Name }, 'one.xlsx', bytes);
  return portal.call<Activity>('GET', `/api/activities/details/${Id}`);
}

/** Start and watch to the end, beside the least a queue on the same database can do: send, fetch, complete, nobody waiting for a poll. */
async function benchRun(portal: BenchPortal, activity: Activity): Promise<Comparison> {
  const body = {
    ActivityId: activity.Id,
    ActivityVersion: activity.Version,
    UniqueId: null,
    Inputs: [{ ActivityParameterId: activity.Inputs[0]!.Id, Value: '41' }],
  };
  const ours = async (): Promise<void> => {
    const { Id } = await portal.call<StartResult>('POST', '/api/activities/start', body);
    for (;;) {
      const state = await portal.call<RunState>('POST', `/api/activities/status/${Id}`, []);
      if (state.Status === 'Succeeded') return;
      if (!['Queued', 'PickedUp', 'Started'].includes(state.Status)) throw new Error(`the run ended ${state.Status}`);
      // The watching must not be the load: server and bench share a process.
      await pause(2);
    }
  };
  const boss = new PgBoss({ connectionString: portal.databaseUrl, supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue('bare');
  const peer = async (): Promise<void> => {
    await boss.send('bare', { value: 41 });
    const [job] = await boss.fetch('bare');
    await boss.complete('bare', job!.id, { value: 42 });
  };
  const result = await compare('A run of one cell, start to Succeeded, beside a bare job of pg-boss', {
    ours,
    peer,
    rounds: 200,
    target: 2,
  });
  await boss.stop({ graceful: false });
  return result;
}

async function benchList(portal: BenchPortal, activity: Activity): Promise<Comparison> {
  const { knex } = portal.database;
  const columns = [
    'Type',
    'Description',
    'SingleRun',
    'IsActive',
    'Schema',
    'Group',
    'Function',
    'MemoryCost',
    'DisplayInfo',
    'Version',
  ];
  const list = columns.map((column) => knex.ref(column));
  await knex('Activities')
    .insert(
      knex('Activities')
        .crossJoin(knex.raw('generate_series(1, ?) as n', [MANY_ACTIVITIES]))
        .where('Id', activity.Id)
        .select(knex.raw(`'Copy ' || n, 'copy ' || n`), ...list),
    )
    .into(knex.raw('?? (??, ??, ??)', ['Activities', 'Name', 'NameKey', columns]) as never);
  const text = await (await fetch(`${portal.address}/api/activities`, { headers: portal.headers })).text();
  const bare = fastify();
  bare.get('/', (_, reply) => reply.type('application/json').send(text));
  const address = await bare.listen({ host: '127.0.0.1', port: 0 });
  const read = async (url: string): Promise<void> =>
    void (await (await fetch(url, { headers: portal.headers })).text());
  const result = await compare(
    `GET /api/activities with ${MANY_ACTIVITIES} activities (${text.length} bytes) beside a bare route`,
    {
      ours: () => read(`${portal.address}/api/activities`),
      peer: () => read(address),
      rounds: 100,
      target: 3,
    },
  );
  await bare.close();
  return result;
}

/** Rows made by the database itself: a run with one input and one output each. */
async function fillHistory(portal: BenchPortal, activity: Activity, runs: number): Promise<void> {
  const { knex } = portal.database;
  const [first] = (
    await knex.raw(
      `with made as (insert into "ActivityRuns" ("ActivityId", "ActivityVersion", "Status", "UserId", "MemoryCost", "StartTime", "EndTime")
       select ?, ?, 'Succeeded', (select min("UserId") from "Users"), 0, now(), now() from generate_series(1, ?) returning "Id")
       select min("Id") as "first", max("Id") as "last" from made`,
      [activity.Id, activity.Version, runs],
    )
  ).rows as { first: number; last: number }[];
  for (const [table, parameter] of [
    ['RunInputs', activity.Inputs[0]!.Id],
    ['RunOutputs', activity.Outputs[0]!.Id],
  ] as const) {
    await knex.raw(
      `insert into ?? ("ActivityRunId", "ActivityParameterId", "Value") select n, ?, '42' from generate_series(?::bigint, ?::bigint) n`,
      [table, parameter, first!.first, first!.last],
    );
  }
  await knex.raw('analyze');
}

async function benchHistory(portal: BenchPortal): Promise<Comparison> {
  const few = await publishOneCell(portal, 'Few runs');
  const many = await publishOneCell(portal, 'Many runs');
  await fillHistory(portal, few, FEW_RUNS);
  await fillHistory(portal, many, MANY_RUNS);
  const page = (activity: Activity) => async (): Promise<void> => {
    const query = { ActivityId: activity.Id, ApproxRows: 20, PrevRunId: null };
    await portal.call('POST', '/api/activities/runhistory', query);
  };
  return compare(`A page of history at ${MANY_RUNS} runs beside one at ${FEW_RUNS}`, {
    ours: page(many),
    peer: page(few),
    rounds: 100,
    target: 2,
  });
}

export async function benchSpine(): Promise<void> {
  const portal = await startBenchPortal();
  try {
    const activity = await publishOneCell(portal, 'One cell');
    print(await benchRun(portal, activity));
    print(await benchHistory(portal));
    print(await benchList(portal, activity));
  } finally {
    await portal.stop();
  }
}
