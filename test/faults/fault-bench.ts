/** What tests of faults have in common: servers in processes of their own that end with the test, databases, folders, and activities to run. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, onTestFailed, type TestContext } from 'vitest';
import { testDatabase, type TestDatabase, type TestDatabaseOptions } from '#test/support/database.ts';
import { onItsDatabase, until } from '#test/support/until.ts';
import { doublingWorkbook } from './load.ts';
import type { PortalClient } from './portal-client.ts';
import { serverProcess, type ServerProcess } from './server-process.ts';

const execute = promisify(execFile);

export const SETTINGS = {
  RUNSHEET_ADMIN_PASSWORD: 'Correct-Horse-7',
  RUNSHEET_SAMPLES: 'false',
  // Longer than the slowest statements take: a lease is to end by a kill alone.
  RUNSHEET_LEASE_SECONDS: String(onItsDatabase(2)),
  RUNSHEET_LOG_LEVEL: 'warn',
  RUNSHEET_WORKER_THREADS: '1',
};

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** After the test, the last first. */
export const cleanUp = (cleanup: () => Promise<unknown>): void => void cleanups.push(cleanup);

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

/** The load goes on until something has come of it, however slow the machine is. */
export const untilSucceeded = (client: PortalClient, runs: number) =>
  until(`${runs} runs have succeeded`, () => client.hasSucceeded(runs), onItsDatabase(30_000));
