/**
 * Files arrive, runs end, programs call and rows are added, while the servers that poll for them are repeatedly killed:
 * each event starts one run.
 * `npm run test:faults`; RUNSHEET_FAULT_SEED repeats a run, RUNSHEET_FAULT_ROUNDS sets the number of rounds.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { whereStatus } from '#server/db/where-status.ts';
import { signedHeaders } from '#server/automation/deliveries/signature.ts';
import { PENDING_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';
import type { SavedTrigger, TriggerUpdate } from '#shared/contract/triggers.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { untilProgress } from '#test/support/until.ts';
import { postTo } from './check-additional-schedules.ts';
import { eventually, temporaryDatabase, temporaryFolder, TEST_TIMEOUT_MS } from './fault-bench.ts';
import { killAndRestart, twoServers } from './two-servers.ts';

const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());
const ROUNDS = Number(process.env['RUNSHEET_FAULT_ROUNDS']) || 6;
const FILES = 4;
const CALLS = 2;
const ROWS = 2;

/**
 * On SQL Server, a table with a trigger does not accept an INSERT with OUTPUT (Microsoft, OUTPUT clause, 'Triggers'),
 * which the portal uses. Statements cannot be slowed down there; kills happen at arbitrary times.
 */
const onSqlServer = process.env['RUNSHEET_TEST_DATABASE_URL']?.startsWith('mssql:') === true;

const workbook = (): Promise<Buffer> =>
  buildWorkbook({
    sheets: [
      { name: 'S', cells: { A1: '', B1: '', C1: { formula: 'B1', value: '' } } },
      {
        name: 'Portal',
        cells: { A1: 'Name', B1: 'CellUsages', A2: 'File', B2: 'FilePath', A3: 'Called', B3: 'Text' },
        tables: [{ name: 'PortalInputs', ref: 'A1:B3', columns: ['Name', 'CellUsages'] }],
      },
    ],
    names: { in_File: 'S!$A$1', in_Called: 'S!$B$1', out_Said: 'S!$C$1' },
  });

/** Slows down statements that take only a millisecond: a kill can then hit their open transaction. */
async function slowDown(knex: Knex): Promise<void> {
  await knex.raw(`create function slow() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.1); return new; end $$`);
  for (const [table, when] of [
    ['TriggerFiles', 'insert'],
    ['TriggerEvents', 'insert or update'],
    ['RunInputs', 'insert'],
  ])
    await knex.raw(`create trigger slow before ${when} on "${table}" for each statement execute function slow()`);
}

const plainWorkbook = (): Promise<Buffer> =>
  buildWorkbook({ sheets: [{ name: 'S', cells: { A1: 1 } }], names: { out_One: 'S!$A$1' } });

/** Repeats a call with the same id, like a program that gets no response. Returns the run started by the call. */
async function callUntilTaken(
  address: () => string | null,
  { Trigger, Secret }: SavedTrigger,
  id: string,
): Promise<number> {
  const body = JSON.stringify({ id });
  for (;;) {
    const headers = { 'content-type': 'application/json', ...signedHeaders([Secret!], id, body) };
    const init = { method: 'POST', body, headers, signal: AbortSignal.timeout(120_000) };
    const answer = await fetch(`${address() ?? 'http://127.0.0.1:9'}${Trigger.Address!}`, init).catch(() => null);
    if (answer?.status === 202) {
      const { result } = (await answer.json()) as { result: { Outcome: string; RunId: number | null } };
      if (result.Outcome === 'Started' && result.RunId !== null) return result.RunId;
    }
    await pause(200);
  }
}

