/**
 * The file store is full, slow, rejects calls or is unreachable, and the server may not open more files. No run is
 * lost, and the server recovers automatically.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createS3FileStore } from '#server/files/s3/s3-store.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { startFaultyS3Peer, type FaultyS3Peer } from '#test/support/peers/faulty-s3.ts';
import { startS3Peer } from '#test/support/peers/s3.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { STALL_TIMEOUT_MS } from '#test/support/until.ts';
import { administratorToken } from './administrator-token.ts';
import { checkRuns, untilNothingPending } from './check-runs.ts';
import {
  cleanUp,
  countSucceeded,
  ENDLESS_LEASE,
  eventually,
  fillDisk,
  launch,
  mountSmallDisk,
  publish,
  temporaryDatabase,
  temporaryFolder,
  TEST_TIMEOUT_MS,
  untilMoreSucceeded,
} from './fault-bench.ts';
import { doublingWorkbook, startLoad, type Load } from './load.ts';
import { portalClient, type PortalClient } from './portal-client.ts';
import type { ServerProcess } from './server-process.ts';

const execute = promisify(execFile);
const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());

const FULL = 'The file storage is full. Please tell an administrator.';
const MISSING = 'The folder of the file storage is missing or not mounted. Please tell an administrator.';
const AWAY = 'The file storage does not respond. Please try again in a moment.';

interface Portal {
  server: ServerProcess;
  database: TestDatabase;
  client: PortalClient;
  activities: { Id: number; inputId: number }[];
  /** Tries to publish a workbook and returns the response. */
  upload(): Promise<{ status: number; message: string | undefined }>;
  post(path: string): Promise<Response>;
}

async function startPortal(settings: Record<string, string>): Promise<Portal> {
  const database = await temporaryDatabase();
  const server = launch('portal', { RUNSHEET_DATABASE_URL: database.url, ...settings });
  await server.start();
  const { token } = await administratorToken(database);
  const client = portalClient(() => server.address, token);
  const headers = { authorization: `Bearer ${token}` };
  const post: Portal['post'] = (path) => fetch(`${server.address}${path}`, { method: 'POST', headers });
  let count = 0;
  return {
    server,
    database,
    client,
    activities: await publish(client, true),
    post,
    upload: async () => {
      const form = new FormData();
      const fields = { Id: '0', Schema: 'General', Name: `Another ${(count += 1)}`, SingleRun: 'false' };
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set('file', new Blob([new Uint8Array(await doublingWorkbook())]), 'double.xlsx');
      const answer = await fetch(`${server.address}/api/activities/create`, { method: 'POST', body: form, headers });
      return { status: answer.status, message: ((await answer.json()) as { Message?: string }).Message };
    },
  };
}

/** Returns the number of succeeded runs from the database. */
const succeeded = ({ database: { knex } }: Portal): Promise<number> => countSucceeded(knex);

const untilMore = (load: Load, portal: Portal, runs: number): Promise<void> =>
  untilMoreSucceeded(load, () => succeeded(portal), runs);

/**
 * Returns the number of acknowledged runs by status; 'lost' if the database has no such run. Expects that each start
 * created only one run.
 */
