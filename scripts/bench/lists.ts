/**
 * Times the calls that list or summarise runs when the portal has a million of them. The peer of each is the same call
 * on a portal with a thousand runs. Prints every call that takes longer than LIMIT_MS.
 */
import type { Activity } from '#shared/contract/activities.ts';
import { printMachine, summary } from './measure.ts';
import { publishOneCell } from './one-cell.ts';
import { startBenchPortal, type BenchPortal } from './portal.ts';

const FEW_RUNS = 1_000;
const MANY_RUNS = 1_000_000;
const ACTIVITIES = 20;
const USERS = 50;
const DAYS = 90;
const ROUNDS = 7;
const LIMIT_MS = 300;

type Call = () => Promise<unknown>;
type Person = 'sees all' | 'sees some' | 'sees own';

export async function benchLists(): Promise<void> {
  const few = await measure(FEW_RUNS);
  const many = await measure(MANY_RUNS);
  const slow: string[] = [];
  for (const [name, median] of many) {
    const ratio = median / few.get(name)!;
    console.log(`${median.toFixed(1).padStart(9)} ms ${`${ratio.toFixed(1)} ×`.padStart(9)}  ${name}`);
    if (median > LIMIT_MS) slow.push(name);
  }
  console.log(`\n${slow.length} of ${many.size} calls take longer than ${LIMIT_MS} ms at ${MANY_RUNS} runs`);
  for (const name of slow) console.log(`  ${name}`);
}

/** Returns the median of each call in milliseconds. */
async function measure(runs: number): Promise<Map<string, number>> {
  const portal = await startBenchPortal();
  try {
    const activities: Activity[] = [];
    for (let n = 1; n <= ACTIVITIES; n += 1) activities.push(await publishOneCell(portal, `Activity ${n}`));
    await fill(portal, activities, runs);
    printMachine();
    const people: Record<Person, object> = {
      'sees all': portal.headers,
      'sees some': await portal.signInAs({ right: 'sk.RunActivity' }, { right: 'sk.ViewRuns', schema: 'Elsewhere' }),
      'sees own': await portal.signInAs({ right: 'sk.RunActivity' }),
    };
    await giveOwnRuns(portal, activities);
    const medians = new Map<string, number>();
    for (const [name, call] of callsOf(portal, activities, people)) {
      const times: number[] = [];
      for (let round = -1; round < ROUNDS; round += 1) {
        const startedAt = performance.now();
        await call().catch(ignoreRefusal);
        if (round >= 0) times.push(performance.now() - startedAt);
      }
      medians.set(name, summary(times).median);
    }
    return medians;
  } finally {
    await portal.stop();
  }
}

/** A search that is too wide to be sorted is refused, which must also take little time. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Error && error.message.includes(': 400 '))) throw error;
}

/** Half of the runs belong to the first activity. Three in a hundred failed, one in a hundred was cancelled. */
async function fill(portal: BenchPortal, activities: readonly Activity[], runs: number): Promise<void> {
  const { knex } = portal.database;
  await knex.raw(
    `insert into "Users" ("UserName", "UserNameKey", "FirstName", "LastName", "Source")
     select 'person' || n, 'person' || n, 'Person', 'Number ' || n, 'Local' from generate_series(1, ?) n`,
    [USERS],
  );
  await knex.raw(
    `insert into "ActivityRuns" ("ActivityId", "ActivityVersion", "Status", "UserId", "MemoryCost", "QueueTime",
       "PickupTime", "StartTime", "EndTime")
     select A."Id", A."Version",
       case when n % 100 < 3 then 'Failed' when n % 100 = 3 then 'Cancelled' else 'Succeeded' end,
       (select min("UserId") from "Users" where "FirstName" = 'Person') + n % ?::int, 0, at, at, at, at + took * interval '1 ms'
     from generate_series(1, ?::bigint) g(n)
       cross join lateral (select now() - (?::bigint - n) * (?::int * interval '1 day' / ?::int), 20 + n % 5000) t(at, took)
       join "Activities" A on A."Id" = (?::int[])[case when n % 2 = 0 then 1 else 1 + n % ?::int end]`,
    [USERS, runs, runs, DAYS, runs, activities.map(({ Id }) => Id), ACTIVITIES],
  );
  await fillValues(portal, activities);
  await knex.raw(
    `insert into "RunLogEntries" ("ActivityRunId", "Time", "StatusCode", "Category", "Message")
     select "Id", "EndTime", case when "Status" = 'Failed' then 1 else 0 end, case when "Status" = 'Failed' then 3 else 1 end,
       case when "Status" = 'Failed' then 'Row ' || "Id" || ': the value "x" is not a number' else 'The run has ended' end
     from "ActivityRuns" order by "Id"`,
  );
  await knex.raw('vacuum analyze');
}

