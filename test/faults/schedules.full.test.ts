/**
 * Several servers on one database, all of which dispatch schedules, are killed around due occurrences. The test moves
 * the database's time from one occurrence to the next, and over both daylight saving changes. `npm run test:faults`;
 * RUNSHEET_FAULT_SEED repeats a run. The full set and RUNSHEET_FAULT_DAYS=all use more servers, days and kills.
 */
import { expect, test } from 'vitest';
import { createDatabase, type Database } from '#server/db/database.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { isFullSet } from '#test/support/test-set.ts';
import { untilProgress } from '#test/support/until.ts';
import { administratorToken } from './administrator-token.ts';
import { attemptsOf, checkSchedule, mayBeRetried } from './check-schedules.ts';
import { checkDeliveries, makeWebhook, untilDelivered } from './check-deliveries.ts';
import { checkChecklist, isChecklistOpen, scheduledChecklist } from './check-scheduled-checklist.ts';
import {
  checkAdditionalSchedules,
  isAdditionalScheduleDue,
  createAdditionalSchedules,
} from './check-additional-schedules.ts';
import { cleanUp, eventually, launch, temporaryDatabase, temporaryFolder, TEST_TIMEOUT_MS } from './fault-bench.ts';
import { moveClockOf, type MovedClock } from './moved-clock.ts';
import { portalClient } from './portal-client.ts';
import type { ServerProcess } from './server-process.ts';
import { killAndRestart } from './two-servers.ts';

const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());
const isNight = isFullSet || process.env['RUNSHEET_FAULT_DAYS'] === 'all';
const HALF_PAST_TWO = 2.5 / 24;
const RETRY_MINUTES = 1;
/** Pause between two measurements; measuring constantly would slow down the servers. */
const pauseMs = 50;

interface Site {
  database: Database;
  clock: MovedClock;
  servers: ServerProcess[];
}

async function openSite(): Promise<Site> {
  const made = await temporaryDatabase();
  const clock = await moveClockOf(made.knex);
  // Its connections use the moved time, like those of the servers.
  const database = createDatabase({ url: made.url });
  cleanUp(() => database.close());
  const settings = {
    RUNSHEET_DATA_DIR: await temporaryFolder(),
    RUNSHEET_TIME_ZONE: 'Europe/Berlin',
    RUNSHEET_WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.1',
  };
  const servers = ['both', 'worker', 'worker'].slice(0, isNight ? 3 : 2).map((role, index) => {
    const name = `${role}-${index}`;
    // The database identifies connections by the name of the server.
    const named = new URL(made.url);
    named.searchParams.set('application_name', name);
    const url = named.href;
    const databases = { RUNSHEET_DATABASE_URL: url, RUNSHEET_CONNECTIONS: JSON.stringify({ Slow: { url } }) };
    return launch(name, { ...settings, ...databases, RUNSHEET_ROLE: role });
  });
  return { database, clock, servers };
}

/** Takes a moment, to be killed in the middle; then it succeeds or fails. */
const slowWorkbook = (succeeds: boolean): Promise<Buffer> =>
  buildWorkbook({
    sheets: [
      {
        name: 'S',
        cells: { A1: { value: succeeds }, C1: 'Waited' },
        tables: [{ name: 'Waits', ref: 'C1:C2', columns: ['Waited'] }],
      },
      stepSheet([
        {
          Step: 'Wait',
          Action: 'Query',
          Connection: 'Slow',
          Table: 'Waits',
          Query: `select pg_sleep(0.8)::text as "Waited"`,
        },
        { Step: 'Decide', Action: 'Check', Cell: 'S!A1', Message: 'No' },
      ]),
    ],
    names: { out_Said: 'S!$A$1' },
  });

function upload(site: Site, { token }: { token: string }, name: string, workbook: Buffer): Promise<number> {
  const fields = { Id: '0', Schema: 'General', Name: name, SingleRun: 'false' };
  return portalClient(() => site.servers[0]!.address!, token).upload(fields, 'Book.xlsx', workbook);
}

const quickWorkbook = (): Promise<Buffer> =>
  buildWorkbook({ sheets: [{ name: 'S', cells: { A1: 1 } }], names: { out_One: 'S!$A$1' } });

/** Uploads an activity, schedules it daily at half past two, and returns its Id. */
async function schedule(site: Site, by: { UserId: number; token: string }, plan: { fails?: boolean; retries: number }) {
  const address = site.servers[0]!.address!;
  const ActivityId = await upload(site, by, `Retries ${plan.retries}`, await slowWorkbook(!plan.fails));
  const text = JSON.stringify({
    ScheduleType: 'Daily',
    TimeOfDay: HALF_PAST_TWO,
    RetryCount: plan.retries,
    RetryInterval: plan.retries > 0 ? RETRY_MINUTES : 0,
  });
  const answer = await fetch(`${address}/api/activities/schedule`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ActivityId, UserId: by.UserId, Schedule: text }),
  });
  expect(answer.status, await answer.text()).toBe(200);
  return ActivityId;
}

