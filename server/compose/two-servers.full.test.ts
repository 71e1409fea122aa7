/** Two servers with one database and one bucket: each finds what the other stores. */
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '#server/config/load-config.ts';
import { createSessionsService } from '#server/features/sessions/sessions-service.ts';
import { createUsersService } from '#server/features/users/users-service.ts';
import { startServer, type RunningServer } from './start-server.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { ActivityRun, StartResult } from '#shared/contract/runs.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { startS3Peer, type S3Peer } from '#test/support/peers/s3.ts';
import { until } from '#test/support/until.ts';
import { TEST_PASSWORD } from '#test/support/users.ts';

const SAMPLES = new URL('../../samples/files/', import.meta.url);
const log = pino({ level: 'silent' });

let database: TestDatabase;
let s3: S3Peer;
let folder: string;
let api: RunningServer;
let worker: RunningServer;
let headers: { authorization: string };

beforeAll(async () => {
  database = await testDatabase();
  s3 = await startS3Peer();
  folder = await mkdtemp(join(tmpdir(), 'runsheet-two-'));
  api = await server('api', { RUNSHEET_PORT: '0' });
  worker = await server('worker', {});
  headers = { authorization: `Bearer ${await administratorsToken()}` };
});
afterAll(async () => {
  await worker?.stop();
  await api?.stop();
  await s3.stop();
  await database.drop();
  await rm(folder, { recursive: true });
});

async function server(role: 'api' | 'worker', more: Record<string, string>): Promise<RunningServer> {
  const { endpoint, bucket, credentials } = s3.settings;
  const secretFile = join(folder, 'secret');
  await writeFile(secretFile, `${credentials!.secretAccessKey}\n`);
  const config = loadConfig({
    RUNSHEET_ROLE: role,
    RUNSHEET_DATABASE_URL: database.url,
    RUNSHEET_DATA_DIR: join(folder, role),
    RUNSHEET_S3_ENDPOINT: endpoint,
    RUNSHEET_S3_BUCKET: bucket,
    RUNSHEET_S3_PREFIX: '/runsheet/files/',
    RUNSHEET_S3_PATH_STYLE: 'true',
    RUNSHEET_S3_ACCESS_KEY_ID: credentials!.accessKeyId,
    RUNSHEET_S3_SECRET_ACCESS_KEY_FILE: secretFile,
    RUNSHEET_WORKER_THREADS: '1',
    ...more,
  });
  return startServer({ config, log, onAdministrator: () => {} });
}

async function administratorsToken(): Promise<string> {
  const person = { UserName: 'two', password: TEST_PASSWORD, IsUserAdmin: true };
  const userId = await createUsersService(database).createUser(person);
  const sessions = createSessionsService({ database, log, tokenMinutes: 30, inactivityMinutes: 30, sessionHours: 24 });
  return (await sessions.start(database.knex, userId, '127.0.0.1')).token;
}

const get = (path: string): Promise<Response> => fetch(`${api.address}/api/${path}`, { headers });

async function result<T>(answer: Promise<Response>): Promise<T> {
  const body = (await (await answer).json()) as { result?: T };
  expect(body).toHaveProperty('result');
  return body.result as T;
}

async function upload(inputId: number, name: string): Promise<string> {
  const form = new FormData();
  form.set('ActivityInputId', String(inputId));
  form.set('file', new Blob([await readFile(new URL(name, SAMPLES))]), name);
  const answer = await fetch(`${api.address}/api/files/upload`, { method: 'POST', body: form, headers });
  return ((await answer.json()) as { Items: { Id: string }[] }).Items[0]!.Id;
}

async function sample(name: string): Promise<Activity> {
  const { Activities } = await result<{ Activities: { Id: number; Name: string }[] }>(get('activities'));
  return result(get(`activities/details/${Activities.find((one) => one.Name === name)!.Id}`));
}

async function start({ Id, Version }: Activity, Inputs: object[]): Promise<number> {
  const body = JSON.stringify({ ActivityId: Id, ActivityVersion: Version, UniqueId: null, Inputs });
  const started = fetch(`${api.address}/api/activities/start`, {
    method: 'POST',
    body,
    headers: { ...headers, 'content-type': 'application/json' },
  });
  return (await result<StartResult>(started)).Id;
}

test('a sample runs on one server with files that were uploaded to the other, which offers the result for download', async () => {
  const activity = await sample('Invoice reconciliation');
  const inputId = (name: string): number => activity.Inputs.find(({ Name }) => Name === name)!.Id;
  const file = async (input: string, FileName: string) => ({
    ActivityParameterId: inputId(input),
    ArrayIndex: 0,
    FileId: await upload(inputId(input), FileName),
    FileName,
  });
  const runId = await start(activity, [
    await file('Invoice File', 'invoices-2026-10.csv'),
    await file('Bank File', 'bank-2026-10.csv'),
    { ActivityParameterId: inputId('Report Date'), Value: '46326' },
    { ActivityParameterId: inputId('Tolerance'), Value: '0.05' },
  ]);
  let run: ActivityRun | undefined;
  await until('the end of the run', async () => {
    run = await result<ActivityRun>(get(`activities/status/${runId}?activity=true`));
    return run.EndTime !== null;
  });
  expect(run!.Status).toMatch(/^Succeeded/);

  const token = await result<string>(get(`activities/downloadFiles/${runId}`));
  const download = await get(`files/download/${token}`);
  const bytes = Buffer.from(await download.arrayBuffer());
  expect(download.headers.get('content-length')).toBe(String(bytes.length));
  expect(bytes.subarray(0, 2).toString()).toBe('PK');

  // Neither server has stored it in a folder.
  for (const role of ['api', 'worker']) await expect(access(join(folder, role, 'files'))).rejects.toThrow('ENOENT');
});