/** Gives each run one input and one output, as ended runs have them. Failed runs have no output. */
async function fillValues({ database: { knex } }: BenchPortal, activities: readonly Activity[]): Promise<void> {
  for (const { Id, Inputs, Outputs } of activities) {
    for (const [table, parameter, isOutput] of [
      ['RunInputs', Inputs[0]!.Id, false],
      ['RunOutputs', Outputs[0]!.Id, true],
    ] as const) {
      await knex.raw(
        `insert into ?? ("ActivityRunId", "ActivityParameterId", "Value")
         select "Id", ?, v::text from (select "Id", "Id" % 1000 as v from "ActivityRuns"
           where "ActivityId" = ? and (not ?::boolean or "Status" = 'Succeeded') order by "Id") r`,
        [table, parameter, Id, isOutput],
      );
    }
  }
}

/** A hundred old runs of each signed-in person, of which two failed. */
async function giveOwnRuns({ database: { knex } }: BenchPortal, [first]: readonly Activity[]): Promise<void> {
  await knex.raw(
    `insert into "ActivityRuns" ("ActivityId", "ActivityVersion", "Status", "UserId", "MemoryCost", "QueueTime", "StartTime", "EndTime")
     select ?, ?, case when n < 3 then 'Failed' else 'Succeeded' end, "UserId", 0, at, at, at
     from "Users", generate_series(1, 100) n, lateral (select now() - n * interval '1 hour') t(at) where "FirstName" = 'Some'`,
    [first!.Id, first!.Version],
  );
  await knex.raw('analyze');
}

function callsOf(
  portal: BenchPortal,
  activities: readonly Activity[],
  people: Record<Person, object>,
): [string, Call][] {
  const result: [string, Call][] = [];
  for (const [who, headers] of Object.entries(people)) {
    for (const [what, search] of searchesOf(activities)) {
      const query = { ...search, ApproxRows: 50, PrevRunId: null };
      result.push([
        `history, ${what}, ${who}`,
        () => portal.call('POST', '/api/activities/runhistory', query, headers),
      ]);
      if (!('Sort' in search)) {
        const path = '/api/activities/runhistory/summary';
        result.push([`summary, ${what}, ${who}`, () => portal.call('POST', path, search, headers)]);
      }
    }
    for (const [what, search] of failuresOf()) {
      const path = '/api/activities/runhistory/reasons';
      result.push([`reasons, ${what}, ${who}`, () => portal.call('POST', path, search, headers)]);
    }
    const path = '/api/activities/runhistory/timeline';
    result.push([`timeline of a day, ${who}`, () => portal.call('POST', path, lastDay(), headers)]);
    for (const path of listsOf(activities[0]!))
      result.push([`${path}, ${who}`, () => portal.call('GET', path, undefined, headers)]);
  }
  for (const path of administratorsLists(activities[0]!))
    result.push([path, () => portal.call('GET', path, undefined, portal.headers)]);
  return result;
}

