/** A portal and a worker on one database, killed at moments that chance decides and started again. All of it ends with the test. */
import { setTimeout as pause } from 'node:timers/promises';
import type { TestDatabase } from '#test/support/database.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';
import { administratorToken } from './administrator-token.ts';
import { launch, temporaryDatabase, temporaryFolder } from './fault-bench.ts';
import { portalClient, type PortalClient } from './portal-client.ts';
import type { ServerProcess } from './server-process.ts';

export interface TwoServers {
  database: TestDatabase;
  /** Carries out runs, too. */
  portal: ServerProcess;
  worker: ServerProcess;
  /** Of an administrator, at the portal. */
  client: PortalClient;
  token: string;
  UserId: number;
}

export interface TwoServersOptions {
  /** Where the settings name it already. */
  database?: TestDatabase;
  /** Settings of the worker alone. */
  ofWorker?: Record<string, string>;
}

/** Both at work, with settings beside those of all tests of faults. */
export async function twoServers(
  settings: Record<string, string> = {},
  options: TwoServersOptions = {},
): Promise<TwoServers> {
  const database = options.database ?? (await temporaryDatabase());
  const shared = { ...settings, RUNSHEET_DATABASE_URL: database.url, RUNSHEET_DATA_DIR: await temporaryFolder() };
  const portal = launch('portal', shared);
  const worker = launch('worker', { ...shared, RUNSHEET_ROLE: 'worker', ...options.ofWorker });
  await portal.start();
  await worker.start();
  const { token, UserId } = await administratorToken(database);
  return { database, portal, worker, client: portalClient(() => portal.address, token), token, UserId };
}

/** Starts it again a moment after. */
export async function killAndRestart(server: ServerProcess, random: SeededRandom): Promise<void> {
  await server.kill();
  await pause(random.between(0, 300));
  await server.start();
}

/** One of them at a time, each time after a wait of as many milliseconds as `between` allows. */
export async function killAtRandom(
  servers: readonly ServerProcess[],
  random: SeededRandom,
  { times, between: [least, most] }: { times: number; between: readonly [number, number] },
): Promise<void> {
  for (let kills = 0; kills < times; kills++) {
    await pause(random.between(least, most));
    await killAndRestart(random.pick(servers), random);
  }
}
