/** The metrics of a process, and the port that serves them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#server/base/log.ts';
import type { ServerState } from '#server/base/server-state.ts';
import { VERSION } from '#server/base/version.ts';
import type { Config } from '#server/config/config-schema.ts';
import type { Database } from '#server/db/database.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { watchConnections, watchQueue } from './database-metrics.ts';
import { createProcessMetrics, type ProcessMetrics, type ThreadPool } from './metrics.ts';
import { listenForMonitoring } from './monitoring-listener.ts';
import type { RunningParts } from '#server/background/running-parts.ts';

/** If the database takes longer to respond, the server is not ready for calls. */
const READY_LIMIT_MS = 2_000;

/** Returns undefined if metrics are not served: then nothing is counted. */
export function createMetrics(config: Config, database: Database): ProcessMetrics | undefined {
  if (config.metricsPort === 0) return undefined;
  const metrics = createProcessMetrics({ version: VERSION, role: config.role });
  watchConnections(metrics.registry, database);
  watchQueue(metrics.registry, database);
  return metrics;
}

export interface MonitoringParts {
  config: Config;
  log: Log;
  database: Database;
  state: Readonly<ServerState>;
  fileStore: Pick<FileStore, 'check'>;
  executor: Record<'pool' | 'formPool', ThreadPool>;
}

export async function startMonitoring(
  parts: RunningParts,
  metrics: ProcessMetrics | undefined,
  { config, log, database, state, fileStore, executor }: MonitoringParts,
): Promise<void> {
  if (!metrics) return;
  metrics.watchThreads({ runs: () => executor.pool.threads(), forms: () => executor.formPool.threads() });
  const isReady = async (): Promise<boolean> =>
    !state.isDraining && (await answersInTime(database)) && (await hasFiles(fileStore));
  const { metricsHost: host, metricsPort: port, metricsToken: token } = config;
  const listener = await listenForMonitoring({ registry: metrics.registry, isReady, log }, { host, port, token });
  parts.add('monitoring', () => listener.close());
}

const hasFiles = (fileStore: Pick<FileStore, 'check'>): Promise<boolean> =>
  fileStore.check().then(
    () => true,
    () => false,
  );

async function answersInTime({ knex }: Database): Promise<boolean> {
  const answered = Promise.resolve(knex.raw('select 1')).then(
    () => true,
    () => false,
  );
  return Promise.race([answered, pause(READY_LIMIT_MS, false, { ref: false })]);
}