/** Slows down statements that take only a millisecond: a kill can then hit their open transaction. */
async function slowDown({ knex }: Database): Promise<void> {
  await knex.raw(`create function slow() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.2); return new; end $$`);
  await knex.raw('create trigger slow before insert on "ScheduledRuns" for each statement execute function slow()');
  await knex.raw('create trigger slow before insert on "TimetableSlots" for each statement execute function slow()');
  await knex.raw(`create trigger slow before update on "ActivityRuns" for each row
    when (old."Status" = 'Queued' and new."Status" = 'PickedUp') execute function slow()`);
}

/** Returns the server that is executing such a statement. */
function whoIsAt({ database, servers }: Site, statement: string): Promise<ServerProcess> {
  return eventually(`${statement} is under way`, async () => {
    const { rows } = (await database.knex.raw(
      `select application_name as name from pg_stat_activity
       where wait_event = 'PgSleep' and datname = current_database() and query ilike ?`,
      [`%${statement}%`],
    )) as { rows: { name: string }[] };
    return servers.find(({ name }) => name === rows[0]?.name);
  });
}

/** Waits for a time that is worth a kill and returns the servers to kill. */
type KillTime = (site: Site) => Promise<ServerProcess[]>;

const KILL_TIMES = {
  'before anything is started': ({ servers }) => Promise.resolve(servers),
  'while the run is put into the queue': async (site) => [await whoIsAt(site, 'insert into "ScheduledRuns"')],
  'while the run is claimed': async (site) => [await whoIsAt(site, 'update "ActivityRuns"')],
  'in the middle of the run': async (site) => [await whoIsAt(site, 'from runsheet_rows')],
  'while what became of a moment is stored': async (site) => [await whoIsAt(site, 'insert into "TimetableSlots"')],
  'while a retry waits': async ({ database: { knex }, servers }) => {
    await untilProgress(
      'a retry waits',
      () => attemptsOf(knex),
      (attempts) => attempts.some((one) => one.EndTime && !one.SettledTime && mayBeRetried(one)),
    );
    return servers;
  },
} satisfies Record<string, KillTime>;

/** Moves the clock past the waits of retries, until the schedules have nothing left to do. */
async function untilSettled({ database: { knex }, clock }: Site): Promise<void> {
  let waitedFor = 0;
  const measure = async () => {
    const attempts = await attemptsOf(knex);
    const now = await clock.now();
    const isDue =
      (await isAdditionalScheduleDue(knex, now)) ||
      (await isChecklistOpen(knex, now)) ||
      (await knex('ActivitySchedules').where('NextTime', '<=', now).first('ActivityId')) !== undefined;
    const open = attempts.filter(({ SettledTime }) => SettledTime === null);
    const isRunning = isDue || open.some(({ Status }) => isPending(Status));
    const last = Math.max(0, ...open.filter(mayBeRetried).map(({ ActivityRunId }) => ActivityRunId));
    if (!isRunning && last > waitedFor) {
      waitedFor = last;
      const ends = open.map(({ EndTime }) => EndTime!.getTime());
      await clock.moveTo(new Date(Math.max(...ends) + RETRY_MINUTES * 60_000 + 500));
    }
    return { isRunning, attempts: attempts.map(({ Status }) => Status), open: open.length };
  };
  await untilProgress('all is settled', measure, ({ isRunning, open }) => !isRunning && open === 0, { pauseMs });
}

interface Day {
  /** The occurrence of the daily schedules on this day, and their next one. */
  occurrence: string;
  next: string;
  /** Servers are killed at each of these times and restarted after the last one. */
  kills: readonly (keyof typeof KILL_TIMES)[];
  /** Replaces `kills` if only few servers are killed. */
  fewKills?: readonly (keyof typeof KILL_TIMES)[];
  /** Set if days before it are skipped: occurrences missed on them are due once, late. */
  after?: string;
  isForNights?: true;
}

