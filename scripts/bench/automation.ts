/**
 * Measures what waiting schedules and triggers cost: 10,000 additional schedules, each due once a day, and 1,000
 * triggers (files, ends, calls and queries) on one server. Reports the share of a processor core that the server uses
 * with and without them, and the delay from an event to the start of its run.
 */
import { mkdir, rm, writeFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { signedHeaders } from '#server/automation/deliveries/signature.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { SavedTrigger, TriggerUpdate } from '#shared/contract/triggers.ts';
import { percentile, printMachine } from './measure.ts';
import { publishOneCell, startOf } from './one-cell.ts';
import { startBenchPortal, type BenchPortal } from './portal.ts';

const SCHEDULES = 10_000;
const TRIGGERS = 1_000;
const IDLE_MS = 15_000;
const ROUNDS = 10;
/** Few rounds, because each round waits for the next minute. */
const SCHEDULE_ROUNDS = 3;
const MINUTE_MS = 60_000;
const MAX_DISPATCH_MS = 2_000;
const MAX_CPU_SHARE = 0.02;
const DAY_MINUTES = 1440;

export async function benchAutomation(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-bench-folder-'));
  await mkdir(join(folder, 'in'));
  const portal = await startBenchPortal({ staticFolders: [`Inbox=${join(folder, 'in')}`] });
  try {
    const started = await publishOneCell(portal, 'Started');
    const source = await publishOneCell(portal, 'Source');
    const before = await shareOfCore();
    await fill(portal, started, source);
    await pause(3_000);
    const after = await shareOfCore();
    const share = Math.max(0, after - before);
    console.log(
      `${SCHEDULES} schedules and ${TRIGGERS} triggers: ${percent(share)} of a core (target: at most ${percent(MAX_CPU_SHARE)})`,
    );
    console.log(`  (${percent(before)} without them, ${percent(after)} with them)`);
    print('A schedule', await timesOfSchedules(portal));
    print('A file', await timesOfFiles(portal, join(folder, 'in')));
    print('The end of a run', await timesOfEnds(portal, source));
    print('A call', await timesOfCalls(portal));
    printMachine();
  } finally {
    await portal.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

/**
 * Returns the share of a core that this process uses while nobody calls the server. The server runs in this process.
 */
async function shareOfCore(): Promise<number> {
  const from = process.cpuUsage();
  await pause(IDLE_MS);
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000 / IDLE_MS;
}

async function fill({ database: { knex } }: BenchPortal, { Id }: Activity, source: Activity): Promise<void> {
  const { UserId } = (await knex('Users').where('UserName', 'admin').first('UserId')) as { UserId: number };
  const far = new Date(Date.now() + 3_600_000);
  const schedule = {
    ActivityId: Id,
    UserId,
    PlanText: JSON.stringify({ Kind: 'Daily', TimeOfDay: 0.5 }),
    InputsText: '[]',
    TimeZone: 'UTC',
    HolidayRule: 'Keep',
    RetryCount: 0,
    RetryInterval: 0,
    Overlap: 'Start',
    Missed: 'None',
    MissedMax: 1,
  };
  const schedules = Array.from({ length: SCHEDULES }, (_, at) => ({
    ...schedule,
    Name: `Schedule ${at}`,
    NextTime: new Date(far.getTime() + at * 1000),
  }));
  await knex.batchInsert('Timetables', schedules, 500);
  const plans = [
    { Kind: 'File', Folder: 'Inbox', Pattern: 'none-?.csv', FileInput: null },
    { Kind: 'Ended', Source: 'Activity', SourceId: source.Id, Outcomes: ['NotLicensed'] },
    { Kind: 'Webhook', Scheme: 'Standard' },
    { Kind: 'Query', Connection: 'None', Sql: 'select 1', Minutes: DAY_MINUTES, When: 'NewKey' },
  ] as const;
  const triggers = Array.from({ length: TRIGGERS }, (_, at) => {
    const plan = plans[at % plans.length]!;
    return {
      ActivityId: Id,
      UserId,
      Name: `Trigger ${at}`,
      Kind: plan.Kind,
      PlanText: JSON.stringify(plan.Kind === 'File' ? { ...plan, Pattern: `none-${at}-*.csv` } : plan),
      InputsText: '[]',
      TimeZone: 'UTC',
      Overlap: 'Start',
      SourceActivityId: plan.Kind === 'Ended' ? source.Id : null,
      AddressKey: plan.Kind === 'Webhook' ? `bench-${at}-${'x'.repeat(20)}` : null,
      NextTime: plan.Kind === 'Query' ? far : null,
    };
  });
  await knex.batchInsert('Triggers', triggers, 500);
}

function print(what: string, times: number[]): void {
  const worst = Math.max(...times);
  console.log(
    `${what}: starts after ${percentile(times, 50).toFixed(0)} ms (p50), ${worst.toFixed(0)} ms at most (target: within ${MAX_DISPATCH_MS} ms)`,
  );
}

/** Adds a trigger with a separate activity for it to start. */
async function add(portal: BenchPortal, Plan: TriggerUpdate['Plan']): Promise<SavedTrigger> {
  const { Id, Inputs } = await publishOneCell(portal, `Fired by ${Plan.Kind}`);
  const input = { Name: Inputs[0]!.Name, Value: '41', RelativeDate: null, From: null };
  const body: TriggerUpdate = {
    Id: 0,
    OwnerId: Id,
    Name: Plan.Kind,
    Plan,
    Inputs: [input],
    TimeZone: 'UTC',
    Overlap: 'Start',
  };
  return portal.call('POST', '/api/activities/triggers', body);
}

/** Returns the milliseconds until the trigger has started this many runs. */
async function untilStarted({ database: { knex } }: BenchPortal, TriggerId: number, count: number): Promise<number> {
  const since = performance.now();
  for (;;) {
    const found = (await knex('TriggerEvents').where({ TriggerId, Outcome: 'Started' }).select('Id')) as unknown[];
    if (found.length >= count) return performance.now() - since;
    if (performance.now() - since > 30_000) throw new Error('the trigger has not fired');
    await pause(10);
  }
}

/** Returns, for a few of the inserted schedules, the delay from the due time to the run. */
async function timesOfSchedules({ database: { knex } }: BenchPortal): Promise<number[]> {
  const ids = (await knex('Timetables').orderBy('Id').limit(SCHEDULE_ROUNDS).pluck('Id')) as number[];
  const times: number[] = [];
  for (const Id of ids) {
    // Schedules are due at the beginning of a minute.
    const due = Math.ceil((Date.now() + 2_000) / MINUTE_MS) * MINUTE_MS;
    const TimeOfDay = ((due / MINUTE_MS) % DAY_MINUTES) / DAY_MINUTES;
    await knex('Timetables')
      .where({ Id })
      .update({ NextTime: new Date(due), PlanText: JSON.stringify({ Kind: 'Daily', TimeOfDay }) });
    while (!(await knex('ScheduledRuns').where('TimetableId', Id).first('TimetableId'))) {
      if (Date.now() > due + 30_000) throw new Error('the schedule has not started');
      await pause(10);
    }
    times.push(Date.now() - due);
  }
  return times;
}

async function timesOfFiles(portal: BenchPortal, folder: string): Promise<number[]> {
  const { Trigger } = await add(portal, { Kind: 'File', Folder: 'Inbox', Pattern: 'bench-*.csv', FileInput: null });
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await writeFile(join(folder, `bench-${round}.csv`), `row ${round}\n`);
    times.push(await untilStarted(portal, Trigger.Id, round + 1));
  }
  return times;
}

async function timesOfEnds(portal: BenchPortal, source: Activity): Promise<number[]> {
  const { Trigger } = await add(portal, {
    Kind: 'Ended',
    Source: 'Activity',
    SourceId: source.Id,
    Outcomes: ['Succeeded'],
  });
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await portal.call('POST', '/api/activities/start', startOf(source));
    times.push(await untilStarted(portal, Trigger.Id, round + 1));
  }
  return times;
}

async function timesOfCalls(portal: BenchPortal): Promise<number[]> {
  const { Trigger, Secret } = await add(portal, { Kind: 'Webhook', Scheme: 'Standard' });
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const body = JSON.stringify({ round });
    const headers = { 'content-type': 'application/json', ...signedHeaders([Secret!], `msg_${round}`, body) };
    const since = performance.now();
    const answer = await fetch(portal.address + Trigger.Address!, { method: 'POST', body, headers });
    if (answer.status !== 202) throw new Error(`the call was answered with status ${answer.status}`);
    times.push(performance.now() - since);
  }
  return times;
}
