/**
 * Shared by all fault tests: servers that run as processes and end with the test, databases, folders, and activities to
 * run.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Knex } from 'knex';
import { onTestFailed, onTestFinished, type TestContext } from 'vitest';
import { testDatabase, type TestDatabase, type TestDatabaseOptions } from '#test/support/database.ts';
import { onItsDatabase, STALL_TIMEOUT_MS, until, untilProgress } from '#test/support/until.ts';
import { doublingWorkbook, type Load } from './load.ts';
import type { PortalClient } from './portal-client.ts';
import { serverProcess, type ServerProcess } from './server-process.ts';

const execute = promisify(execFile);

export const SETTINGS = {
  RUNSHEET_ADMIN_PASSWORD: 'Correct-Horse-7',
  RUNSHEET_SAMPLES: 'false',
  // Short enough that the runs of a killed server end soon. A worker that gets no processor time for longer also loses
  // its runs. They end as Abandoned, which all tests with this lease accept.
  RUNSHEET_LEASE_SECONDS: String(Math.max(4, onItsDatabase(2))),
  RUNSHEET_LOG_LEVEL: 'warn',
  RUNSHEET_WORKER_THREADS: '1',
};

/** For tests that kill no server: no run may end because its worker gets no processor time. */
export const ENDLESS_LEASE = { RUNSHEET_LEASE_SECONDS: '600' };

/** Makes all leases expire: another server then ends the runs of a killed worker. */
export async function endLeases(knex: Knex): Promise<void> {
  await knex('ActivityRuns')
    .whereNotNull('LeaseUntil')
    .update({ LeaseUntil: new Date(0) });
}

/**
 * Each wait of these tests is bounded by progress; this limit only ends a test that hangs. There is no limit if
 * environment variables set the number of rounds, which may take a night.
 */
export const TEST_TIMEOUT_MS = Object.keys(process.env).some((name) => name.startsWith('RUNSHEET_FAULT_'))
  ? 0
  : 30 * 60_000;

const cleanups: (() => Promise<unknown>)[] = [];

/**
 * Registers a cleanup after the test; the last one runs first. It is a hook of the test, not of its file, because files
 * may share this module.
 */
export function cleanUp(cleanup: () => Promise<unknown>): void {
  if (cleanups.length === 0)
    onTestFinished(async () => {
      for (const last of cleanups.splice(0).reverse()) await last();
    });
  cleanups.push(cleanup);
}

export async function temporaryDatabase(options?: TestDatabaseOptions): Promise<TestDatabase> {
  const database = await testDatabase(options);
  cleanUp(() => database.drop());
  return database;
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-faults-'));
  // If this process is root, the embedded server runs as another user.
  await chmod(folder, 0o711);
  cleanUp(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
}

/** Mounts a disk of this size on a folder, or skips the test if mounting is not permitted. */
export async function mountSmallDisk(context: TestContext, folder: string, megabytes: number): Promise<void> {
  const options = `size=${megabytes}m,mode=711`;
  const isMounted = await execute('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  context.skip(!isMounted, 'a small disk is mounted by root alone');
  cleanUp(() => execute('umount', ['-l', folder]));
}

/** Takes all free space of a disk; call it again when others release some. */
export async function fillDisk(disk: string, ballast: string): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await writeFile(ballast, Buffer.alloc(bavail * bsize), { flag: 'a' }).catch(() => {});
}

/** Starts runs without retries, to show the response a user would get. */
export function singleStarts(server: ServerProcess, token: string, activity: { Id: number; inputId: number }) {
  /** Acknowledged starts by UniqueId, with the expected result. */
  const acknowledged = new Map<string, { Id: number; double: number }>();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    acknowledged,
    tryOne: async (): Promise<{ status: number; message: string | undefined }> => {
      const UniqueId = randomUUID();
      const Inputs = [{ ActivityParameterId: activity.inputId, Value: '21' }];
      const body = JSON.stringify({ ActivityId: activity.Id, ActivityVersion: 1, UniqueId, Inputs });
      const answer = await fetch(`${server.address}/api/activities/start`, { method: 'POST', headers, body });
      const { result, message } = (await answer.json()) as { result?: { Id: number }; message?: string };
      if (result) acknowledged.set(UniqueId, { Id: result.Id, double: 42 });
      return { status: answer.status, message };
    },
  };
}

/** @param program command to start, if not from this checkout */
export function launch(name: string, settings: Record<string, string>, program?: readonly string[]): ServerProcess {
  const server = serverProcess(name, { ...SETTINGS, ...settings }, program);
  onTestFailed(() => {
    const lines = server.lines();
    const relevantLines = lines.filter((line) => !/ENOENT|ECONN/.test(line)).slice(-30);
    const errors = lines.filter((line) => line.includes('"level":"error"') && !relevantLines.includes(line));
    process.stderr.write(`${name}:\n${[...errors.slice(0, 30), ...relevantLines].join('\n')}\n`);
  });
  cleanUp(() => server.kill());
  return server;
}

/**
 * Publishes one activity with simultaneous runs and one without. Results of the former are stored as deltas, results of
 * the latter in the file store.
 * @param isLarge true to store all results in the file store
 */
export async function publish(client: PortalClient, isLarge = false): Promise<{ Id: number; inputId: number }[]> {
  const activities: { Id: number; inputId: number }[] = [];
  for (const [Name, SingleRun] of Object.entries({ Parallel: 'false', Single: 'true' })) {
    const bytes = await doublingWorkbook(isLarge || Name === 'Single');
    const Id = await client.upload({ Id: '0', Schema: 'General', Name, SingleRun }, 'double.xlsx', bytes);
    activities.push({ Id, inputId: await client.inputId(Id) });
  }
  return activities;
}

/** Waits until a condition holds for which there is no measure of progress. Its time limit is that of a standstill. */
export function eventually<T>(what: string, condition: Parameters<typeof until<T>>[1]): Promise<T> {
  return until(what, condition, STALL_TIMEOUT_MS);
}

/** Waits until the portal shows this many succeeded runs. While it does not respond, the number stays unchanged. */
export async function untilSucceeded(client: PortalClient, runs: number): Promise<void> {
  let known = 0;
  await untilProgress(
    `${runs} runs have succeeded`,
    async () => (known = Math.max(known, (await client.succeeded(runs)) ?? 0)),
    (succeeded) => succeeded >= runs,
  );
}

/** Returns the number of succeeded runs from the database. */
export async function countSucceeded(knex: Knex): Promise<number> {
  const [row] = await knex('ActivityRuns').where({ Status: 'Succeeded' }).count({ Count: '*' });
  return Number(row!['Count']);
}

/**
 * Waits until this many more runs have succeeded. @param load that starts them @param count returns how many have
 * succeeded
 */
export async function untilMoreSucceeded(load: Load, count: () => Promise<number>, runs: number): Promise<void> {
  const wanted = (await count()) + runs;
  const measure = (): Promise<number> => {
    load.throwIfFailed();
    return count();
  };
  await untilProgress(`${runs} more runs have succeeded`, measure, (succeeded) => succeeded >= wanted);
}
