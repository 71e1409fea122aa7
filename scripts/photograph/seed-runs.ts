/** Runs of the last days: most succeeded; some ended with a warning, failed or were cancelled. */
import type { Activity } from '#shared/contract/activities.ts';
import type { Database } from '#server/db/database.ts';

const DAY_MS = 86_400_000;
const ADMINISTRATOR = 1;
const BATCH = 500;
const FAILURES = [
  'Model!B4: #DIV/0! in =B1/B2, which the output Total depends on',
  'The workbook took longer than the 5 minutes that it may take',
  'Value in column Price must be a number (row 3)',
];

export interface RunSeed {
  /** The busiest activity, its newest run that succeeded, and the succeeded run before it. */
  activity: number;
  run: number;
  earlierRun: number;
  /** The newest failed run of an activity with many runs. */
  failedRun: number;
  /** Activities with forms that ask for a table, for choices, and for many values. */
  forms: { table: number; choices: number; long: number };
}

interface Value {
  ActivityParameterId: number | null;
  Value: string | null;
  Rows: number | null;
}

interface Plan {
  activities: readonly Activity[];
  /** Activities that have a calculated run. */
  busy: readonly Activity[];
  people: readonly number[];
  random: () => number;
  runs: number;
  days: number;
}

interface Row {
  ActivityId: number;
  ActivityVersion: number;
  Status: string;
  UserId: number;
  MemoryCost: number;
  QueueTime: Date;
  PickupTime: Date;
  StartTime: Date;
  EndTime: Date;
}

export async function addRuns({ knex }: Database, plan: Plan): Promise<RunSeed> {
  const { busy } = plan;
  const models = new Map<number, { inputs: Value[]; outputs: Value[] }>();
  for (const { Id } of busy) {
    const run = (await knex('ActivityRuns').where('ActivityId', Id).max({ id: 'Id' }).first()) as { id: number };
    const read = async (table: string): Promise<Value[]> =>
      knex(table).where('ActivityRunId', run.id).whereNull('FileId').select('ActivityParameterId', 'Value', 'Rows');
    models.set(Id, { inputs: await read('RunInputs'), outputs: await read('RunOutputs') });
    // This run has the lowest Id, so it must be the oldest.
    const time = new Date(Date.now() - (plan.days + 1) * DAY_MS);
    const times = { QueueTime: time, PickupTime: time, StartTime: time, EndTime: new Date(time.getTime() + 900) };
    await knex('ActivityRuns').where('Id', run.id).update(times);
  }
  const rows = rowsOf(plan);
  const stored: { Id: number; row: Row }[] = [];
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = rows.slice(from, from + BATCH);
    const made = (await knex('ActivityRuns').insert(batch).returning('Id')) as { Id: number }[];
    stored.push(...made.map(({ Id }, index) => ({ Id, row: batch[index]! })));
  }
  for (let from = 0; from < stored.length; from += BATCH) {
    const batch = stored.slice(from, from + BATCH);
    await addValues(knex, batch, models, plan.random);
  }
  const good = stored.filter(({ row }) => row.ActivityId === busy[0]!.Id && row.Status === 'Succeeded');
  const failed = stored.filter(({ row }) => models.has(row.ActivityId) && row.Status === 'Failed');
  const [first, table, choices, long] = busy.map(({ Id }) => Id);
  const forms = { table: table!, choices: choices!, long: long! };
  return { forms, activity: first!, run: good.at(-1)!.Id, earlierRun: good.at(-2)!.Id, failedRun: failed.at(-1)!.Id };
}

/** Returns the oldest row first, so that Ids ascend with the times. */
function rowsOf({ activities, busy, people, random, runs, days }: Plan): Row[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const times = Array.from({ length: runs }, () => Date.now() - 60_000 - random() * days * DAY_MS).toSorted(
    (a, b) => a - b,
  );
  return times.map((time) => {
    // The first busy activities get the most runs.
    const activity = random() < 0.8 ? busy[Math.floor(random() ** 2 * busy.length)]! : pick(activities);
    const dice = random();
    const Status = dice < 0.88 ? 'Succeeded' : dice < 0.92 ? 'SucceededWarn' : dice < 0.98 ? 'Failed' : 'Cancelled';
    const start = time + random() * 400;
    return {
      ActivityId: activity.Id,
      ActivityVersion: activity.Version,
      Status,
      UserId: random() < 0.12 ? ADMINISTRATOR : pick(people),
      MemoryCost: 0,
      QueueTime: new Date(time),
      PickupTime: new Date(start),
      StartTime: new Date(start),
      EndTime: new Date(start + 120 + random() ** 4 * 40_000),
    };
  });
}

async function addValues(
  knex: Database['knex'],
  batch: readonly { Id: number; row: Row }[],
  models: ReadonlyMap<number, { inputs: Value[]; outputs: Value[] }>,
  random: () => number,
): Promise<void> {
  const inputs: object[] = [];
  const outputs: object[] = [];
  const log: object[] = [];
  for (const { Id, row } of batch) {
    const model = models.get(row.ActivityId);
    const factor = 0.8 + random() * 0.4;
    const isGood = row.Status.startsWith('Succeeded');
    inputs.push(
      ...(model?.inputs ?? []).map((value) => ({ ...value, ActivityRunId: Id, Value: varied(value, factor) })),
    );
    if (isGood)
      outputs.push(
        ...(model?.outputs ?? []).map((value) => ({ ...value, ActivityRunId: Id, Value: varied(value, factor) })),
      );
    const Message =
      row.Status === 'Failed'
        ? FAILURES[Id % FAILURES.length]!
        : row.Status === 'SucceededWarn'
          ? '2 values lie outside of what is usual'
          : 'The run has ended';
    const Category = row.Status === 'Failed' ? 3 : row.Status === 'SucceededWarn' ? 2 : 1;
    log.push({ ActivityRunId: Id, Time: row.EndTime, StatusCode: 0, Category, Message });
  }
  for (const [table, values] of [
    ['RunInputs', inputs],
    ['RunOutputs', outputs],
    ['RunLogEntries', log],
  ] as const)
    await knex.batchInsert(table, values, BATCH);
}

/** Plain numbers differ from run to run. Texts, dates and tables stay the same. */
function varied({ Value }: Value, factor: number): string | null {
  const number = Value === null ? NaN : Number(Value);
  return Number.isFinite(number) && number !== 0 && Math.abs(number) < 40_000
    ? String(Number((number * factor).toFixed(4)))
    : Value;
}