/** Searches of the history. Values and most sorts need an activity; the first has the most runs, the second few. */
function searchesOf([most, fewer]: readonly Activity[]): [string, object][] {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  const output = { Direction: 'output', ActivityParameterId: most!.Outputs[0]!.Id };
  const input = { Direction: 'input', ActivityParameterId: most!.Inputs[0]!.Id };
  const one = { ActivityId: most!.Id };
  const sort = (By: string, more = {}): object => ({ Sort: { By, Descending: true, ...more } });
  return [
    ['all activities', { ActivityId: null }],
    ['all activities, since yesterday', { ActivityId: null, QueuedFrom: yesterday }],
    ['all activities, failed', { ActivityId: null, Statuses: ['Failed'] }],
    ['all activities, failed since yesterday', { ActivityId: null, Statuses: ['Failed'], QueuedFrom: yesterday }],
    ['all activities, a status no run has', { ActivityId: null, Statuses: ['Abandoned'] }],
    ['all activities, part of a name', { ActivityId: null, RunBy: 'number 7' }],
    ['all activities, a name nobody has', { ActivityId: null, RunBy: 'nobody' }],
    ['all activities, text of the error', { ActivityId: null, Error: 'not a number' }],
    ['all activities, a text no error has', { ActivityId: null, Error: 'volcano' }],
    ['all activities, part of an activity', { ActivityId: null, Name: 'ty 7' }],
    ['all activities, by duration', { ActivityId: null, ...sort('Duration') }],
    ['one activity', one],
    ['a smaller activity', { ActivityId: fewer!.Id }],
    ['one activity, failed', { ...one, Statuses: ['Failed'] }],
    ['one activity, a status no run has', { ...one, Statuses: ['Abandoned'] }],
    ['one activity, output equal', { ...one, Values: [{ ...output, Operator: '=', Value: 7 }] }],
    ['one activity, output equal to none', { ...one, Values: [{ ...output, Operator: '=', Value: -7 }] }],
    ['one activity, input between', { ...one, Values: [{ ...input, Operator: 'between', Value: 10, To: 12 }] }],
    ['one activity, input begins', { ...one, Values: [{ ...input, Operator: 'begins', Value: '99' }] }],
    ['one activity, output empty', { ...one, Values: [{ ...output, Operator: 'empty' }] }],
    ['one activity, by output', { ...one, ...sort('Value', output) }],
    ['one activity, by output, a status without outputs', { ...one, Statuses: ['Failed'], ...sort('Value', output) }],
    ['one activity, by duration', { ...one, ...sort('Duration') }],
    ['one activity, by duration, failed', { ...one, Statuses: ['Failed'], ...sort('Duration') }],
  ];
}

const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

const lastDay = () => ({ ActivityId: null, QueuedFrom: ago(1), QueuedBefore: ago(0) });

/** Searches of the operator's page. */
const failuresOf = (): [string, object][] => [
  ['since yesterday', { ActivityId: null, QueuedFrom: ago(1) }],
  ['of a week', { ActivityId: null, QueuedFrom: ago(7) }],
  ['of all time', { ActivityId: null }],
  ['with a text', { ActivityId: null, Error: 'not a number' }],
];

const listsOf = ({ Id }: Activity): string[] => [
  '/api/activities',
  '/api/activities/pendingruns',
  '/api/activities/notifications',
  '/api/activities/notifications/succeeded',
  '/api/approvals',
  '/api/schedules',
  '/api/alerts',
  `/api/activities/home/${Id}`,
  `/api/activities/versions/${Id}`,
  `/api/activities/batches/${Id}`,
];

function administratorsLists({ Id }: Activity): string[] {
  const today = new Date().toISOString().slice(0, 10);
  return [
    `/api/activities/purgeable/${today}`,
    '/api/tableviews',
    '/api/admin/system',
    `/api/admin/system/trend/${Id}`,
    '/api/admin/system/storage',
    '/api/users',
    '/api/rights/userRightList',
    '/api/rights/securityActionsList/0',
  ];
}