/** On March 28, 02:30 does not exist; on October 31, it occurs twice. */
const ALL_DAYS: readonly Day[] = [
  {
    occurrence: '2027-03-27T01:30:00.000Z',
    next: '2027-03-28T01:30:00.000Z',
    kills: ['before anything is started'],
    isForNights: true,
  },
  {
    occurrence: '2027-03-28T01:30:00.000Z',
    next: '2027-03-29T00:30:00.000Z',
    kills: ['while the run is put into the queue', 'in the middle of the run'],
  },
  {
    occurrence: '2027-03-29T00:30:00.000Z',
    next: '2027-03-30T00:30:00.000Z',
    kills: ['in the middle of the run'],
    isForNights: true,
  },
  {
    occurrence: '2027-10-31T00:30:00.000Z',
    next: '2027-11-01T01:30:00.000Z',
    kills: ['while the run is claimed', 'while a retry waits'],
    fewKills: [],
    after: '2027-10-30T12:00:00Z',
  },
  {
    occurrence: '2027-11-01T01:30:00.000Z',
    next: '2027-11-02T01:30:00.000Z',
    kills: ['while a retry waits'],
    isForNights: true,
  },
  {
    occurrence: '2028-02-28T01:30:00.000Z',
    next: '2028-02-29T01:30:00.000Z',
    kills: ['while what became of a moment is stored'],
    fewKills: [],
    after: '2028-02-27T12:00:00Z',
  },
  { occurrence: '2028-02-29T01:30:00.000Z', next: '2028-03-01T01:30:00.000Z', kills: ['before anything is started'] },
];

const DAYS: readonly Day[] = isNight
  ? ALL_DAYS
  : ALL_DAYS.filter(({ isForNights }) => !isForNights).map((day) => ({ ...day, kills: day.fewKills ?? day.kills }));

/** Kills servers at one time after another while the others continue; then restarts all. */
async function killOn(site: Site, { kills }: Day): Promise<void> {
  const victims = new Set<ServerProcess>();
  for (const killTime of kills) {
    for (const server of await KILL_TIMES[killTime](site)) {
      victims.add(server);
      await server.kill();
    }
  }
  await Promise.all([...victims].map((server) => killAndRestart(server, random)));
}

test(
  `moments that are due start once, whenever servers are killed (seed ${random.seed})`,
  async () => {
    const site = await openSite();
    const { database, clock, servers } = site;
    await clock.moveTo(new Date(Date.parse(DAYS[0]!.occurrence) - 13 * 3_600_000));
    await Promise.all(servers.map((server) => server.start()));
    const administrator = await administratorToken(database);
    const works = await schedule(site, administrator, { retries: 3 });
    const once = await schedule(site, administrator, { retries: 0 });
    const fails = await schedule(site, administrator, { retries: 1, fails: true });
    const scheduledActivity = await upload(site, administrator, 'Further', await quickWorkbook());
    const [address, token] = [servers[0]!.address!, administrator.token];
    await createAdditionalSchedules(address, token, scheduledActivity);
    const member = await upload(site, administrator, 'Member', await quickWorkbook());
    const checklist = await scheduledChecklist({ address, ...administrator }, member, HALF_PAST_TWO);
    const receiver = await makeWebhook(address, token, scheduledActivity);
    cleanUp(() => receiver.stop());
    await slowDown(database);

    const occurrences: string[] = [];
    for (const [index, day] of DAYS.entries()) {
      if (day.after !== undefined) {
        // Deliveries that have not arrived within days are abandoned.
        await untilDelivered(database.knex, clock, receiver, scheduledActivity);
        await clock.moveTo(new Date(day.after));
        occurrences.push(DAYS[index - 1]!.next);
        await untilSettled(site);
      }
      occurrences.push(day.occurrence);
      // Processes everything due in the hours between.
      await clock.moveTo(new Date(Date.parse(day.occurrence) - 1_800_000));
      await untilSettled(site);
      receiver.answer = random.pick([200, 503, null]);
      const isKilledBefore = day.kills.includes('before anything is started');
      if (isKilledBefore) await Promise.all(servers.map((server) => server.kill()));
      await clock.moveTo(new Date(Date.parse(day.occurrence) + random.between(-300, 0)));
      await killOn(site, day);
      await untilSettled(site);
    }

    const ended = [
      await checkSchedule(database.knex, works, { occurrences, mayEndAs: ['Succeeded', 'Abandoned'] }),
      await checkSchedule(database.knex, once, { occurrences, mayEndAs: ['Succeeded', 'Abandoned'] }),
      await checkSchedule(database.knex, fails, { occurrences, mayEndAs: ['Failed', 'Abandoned'] }),
    ];
    await checkAdditionalSchedules(database.knex, scheduledActivity, isNight);
    await checkChecklist(database.knex, checklist, occurrences);
    await untilDelivered(database.knex, clock, receiver, scheduledActivity);
    const { repeats } = await checkDeliveries(database.knex, receiver, scheduledActivity);
    // The kills have hit something.
    expect(ended.flat(2)).toContain('Abandoned');
    process.stdout.write(`seed ${random.seed}: ${JSON.stringify(ended)}, ${repeats} deliveries repeated\n`);
  },
  TEST_TIMEOUT_MS,
);
