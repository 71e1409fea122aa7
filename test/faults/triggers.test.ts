/**
 * Files arrive in a folder while the servers that look at it are killed again and again: each starts one run. `npm run test:faults`;
 * RUNSHEET_FAULT_SEED repeats a run.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, onTestFailed, test } from 'vitest';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { testDatabase } from '#test/support/database.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { until } from '#test/support/until.ts';
import { administratorToken } from './administrator-token.ts';
import { portalClient } from './portal-client.ts';
import { serverProcess } from './server-process.ts';

const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());
const PATIENCE_MS = 120_000;
const ROUNDS = 5;
const FILES = 6;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

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

test(`each file starts one run, whenever servers are killed (seed ${random.seed})`, async () => {
  const made = await testDatabase();
  cleanups.push(() => made.drop());
  const { knex } = made;
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-faults-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const inbox = join(folder, 'inbox');
  await mkdir(inbox);
  const settings = {
    RUNSHEET_DATA_DIR: folder,
    RUNSHEET_DATABASE_URL: made.url,
    RUNSHEET_ADMIN_PASSWORD: 'Correct-Horse-7',
    RUNSHEET_SAMPLES: 'false',
    RUNSHEET_LEASE_SECONDS: '2',
    RUNSHEET_LOG_LEVEL: 'warn',
    RUNSHEET_WORKER_THREADS: '1',
    RUNSHEET_STATIC_FOLDERS: `Inbox=${inbox}`,
  };
  const servers = ['both', 'worker'].map((role) => serverProcess(role, { ...settings, RUNSHEET_ROLE: role }));
  for (const server of servers) {
    cleanups.push(() => server.kill());
    onTestFailed(() => void process.stderr.write(`${server.name}:\n${server.lines().slice(-15).join('\n')}\n`));
  }
  await Promise.all(servers.map((server) => server.start()));
  const { token } = await administratorToken(made);
  const client = portalClient(() => servers[0]!.address, token);
  const fields = { Id: '0', Schema: 'General', Name: 'Take', SingleRun: 'false' };
  const OwnerId = await client.upload(fields, 'Take.xlsx', await workbook());
  const answer = await fetch(`${servers[0]!.address}/api/activities/triggers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      Id: 0,
      OwnerId,
      Name: 'Files',
      Plan: { Kind: 'File', Folder: 'Inbox', Pattern: '*.csv', FileInput: 'File' },
      Inputs: [{ Name: 'Called', Value: null, RelativeDate: null, From: 'name' }],
      TimeZone: 'UTC',
      Overlap: 'Start',
    }),
  });
  expect(answer.status, await answer.text()).toBe(200);
  // What is over in a millisecond takes long enough for a kill to meet its transaction while it is open.
  await knex.raw(`create function slow() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.1); return new; end $$`);
  for (const [table, when] of [
    ['TriggerFiles', 'insert'],
    ['TriggerEvents', 'insert or update'],
    ['RunInputs', 'insert'],
  ])
    await knex.raw(`create trigger slow before ${when} on "${table}" for each row execute function slow()`);

  const names: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let file = 0; file < FILES; file += 1) {
      const name = `${round}-${file}.csv`;
      names.push(name);
      await writeFile(join(inbox, name), `row,${name}\n`);
      await pause(random.between(0, 250));
    }
    const victim = random.pick(servers);
    await pause(random.between(0, 1500));
    await victim.kill();
    await pause(random.between(0, 300));
    await victim.start();
  }
  const started = async (): Promise<string[]> =>
    (await knex('RunInputs as V')
      .join('ActivityRuns as R', 'R.Id', 'V.ActivityRunId')
      .where('R.ActivityId', OwnerId)
      .whereNotNull('V.FileName')
      .orderBy('R.Id')
      .pluck('V.FileName')) as string[];
  await until('all files have come', async () => new Set(await started()).size === names.length, PATIENCE_MS);
  await until(
    'nothing waits',
    async () => !(await knex('TriggerEvents').where('Outcome', 'Waiting').first('Id')),
    PATIENCE_MS,
  );
  // Time for one that would come twice.
  for (const server of servers) {
    await server.stop();
    await server.start();
  }
  await writeFile(join(inbox, 'last.csv'), 'the end\n');
  await until('the last one has come', async () => (await started()).includes('last.csv'), PATIENCE_MS);
  expect((await started()).toSorted()).toEqual([...names, 'last.csv'].toSorted());
}, 240_000);
