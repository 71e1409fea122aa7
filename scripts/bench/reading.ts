/** The list of activities beside the same bytes sent bare, and pages of history in short and in long tables; for whom they cost most. */
import fastify from 'fastify';
import type { Activity } from '#shared/contract/activities.ts';
import { benchLacking } from './lacking.ts';
import { compare, type Comparison } from './measure.ts';
import { publishOneCell } from './one-cell.ts';
import type { BenchPortal } from './portal.ts';

const MANY_ACTIVITIES = 2_000;
const FEW_RUNS = 1_000;
const MANY_RUNS = 1_000_000;
/** Runs that everybody has of other activities. */
const OWN_RUNS = 500;

const COPIED = [
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

type Headers = { authorization: string };

export async function benchList(portal: BenchPortal, activity: Activity): Promise<Comparison[]> {
  await copyActivities(portal, activity);
  const all = await portal.signInAs({ right: 'sk.RunActivity' }, { right: 'sk.ViewRuns' });
  const own = await portal.signInAs({ right: 'sk.RunActivity' });
  await giveRuns(portal, 'Some', OWN_RUNS);
  const target = 3;
  const name = `GET /api/activities with ${MANY_ACTIVITIES} activities`;
  return [
    await besideBare(portal, `${name}, for who sees all runs`, all, { target }),
    await besideBare(portal, `${name}, for who sees their own runs alone`, own, { target }),
    await besideBare(portal, `${name}, the same after a new run of theirs`, own, {
      target,
      before: () => giveRuns(portal, 'Some', 1),
    }),
  ];
}

async function copyActivities({ database: { knex } }: BenchPortal, activity: Activity): Promise<void> {
  const list = COPIED.map((column) => knex.ref(column));
  await knex('Activities')
    .insert(
      knex('Activities')
        .crossJoin(knex.raw('generate_series(1, ?) as n', [MANY_ACTIVITIES]))
        .where('Id', activity.Id)
        .select(knex.raw(`'Copy ' || n, 'copy ' || n`), ...list),
    )
    .into(knex.raw('?? (??, ??, ??)', ['Activities', 'Name', 'NameKey', COPIED]) as never);
  await knex.raw(
    `insert into "ActivityVersions" ("ActivityId", "Version", "ContentLength", "UserId", "Definition")
     select A."Id", A."Version", 0, 1, V."Definition" from "Activities" A, "ActivityVersions" V
     where V."ActivityId" = ? and V."Version" = ? and A."Name" like 'Copy %'`,
    [activity.Id, activity.Version],
  );
}

/** Runs of the copies, by everybody of that first name. */
async function giveRuns({ database: { knex } }: BenchPortal, firstName: string, runs: number): Promise<void> {
  await knex.raw(
    `insert into "ActivityRuns" ("ActivityId", "ActivityVersion", "Status", "UserId", "MemoryCost", "StartTime", "EndTime")
     select A."Id", A."Version", 'Succeeded', U."UserId", 0, now(), now()
     from (select * from "Activities" where "Name" like 'Copy %' order by random() limit ?) A, "Users" U
     where U."FirstName" = ?`,
    [runs, firstName],
  );
}

async function besideBare(
  portal: BenchPortal,
  name: string,
  headers: Headers,
  { target, before }: { target: number; before?: () => Promise<void> },
): Promise<Comparison> {
  const text = await (await fetch(`${portal.address}/api/activities`, { headers })).text();
  const bare = fastify();
  bare.get('/', (_, reply) => reply.type('application/json').send(text));
  const address = await bare.listen({ host: '127.0.0.1', port: 0 });
  const read = async (url: string): Promise<void> => void (await (await fetch(url, { headers })).text());
  const result = await compare(`${name} (${text.length} bytes), beside a bare route`, {
    ours: () => read(`${portal.address}/api/activities`),
    peer: () => read(address),
    rounds: 100,
    target,
    ...(before ? { before } : {}),
  });
  await bare.close();
  return result;
}

/**
 * Rows made by the database itself: a run with one input and one output each; answers the number of the last.
 * @param age of all but the newest share of them: ended so many days ago
 */
export async function fillHistory(
  portal: BenchPortal,
  activity: Activity,
  runs: number,
  age = { endedBefore: 0, newest: 1 },
): Promise<{ last: number }> {
  const { knex } = portal.database;
  const [first] = (
    await knex.raw(
      `with made as (insert into "ActivityRuns"
         ("ActivityId", "ActivityVersion", "Status", "UserId", "MemoryCost", "QueueTime", "StartTime", "EndTime")
       select ?, ?, 'Succeeded', (select min("UserId") from "Users"), 0, at, at, at
         from generate_series(1, ?) n, lateral (select now() - case when n <= ? then ? else 0 end * interval '1 day') as m(at)
         returning "Id")
       select min("Id") as "first", max("Id") as "last" from made`,
      [activity.Id, activity.Version, runs, runs * (1 - age.newest), age.endedBefore],
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
  return { last: first!.last };
}

/** Own runs, older than the millions of others. */
async function ownRuns({ database: { knex } }: BenchPortal, activity: Activity, firstName: string): Promise<void> {
  await knex.raw(
    `insert into "ActivityRuns" ("ActivityId", "ActivityVersion", "Status", "UserId", "MemoryCost", "StartTime", "EndTime")
     select ?, ?, 'Succeeded', "UserId", 0, now(), now() from "Users", generate_series(1, 100) where "FirstName" = ?`,
    [activity.Id, activity.Version, firstName],
  );
}

/** The same pages, first while the table is short and then while it is long. */
export async function benchHistory(portal: BenchPortal): Promise<Comparison[]> {
  const few = await publishOneCell(portal, 'Few runs');
  const many = await publishOneCell(portal, 'Many runs');
  const all = await portal.signInAs({ right: 'sk.RunActivity' }, { right: 'sk.ViewRuns' });
  const own = await portal.signInAs({ right: 'sk.RunActivity' });
  const mixed = await portal.signInAs({ right: 'sk.RunActivity' }, { right: 'sk.ViewRuns', schema: 'Elsewhere' });
  for (const activity of [few, many]) await ownRuns(portal, activity, 'Some');
  await fillHistory(portal, few, FEW_RUNS);
  await fillHistory(portal, many, MANY_RUNS);
  const page = (activity: Activity | null, headers: Headers) => async (): Promise<void> => {
    const query = { ActivityId: activity?.Id ?? null, ApproxRows: 20, PrevRunId: null };
    await portal.call('POST', '/api/activities/runhistory', query, headers);
  };
  const name = `A page of history at ${MANY_RUNS} runs beside one at ${FEW_RUNS}`;
  const results: Comparison[] = [];
  for (const [who, headers] of [
    ['who sees all runs', all],
    ['who sees their own alone', own],
    ['who sees some', mixed],
  ] as const) {
    const sides = { ours: page(many, headers), peer: page(few, headers), rounds: 100, target: 2 };
    results.push(await compare(`${name}, for ${who}`, sides));
  }
  for (const [who, headers] of [
    ['who sees their own alone', own],
    ['who sees some', mixed],
  ] as const) {
    const sides = { ours: page(null, headers), peer: page(few, all), rounds: 100, target: 2 };
    results.push(
      await compare(`A page of all activities' history at ${MANY_RUNS} runs, for ${who}, beside one activity's`, sides),
    );
  }
  return [...results, ...(await benchLacking(portal, many))];
}