async function endings({ database: { knex } }: Portal, load: Load): Promise<Record<string, number>> {
  const rows = (await knex('ActivityRuns').select('Id', 'UniqueId', 'Status')) as {
    Id: number;
    UniqueId: string;
    Status: string;
  }[];
  expect(new Set(rows.map(({ UniqueId }) => UniqueId)).size).toBe(rows.length);
  const statuses = new Map(rows.map(({ Id, Status }) => [Id, Status]));
  const counts: Record<string, number> = {};
  for (const { Id } of load.acknowledged.values()) {
    const status = statuses.get(Id) ?? 'lost';
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

test(
  `a disk that is full ends runs with a clear text, keeps nothing by halves, and they can be retried (seed ${random.seed})`,
  async (context) => {
    const dataDir = await temporaryFolder();
    const files = join(dataDir, 'files');
    await mkdir(files);
    await mountSmallDisk(context, files, 40);
    const portal = await startPortal({ ...ENDLESS_LEASE, RUNSHEET_DATA_DIR: dataDir });
    const { client, database } = portal;
    const { knex } = database;
    const load = startLoad(client, portal.activities, random, 3);
    await untilMore(load, portal, 5);

    const ballast = join(files, 'ballast');
    const fill = (): Promise<void> => fillDisk(files, ballast);
    const failed = () => knex('ActivityRuns').where({ Status: 'InternalError' }).pluck('Id') as Promise<number[]>;
    await eventually('runs find no room', async () => {
      await fill();
      return (await failed()).length >= 3;
    });
    await eventually('an upload finds none', async () => {
      await fill();
      const { status, message } = await portal.upload();
      return status === 507 && message === FULL;
    });
    await rm(ballast);
    // It recovers without intervention.
    await eventually('an upload finds room', async () => (await portal.upload()).status === 200);
    await untilMore(load, portal, 5);
    await load.stop();
    await untilNothingPending(knex);

    const runs = await failed();
    const lines = await knex('RunLogEntries')
      .whereIn('ActivityRunId', runs)
      .where({ Message: FULL })
      .pluck('ActivityRunId');
    expect(new Set(lines)).toEqual(new Set(runs));
    expect(await knex('RunOutputs').whereIn('ActivityRunId', runs)).toEqual([]);
    const counts = await endings(portal, load);
    expect(
      Object.keys(counts).filter((status) => !['Succeeded', 'Cancelled', 'InternalError'].includes(status)),
    ).toEqual([]);
    const before = await succeeded(portal);
    for (const run of runs) expect((await portal.post(`/api/activities/retry/${run}`)).status).toBe(200);
    await untilNothingPending(knex);
    expect(await succeeded(portal)).toBe(before + runs.length);
    // The store contains exactly the files that rows refer to.
    const stored = (await readdir(files, { recursive: true })).flatMap((path) =>
      /\/[0-9a-f]{48}$/.test(path) ? [path.slice(3)] : [],
    );
    expect(stored.toSorted()).toEqual(((await knex('StoredFiles').pluck('StoreKey')) as string[]).toSorted());
    process.stdout.write(`seed ${random.seed}: ${JSON.stringify(counts)}\n`);
  },
  TEST_TIMEOUT_MS,
);

test(
  `a share of files that is not mounted for a while costs no run, and nothing is written in its place (seed ${random.seed})`,
  async () => {
    const dataDir = await temporaryFolder();
    const [files, share] = [join(dataDir, 'files'), join(dataDir, 'share')];
    const portal = await startPortal({ ...ENDLESS_LEASE, RUNSHEET_DATA_DIR: dataDir });
    const { knex } = portal.database;
    const load = startLoad(portal.client, portal.activities, random, 3);
    await untilMore(load, portal, 5);
    await rename(files, share);
    await mkdir(files);
    await eventually('the portal is not ready', async () => {
      const answer = await fetch(`${portal.server.address}/api/health/ready`);
      return answer.status === 503 && (await answer.text()).includes(MISSING);
    });
    // The server rejects many uploads while runs in progress wait and others stay in the queue.
    for (let uploads = 0; uploads < 50; uploads++) {
      const { status, message } = await portal.upload();
      expect([status, message]).toEqual([503, MISSING]);
    }
    expect(await readdir(files)).toEqual([]);
    await rm(files, { recursive: true });
    await rename(share, files);
    await untilMore(load, portal, 5);
    await load.stop();
    await untilNothingPending(knex);
    const counts = await checkRuns(knex, { acknowledged: load.acknowledged, endedBefore: new Map(), files });
    expect(counts['Abandoned']).toBeUndefined();
    process.stdout.write(`seed ${random.seed}: ${JSON.stringify(counts)}\n`);
  },
  TEST_TIMEOUT_MS,
);

test(
  `a store by S3 that is slow, refuses, tears files or is away costs no run (seed ${random.seed})`,
  async () => {
    const behind = await startS3Peer();
    cleanUp(() => behind.stop());
    const faulty: FaultyS3Peer = await startFaultyS3Peer(behind.settings);
    cleanUp(() => faulty.stop());
    const { settings } = faulty;
    const portal = await startPortal({
      ...ENDLESS_LEASE,
      RUNSHEET_DATA_DIR: await temporaryFolder(),
      RUNSHEET_S3_ENDPOINT: settings.endpoint,
      RUNSHEET_S3_BUCKET: settings.bucket,
      RUNSHEET_S3_PREFIX: settings.prefix,
      RUNSHEET_S3_PATH_STYLE: 'true',
      RUNSHEET_S3_ACCESS_KEY_ID: settings.credentials!.accessKeyId,
      RUNSHEET_S3_SECRET_ACCESS_KEY: settings.credentials!.secretAccessKey,
    });
    const { knex } = portal.database;
    const load = startLoad(portal.client, portal.activities, random, 3);
    const met = async (what: string, change: Partial<FaultyS3Peer>, back: Partial<FaultyS3Peer>): Promise<void> => {
      const before = faulty.faults;
      Object.assign(faulty, change);
      await untilMore(load, portal, 4);
      await eventually(`calls have met that it ${what}`, async () => faulty.faults > before);
      Object.assign(faulty, back);
    };
    await untilMore(load, portal, 3);
    await met('is slow', { delay: 200 }, { delay: 0 });
    await met('refuses', { refused: 40 }, { refused: 0 });

    // The workbook is read for the first time, in three responses, two of which end in the middle.
    const fields = { Id: '0', Schema: 'General', Name: 'Torn', SingleRun: 'false' };
    const Id = await portal.client.upload(fields, 'double.xlsx', await doublingWorkbook());
    const inputId = await portal.client.inputId(Id);
    faulty.torn = 2;
    const run = await portal.client.start(Id, randomUUID(), inputId, 4, AbortSignal.timeout(STALL_TIMEOUT_MS));
    await eventually('it has succeeded', () =>
      knex('ActivityRuns').where({ Id: run, Status: 'Succeeded' }).first('Id'),
    );
    expect(faulty.torn).toBe(0);

    // The store is unreachable: finished runs wait with their results, others stay in the queue, and users get an error
    // message.
    faulty.isAway = true;
    await eventually('the portal is not ready', async () => {
      const answer = await fetch(`${portal.server.address}/api/health/ready`);
      return answer.status === 503 && (await answer.text()).includes(AWAY);
    });
    await eventually('an upload is told', async () => {
      const { status, message } = await portal.upload();
      return status === 503 && message === AWAY;
    });
    const before = faulty.faults;
    await eventually('runs have tried again', async () => faulty.faults > before + 12);
    faulty.isAway = false;
    await untilMore(load, portal, 5);
    await load.stop();
    await untilNothingPending(knex);

    const store = await createS3FileStore(behind.settings);
    const counts = await checkRuns(knex, {
      acknowledged: load.acknowledged,
      endedBefore: new Map(),
      files: store,
    });
    store.close();
    expect(counts['Succeeded']).toBeGreaterThan(10);
    expect(counts['Abandoned']).toBeUndefined();
    process.stdout.write(`seed ${random.seed}: ${JSON.stringify(counts)}\n`);
  },
  TEST_TIMEOUT_MS,
);

test(
  `a server that has too many files open continues when it may open files again, and has lost nothing (seed ${random.seed})`,
  async (context) => {
    context.skip(process.platform !== 'linux', 'limits of another process are set by prlimit');
    const portal = await startPortal({ RUNSHEET_DATA_DIR: await temporaryFolder() });
    const { server, database } = portal;
    const limit = async (files: number): Promise<void> =>
      void (await execute('prlimit', ['--pid', String(server.pid), `--nofile=${files}:`]));
    const load = startLoad(portal.client, portal.activities, random, 3);
    await untilMore(load, portal, 5);

    const open = (await readdir(`/proc/${server.pid}/fd`)).length;
    await limit(open + 2);
    const address = new URL(server.address!);
    const idle: Socket[] = Array.from({ length: 60 }, () =>
      connect(Number(address.port), address.hostname).on('error', () => {}),
    );
    cleanUp(async () => idle.forEach((socket) => socket.destroy()));
    // Every call is affected now: an upload is rejected, or gets no connection.
    const upload = (): Promise<string> =>
      portal.upload().then(
        ({ status }) => String(status),
        () => 'no connection',
      );
    await eventually('an upload fails', async () => (await upload()) !== '200');
    await eventually('another does', async () => (await upload()) !== '200');
    await limit(20_000);
    for (const socket of idle) socket.destroy();
    await eventually('an upload succeeds', async () => (await upload()) === '200');
    await untilMore(load, portal, 5);
    await load.stop();
    await untilNothingPending(database.knex);
    const counts = await endings(portal, load);
    expect(counts['lost']).toBeUndefined();
    const allowed = ['Succeeded', 'Cancelled', 'InternalError', 'Abandoned'];
    expect(Object.keys(counts).filter((status) => !allowed.includes(status))).toEqual([]);
    expect(counts['Succeeded']).toBeGreaterThan(9);
    process.stdout.write(`seed ${random.seed}: ${JSON.stringify(counts)}\n`);
  },
  TEST_TIMEOUT_MS,
);
