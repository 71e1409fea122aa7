/** Metrics of this process for Prometheus. */
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type GaugeConfiguration,
  type Metric,
} from 'prom-client';
import type { EndedRun } from '#server/queue/worker/end-run.ts';

/** Adds a gauge whose value is computed at every scrape. */
export function addGauge<T extends string>(registry: Registry, configuration: GaugeConfiguration<T>): void {
  registry.registerMetric(new Gauge({ ...configuration, registers: [] }) as Metric);
}

export interface AnsweredCall {
  method: string;
  route: string;
  status: number;
  seconds: number;
}

/** Worker threads with the same purpose. */
export interface ThreadPool {
  threads(): readonly { isFree: boolean }[];
}

export interface ProcessMetrics {
  registry: Registry;
  onAnswered: (call: AnsweredCall) => void;
  onEnded: (run: EndedRun) => void;
  /** Watches the threads of the process by purpose, read at every scrape. */
  watchThreads(pools: Readonly<Record<string, ThreadPool['threads']>>): void;
}

/** In seconds: from the duration of a fast call to one that nobody waits for. */
const CALL_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const RUN_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];

/** The route that checks passwords and codes. */
const SIGN_IN_ROUTE = '/token';

export function createProcessMetrics(options: { version: string; role: string }): ProcessMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({ name: 'runsheet_info', help: 'Always 1', labelNames: ['version', 'role'], registers }).set(options, 1);
  const calls = new Histogram({
    name: 'runsheet_http_request_duration_seconds',
    help: 'Calls that were answered, by declared route',
    labelNames: ['method', 'route', 'status'],
    buckets: CALL_BUCKETS,
    registers,
  });
  const signIns = new Counter({
    name: 'runsheet_sign_in_failures_total',
    help: 'Sign-ins by password that were refused, or asked for a code',
    registers,
  });
  const ended = new Counter({
    name: 'runsheet_runs_ended_total',
    help: 'Runs whose end this process has written',
    labelNames: ['status'],
    registers,
  });
  const histogram = (name: string, help: string) =>
    new Histogram({ name, help, labelNames: ['status'], buckets: RUN_BUCKETS, registers });
  const waiting = histogram('runsheet_run_waiting_seconds', 'From the start of a run to the worker that took it');
  const own = histogram('runsheet_run_own_seconds', 'From the begin of the calculation to the end of a run');
  return {
    registry,
    onAnswered: ({ method, route, status, seconds }) => {
      calls.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds);
      if (route === SIGN_IN_ROUTE && status >= 400 && status < 500) signIns.inc();
    },
    onEnded: ({ status, waitedSeconds, ownSeconds }) => {
      ended.inc({ status });
      waiting.observe({ status }, waitedSeconds);
      if (ownSeconds !== null) own.observe({ status }, ownSeconds);
    },
    watchThreads: (pools) => {
      addGauge(registry, {
        name: 'runsheet_threads',
        help: 'Worker threads that live, by what they are for and whether they are busy',
        labelNames: ['pool', 'state'],
        collect() {
          for (const [pool, threads] of Object.entries(pools)) {
            const free = threads().filter(({ isFree }) => isFree).length;
            this.set({ pool, state: 'free' }, free);
            this.set({ pool, state: 'busy' }, threads().length - free);
          }
        },
      });
    },
  };
}
