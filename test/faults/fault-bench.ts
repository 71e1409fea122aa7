/** What tests of faults have in common: servers in processes of their own that end with the test, databases, folders, and activities to run. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, onTestFailed } from 'vitest';
import { testDatabase, type TestDatabase, type TestDatabaseOptions } from '#test/support/database.ts';
import { onItsDatabase, until } from '#test/support/until.ts';
import { doublingWorkbook } from './load.ts';
import type { PortalClient } from './portal-client.ts';
import { serverProcess, type ServerProcess } from './server-process.ts';

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
