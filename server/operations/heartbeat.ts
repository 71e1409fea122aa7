/** Sends the heartbeat of this process through the database every few seconds, and reads those of the others. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Log } from '#server/base/log.ts';
import type { ServerState } from '#server/base/server-state.ts';
import { VERSION } from '#server/base/version.ts';
import type { ThreadPool } from './monitoring/metrics.ts';
import { createPoller } from '#server/background/poller.ts';
import type { Config } from '#server/config/config-schema.ts';
import type { SystemService } from '#server/features/system/system-service.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { calculationThreads } from '#server/queue/worker/start-jobs.ts';

const INTERVAL_MS = 5_000;
const MB = 1024 * 1024;

export interface HeartbeatDeps {
  system: SystemService;
  config: Config;
  state: ServerState;
  executor: { pool: ThreadPool };
  signals: Pick<RunSignals, 'atWork'>;
  log: Log;
  /** Milliseconds between two heartbeats. */
  interval?: number;
}

/**
 * Sends the first heartbeat before it returns the function that stops it. If a heartbeat fails, everything else still
 * works.
 */
export async function startHeartbeat(deps: HeartbeatDeps): Promise<() => Promise<void>> {
  const { system, config, state, executor, signals, log, interval = INTERVAL_MS } = deps;
  const ServerId = randomUUID();
  const Version = VERSION.slice(0, 40);
  let before = { at: performance.now(), cpu: process.cpuUsage() };

  async function sendHeartbeat(): Promise<void> {
    const now = performance.now();
    const { user, system: inKernel } = process.cpuUsage(before.cpu);
    const Processors = (user + inKernel) / 1000 / Math.max(1, now - before.at);
    before = { at: now, cpu: process.cpuUsage() };
    const isDrainAsked = await system.recordHeartbeat({
      ServerId,
      Name: hostname().slice(0, 100),
      Version,
      Role: config.role,
      IsDraining: state.isDraining,
      Runs: signals.atWork(),
      Threads: config.role === 'api' ? 0 : calculationThreads(config),
      BusyThreads: executor.pool.threads().filter(({ isFree }) => !isFree).length,
      MemoryMb: Math.round(process.memoryUsage.rss() / MB),
      Processors: Math.round(Processors * 100) / 100,
      Pools: config.role === 'api' ? '' : config.workerPools.join(','),
    });
    state.isDraining = state.isStopping || isDrainAsked;
    state.maintenance = await system.maintenance();
    state.otherVersions = await system.otherVersions(Version);
  }

  const poller = createPoller({
    poll: sendHeartbeat,
    intervalMs: interval,
    onError: (err) => log.debug({ err }, 'the heartbeat could not be sent'),
  });
  poller.start();
  poller.request();
  await poller.settled();
  return async () => {
    await poller.stop();
    await system.leave(ServerId);
  };
}
