/**
 * A portal and a worker on one database, which are killed at random times and restarted. Everything ends with the test.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { whereStatus } from '#server/db/where-status.ts';
import { PENDING_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';
import type { TestDatabase } from '#test/support/database.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';
import { untilProgress } from '#test/support/until.ts';
import { administratorToken } from './administrator-token.ts';
import { launch, temporaryDatabase, temporaryFolder } from './fault-bench.ts';
import { portalClient, type PortalClient } from './portal-client.ts';
import type { ServerProcess } from './server-process.ts';

export interface TwoServers {
  database: TestDatabase;
  dataDir: string;
  /** Settings of every server on this database. */
  settings: Record<string, string>;
  /** Also executes runs. */
  portal: ServerProcess;
  worker: ServerProcess;
  /** An administrator's client of the portal. */
  client: PortalClient;
  token: string;
  UserId: number;
}

export interface TwoServersOptions {
  /** For settings that already name a database. */
  database?: TestDatabase;
  /** Settings of only the worker. */
  ofWorker?: Record<string, string>;
}

/** Starts both, with settings in addition to those of all fault tests. */
export async function twoServers(
  settings: Record<string, string> = {},
  options: TwoServersOptions = {},
): Promise<TwoServers> {
  const database = options.database ?? (await temporaryDatabase());
  const dataDir = await temporaryFolder();
  const shared = { ...settings, RUNSHEET_DATABASE_URL: database.url, RUNSHEET_DATA_DIR: dataDir };
  const portal = launch('portal', shared);
  const worker = launch('worker', { ...shared, RUNSHEET_ROLE: 'worker', ...options.ofWorker });
  await portal.start();
  await worker.start();
  const { token, UserId } = await administratorToken(database);
  const client = portalClient(() => portal.address, token);
  return { database, dataDir, settings: shared, portal, worker, client, token, UserId };
}

/** Starts another worker. */
export async function addWorker({ settings }: TwoServers): Promise<ServerProcess> {
  const worker = launch('another worker', { ...settings, RUNSHEET_ROLE: 'worker' });
  await worker.start();
  return worker;
}

/** Kills the server and restarts it after a random pause. */
export async function killAndRestart(server: ServerProcess, random: SeededRandom): Promise<void> {
  await server.kill();
  await pause(random.between(0, 300));
  await server.start();
}

const RUNNING: readonly RunStatus[] = ['PickedUp', 'Started'];

/** Waits until a worker executes a run or no run is left; a kill at another time proves little. */
export async function untilRunExecutes(knex: Knex): Promise<void> {
  await untilProgress(
    'a worker executes a run',
    () => whereStatus(knex('ActivityRuns'), PENDING_STATUSES).orderBy('Id').select('Id', 'Status') as Promise<RunRow[]>,
    (pending) => pending.length === 0 || pending.some(({ Status }) => RUNNING.includes(Status)),
    { pauseMs: 5 },
  );
}

interface RunRow {
  Id: number;
  Status: RunStatus;
}

/** Kills one server at a time while a run executes, each time after a random pause in milliseconds within `between`. */
export async function killAtRandom(
  { database, portal, worker }: Pick<TwoServers, 'database' | 'portal' | 'worker'>,
  random: SeededRandom,
  { times, between: [min, max] }: { times: number; between: readonly [number, number] },
): Promise<void> {
  for (let kills = 0; kills < times; kills++) {
    await pause(random.between(min, max));
    await untilRunExecutes(database.knex);
    await killAndRestart(random.pick([portal, worker]), random);
  }
}
