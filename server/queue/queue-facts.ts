/** The size of the queue and how long runs have been waiting in it. */
import type { Database } from '#server/db/database.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';

/** Seconds after which a due schedule counts as late. A running server takes due schedules within seconds. */
const LATE_SECONDS = 60;
const SCHEDULES = ['ActivitySchedules', 'ChecklistSchedules', 'Timetables'];

export interface QueueFacts {
  pending: Readonly<Record<(typeof PENDING_STATUSES)[number], number>>;
  /** Waiting time of the oldest run that a worker could take. */
  oldestSeconds: number;
  /** Number of schedules that have been due for more than a minute. */
  lateSchedules: number;
}

/** Reads all pending runs with one scan of their index. */
interface PendingCount {
  Status: (typeof PENDING_STATUSES)[number];
  Count: number;
  /** The earliest queue time. */
  oldest: Date;
  now: Date;
}

export async function readQueue({ knex, dialect }: Database): Promise<QueueFacts> {
  const rows = await whereStatus(knex('ActivityRuns'), PENDING_STATUSES)
    .groupBy('Status')
    .select({ oldest: knex.min('QueueTime'), now: dialect.now(knex) })
    .count({ Count: '*' })
    .select<PendingCount[]>('Status');
  const pending = { Queued: 0, QueuedInSeq: 0, PickedUp: 0, Started: 0 };
  for (const { Status, Count } of rows) pending[Status] = Count;
  const queued = rows.find(({ Status }) => Status === 'Queued');
  const oldestSeconds = queued ? Math.max(0, queued.now.getTime() - queued.oldest.getTime()) / 1000 : 0;
  const late = await Promise.all(SCHEDULES.map((table) => countLate({ knex, dialect }, table)));
  return { pending, oldestSeconds, lateSchedules: late.reduce((sum, count) => sum + count, 0) };
}

async function countLate({ knex, dialect }: Pick<Database, 'knex' | 'dialect'>, table: string): Promise<number> {
  const query = knex(table).whereNull('PausedTime');
  // A schedule that waits for its previous run is not late.
  if (table === 'Timetables') void query.where('IsWaiting', false);
  const [row] = await query
    .where('NextTime', '<', dialect.nowPlus(knex, -LATE_SECONDS))
    .count<{ Count: number }[]>({ Count: '*' });
  return row!.Count;
}
