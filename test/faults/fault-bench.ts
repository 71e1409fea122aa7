/** What all tests of faults share: servers that run as processes and end with the test, databases, folders, and activities to run. */
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
  // Short enough that the runs of a killed server end soon. A worker that gets no processor for longer loses runs, too: they end as Abandoned, which
  // all tests with this lease accept.
  RUNSHEET_LEASE_SECONDS: String(Math.max(4, onItsDatabase(2))),
  RUNSHEET_LOG_LEVEL: 'warn',
  RUNSHEET_WORKER_THREADS: '1',
};

/** For tests in which no server is killed: no run may end because its worker got no processor. */
export const ENDLESS_LEASE = { RUNSHEET_LEASE_SECONDS: '600' };

/** As if the time of all leases were over: another server ends the runs whose worker was killed. */
export async function endLeases(knex: Knex): Promise<void> {
  await knex('ActivityRuns')
    .whereNotNull('LeaseUntil')
    .update({ LeaseUntil: new Date(0) });
}

/**
 * Each wait of these tests is bounded by progress, so this limit only ends a test that hangs. There is none for rounds that somebody asks for through the
 * environment, which may take a night.
 */
export const TEST_TIMEOUT_MS = Object.keys(process.env).some((name) => name.startsWith('RUNSHEET_FAULT_'))
  ? 0
  : 30 * 60_000;

const cleanups: (() => Promise<unknown>)[] = [];

/** After the test, the last first. A hook of the test and not of its file, because files may share this module. */
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
  // The embedded server runs under another uid where this is root.
  await chmod(folder, 0o711);
  cleanUp(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
}

/** Mounts a disk of so many megabytes on a folder, or skips the test where that may not be done. */
export async function mountSmallDisk(context: TestContext, folder: string, megabytes: number): Promise<void> {
  const options = `size=${megabytes}m,mode=711`;
  const isMounted = await execute('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  context.skip(!isMounted, 'a small disk is mounted by root alone');
  cleanUp(() => execute('umount', ['-l', folder]));
}

/** Takes all the room that a disk has left, again and again as others give some back. */
export async function fillDisk(disk: string, ballast: string): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await writeFile(ballast, Buffer.alloc(bavail * bsize), { flag: 'a' }).catch(() => {});
}

/** Starts that are not repeated, so that one sees what a person is answered. */
export function singleStarts(server: ServerProcess, token: string, activity: { Id: number; inputId: number }) {
  /** Those that were taken, by UniqueId, with what they come to. */
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

/** @param program what starts it, where that is not this checkout */
export function launch(name: string, settings: Record<string, string>, program?: readonly string[]): ServerProcess {
  const server = serverProcess(name, { ...SETTINGS, ...settings }, program);
  onTestFailed(() => {
    const telling = server.lines().filter((line) => !/ENOENT|ECONN/.test(line));
    process.stderr.write(`${name}:\n${telling.slice(-30).join('\n')}\n`);
  });
  cleanUp(() => server.kill());
  return server;
}

/**
 * One activity whose runs may go side by side, and one whose runs must not. What the former calculate is kept as deltas, what the latter do
 * in the file store.
 * @param isLarge whether all of it is kept there
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

/** Waits until a condition holds that has no measure. Its limit is that of a standstill. */
export function eventually<T>(what: string, condition: Parameters<typeof until<T>>[1]): Promise<T> {
  return until(what, condition, STALL_TIMEOUT_MS);
}

/** Until the portal shows so many runs that have succeeded. While it does not answer, the number stays what it was. */
export async function untilSucceeded(client: PortalClient, runs: number): Promise<void> {
  let known = 0;
  await untilProgress(
    `${runs} runs have succeeded`,
    async () => (known = Math.max(known, (await client.succeeded(runs)) ?? 0)),
    (succeeded) => succeeded >= runs,
  );
}

/** How many runs have succeeded, by the database. */
export async function countSucceeded(knex: Knex): Promise<number> {
  const [row] = await knex('ActivityRuns').where({ Status: 'Succeeded' }).count({ Count: '*' });
  return Number(row!['Count']);
}

/** Waits until this many more runs have succeeded. @param load what starts them @param count how many have succeeded */
export async function untilMoreSucceeded(load: Load, count: () => Promise<number>, runs: number): Promise<void> {
  const wanted = (await count()) + runs;
  const measure = (): Promise<number> => {
    load.throwIfFailed();
    return count();
  };
  await untilProgress(`${runs} more runs have succeeded`, measure, (succeeded) => succeeded >= wanted);
}
