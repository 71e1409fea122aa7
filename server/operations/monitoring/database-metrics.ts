/** Metrics of how the database responds to this process, and of the queue and schedules of all processes. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Database } from '#server/db/database.ts';
import { readQueue } from '#server/queue/queue-facts.ts';
import { listPools } from '#server/queue/pools.ts';
import { addGauge } from './metrics.ts';

/** The pool that Knex uses (tarn). */
interface Pool {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** Several or frequent readers share one query. */
const FRESH_MS = 2_000;
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];

export function watchConnections(registry: Registry, { knex, dialect }: Database): void {
  const registers = [registry];
  const { pool } = knex.client as { pool: Pool };
  addGauge(registry, {
    name: 'runsheet_database_connections',
    help: 'Connections of the pool, and callers that wait for one',
    labelNames: ['state'],
    collect() {
      this.set({ state: 'used' }, pool.numUsed());
      this.set({ state: 'free' }, pool.numFree());
      this.set({ state: 'waited_for' }, pool.numPendingAcquires());
    },
  });
  const duration = new Histogram({
    name: 'runsheet_database_query_duration_seconds',
    help: 'Statements from being sent to being answered',
    buckets: BUCKETS,
    registers,
  });
  const failures = new Counter({
    name: 'runsheet_database_errors_total',
    help: 'Statements that failed, by what that means',
    labelNames: ['fault'],
    registers,
  });
  const startTimes = new Map<string, number>();
  const end = ({ __knexQueryUid }: Query): void => {
    const since = startTimes.get(__knexQueryUid);
    startTimes.delete(__knexQueryUid);
    if (since !== undefined) duration.observe((performance.now() - since) / 1000);
  };
  knex.on('query', ({ __knexQueryUid }: Query) => startTimes.set(__knexQueryUid, performance.now()));
  knex.on('query-response', (_answer: unknown, query: Query) => end(query));
  knex.on('query-error', (error: unknown, query: Query) => {
    end(query);
    failures.inc({ fault: dialect.classify(error).fault });
  });
}

interface Query {
  __knexQueryUid: string;
}

export function watchQueue(registry: Registry, database: Database): void {
  const facts = cached(() => readQueue(database));
  addGauge(registry, {
    name: 'runsheet_runs_pending',
    help: 'Runs of all servers that wait or run, by status',
    labelNames: ['status'],
    async collect() {
      for (const [status, count] of Object.entries((await facts()).pending)) this.set({ status }, count);
    },
  });
  addGauge(registry, {
    name: 'runsheet_queue_oldest_seconds',
    help: 'How long the oldest run has waited that a worker could take',
    async collect() {
      this.set((await facts()).oldestSeconds);
    },
  });
  watchPools(registry, database);
  addGauge(registry, {
    name: 'runsheet_schedules_late',
    help: 'Schedules that are due for more than a minute',
    async collect() {
      this.set((await facts()).lateSchedules);
    },
  });
}

function cached<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > FRESH_MS) last = { at: performance.now(), answer: read() };
    return last.answer;
  };
}

function watchPools(registry: Registry, database: Database): void {
  const pools = cached(() => listPools(database));
  addGauge(registry, {
    name: 'runsheet_pool_runs',
    help: 'Runs of all servers by pool that wait for a worker or are carried out',
    labelNames: ['pool', 'state'],
    async collect() {
      this.reset();
      for (const { Pool, Queued, Running } of await pools()) {
        this.set({ pool: Pool, state: 'queued' }, Queued);
        this.set({ pool: Pool, state: 'running' }, Running);
      }
    },
  });
  addGauge(registry, {
    name: 'runsheet_pool_servers',
    help: 'Servers that carry out the runs of a pool',
    labelNames: ['pool'],
    async collect() {
      this.reset();
      for (const { Pool, Servers } of await pools()) this.set({ pool: Pool }, Servers);
    },
  });
}