test(
  `each file, end, call and row starts one run, whenever servers are killed (seed ${random.seed})`,
  async () => {
    const database = await temporaryDatabase();
    const { knex } = database;
    const inbox = await temporaryFolder();
    const settings = {
      RUNSHEET_STATIC_FOLDERS: `Inbox=${inbox}`,
      RUNSHEET_CONNECTIONS: JSON.stringify({ Shop: { url: database.url } }),
    };
    const { portal, worker, client, token } = await twoServers(settings, { database });
    const uploaded = async (Name: string, book: Buffer): Promise<number> =>
      client.upload({ Id: '0', Schema: 'General', Name, SingleRun: 'false' }, `${Name}.xlsx`, book);
    const OwnerId = await uploaded('Take', await workbook());
    const [afterEnd, called, forRow] = [
      await uploaded('After', await plainWorkbook()),
      await uploaded('Called', await plainWorkbook()),
      await uploaded('Row', await plainWorkbook()),
    ];
    await knex.schema.createTable('Shop', (t) => void t.integer('Key').primary());
    const post = postTo(portal.address!, token);
    const save = (owner: number, Plan: TriggerUpdate['Plan'], Inputs: TriggerUpdate['Inputs'] = []) =>
      post<SavedTrigger>('/api/activities/triggers', {
        Id: 0,
        OwnerId: owner,
        Name: Plan.Kind,
        Plan,
        Inputs,
        TimeZone: 'UTC',
        Overlap: 'Start',
      });
    const calledName = [{ Name: 'Called', Value: null, RelativeDate: null, From: 'name' }];
    await save(OwnerId, { Kind: 'File', Folder: 'Inbox', Pattern: '*.csv', FileInput: 'File' }, calledName);
    const Outcomes: RunStatus[] = ['Succeeded', 'Failed', 'Abandoned', 'InternalError'];
    await save(afterEnd, { Kind: 'Ended', Source: 'Activity', SourceId: OwnerId, Outcomes });
    const inbound = await save(called, { Kind: 'Webhook', Scheme: 'Standard' });
    const Sql = 'select "Key" from "Shop"';
    const { Trigger: query } = await save(forRow, {
      Kind: 'Query',
      Connection: 'Shop',
      Sql,
      Minutes: 1,
      When: 'NewKey',
    });
    /** Makes the query due at the next poll. */
    const ask = () =>
      knex('Triggers')
        .where('Id', query.Id)
        .update({ NextTime: new Date(0) });
    await eventually('the query was asked once', async () => {
      return (await knex('Triggers').where('Id', query.Id).whereNotNull('StateText').first('Id')) !== undefined;
    });
    if (!onSqlServer) await slowDown(knex);

    const names: string[] = [];
    const calls: Promise<number>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let at = 0; at < CALLS; at += 1)
        calls.push(callUntilTaken(() => portal.address, inbound, `msg_${round}_${at}`));
      await knex('Shop').insert(Array.from({ length: ROWS }, (_, at) => ({ Key: round * ROWS + at + 1 })));
      await ask();
      for (let file = 0; file < FILES; file += 1) {
        const name = `${round}-${file}.csv`;
        names.push(name);
        await writeFile(join(inbox, name), `row,${name}\n`);
        await pause(random.between(0, 250));
      }
      const victim = random.pick([portal, worker]);
      await pause(random.between(0, 1500));
      await killAndRestart(victim, random);
    }
    const started = async (): Promise<string[]> =>
      (await knex('RunInputs as V')
        .join('ActivityRuns as R', 'R.Id', 'V.ActivityRunId')
        .where('R.ActivityId', OwnerId)
        .whereNotNull('V.FileName')
        .orderBy('R.Id')
        .pluck('V.FileName')) as string[];
    await untilProgress(
      'all files have come',
      async () => new Set(await started()).size,
      (files) => files === names.length,
    );
    const answered = await Promise.all(calls);
    const untilNothingWaits = () =>
      untilProgress(
        'nothing waits',
        async () => {
          await ask();
          const waiting = (await knex('TriggerEvents').where('Outcome', 'Waiting').pluck('Id')) as number[];
          const pending = (await whereStatus(knex('ActivityRuns'), PENDING_STATUSES).pluck('Id')) as number[];
          const runs = await Promise.all([runsOf(OwnerId), runsOf(afterEnd), runsOf(forRow)]);
          return { waiting: waiting.length + pending.length, runs: runs.map((ids) => ids.length) };
        },
        ({ waiting, runs: [files = 0, ends = 0, rows = 0] }) => waiting === 0 && ends >= files && rows >= ROUNDS * ROWS,
      );
    const runsOf = async (ActivityId: number): Promise<number[]> =>
      (await knex('ActivityRuns').where({ ActivityId }).orderBy('Id').pluck('Id')) as number[];
    await untilNothingWaits();
    // If a restarted server mistook an event for a new one, it would start a second run.
    for (const server of [portal, worker]) {
      await server.stop();
      await server.start();
    }
    await writeFile(join(inbox, 'last.csv'), 'the end\n');
    await eventually('the last one has come', async () => (await started()).includes('last.csv'));
    await untilNothingWaits();
    expect((await started()).toSorted()).toEqual([...names, 'last.csv'].toSorted());
    // Each end of a run occurs once, by its number; each call has its own run; each row has a run.
    const subjects = (await knex('TriggerEvents as E')
      .join('Triggers as T', 'T.Id', 'E.TriggerId')
      .where({ 'T.ActivityId': afterEnd, 'E.Outcome': 'Started' })
      .pluck('E.ActivityRunId')) as (number | string)[];
    expect(subjects.map(Number).toSorted((a, b) => a - b)).toEqual(await runsOf(afterEnd));
    expect((await runsOf(afterEnd)).length).toBe((await runsOf(OwnerId)).length);
    expect(answered.toSorted((a, b) => a - b)).toEqual(await runsOf(called));
    expect((await runsOf(forRow)).length).toBe(ROUNDS * ROWS);
  },
  TEST_TIMEOUT_MS,
);
