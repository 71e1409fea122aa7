/**
 * Ends runs whose worker died, or returns them to the queue. Also queues waiting runs that nothing else would queue.
 * Any number of servers may do so at the same time.
 */
import { whereStatus } from '#server/db/where-status.ts';
import { createPoller } from '#server/background/poller.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Log } from '#server/base/log.ts';
import type { WorkProbe } from '#server/db/work-probes.ts';
import { moveOverdue } from '#server/queue/priority-bands.ts';
import { endRuns, promoteNext } from '#server/queue/run-end.ts';
import { CANCELLED_LINE, WORKER_LOST_LINE } from '#server/queue/run-log-lines.ts';
import { REQUEUED_COLUMNS } from '#server/queue/run-queue.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { writesStartFirst } from './worker-name.ts';

export interface Reaped {
  Id: number;
  /** Queued: the run had not begun, and another worker executes it. */
  Status: 'Abandoned' | 'Cancelled' | 'Queued';
  ChecklistRunId: number | null;
  ParentRunId: number | null;
}

export interface Reaper {
  start(): void;
  stop(): Promise<void>;
  /** Performs one round; returns the runs whose lease had expired, with their new statuses. */
  reap(): Promise<Reaped[]>;
}

const CHUNK = 100;
const LINES = { Abandoned: WORKER_LOST_LINE, Cancelled: CANCELLED_LINE };

/**
 * A run that was claimed this often does not return to the queue, because it may be what crashes the servers. Claims
 * also count if a live worker returns the run, which happens only a few times.
 */
const MAX_CLAIMS = 10;

export function createReaper(
  database: Database,
  signals: RunSignals,
  { intervalMs, log, hasPendingWork }: { intervalMs: number; log: Log; hasPendingWork?: WorkProbe },
): Reaper {
  async function reap(): Promise<Reaped[]> {
    const reaped: Reaped[] = [];
    for (;;) {
      const chunk = await releaseExpired(database);
      reaped.push(...chunk);
      if (chunk.length < CHUNK) break;
    }
    for (const { Status, ChecklistRunId, ParentRunId } of reaped) {
      if (Status === 'Queued') continue;
      if (ChecklistRunId !== null) signals.stepEnded(ChecklistRunId);
      if (ParentRunId !== null) signals.childEnded(ParentRunId);
    }
    await moveOverdue(database);
    const promoted = await promoteWaiting(database);
    if (reaped.length > 0 || promoted) signals.queued();
    return reaped;
  }

  const poller = createPoller({
    poll: async () => {
      const reaped = await reap();
      if (reaped.length > 0) log.warn({ runs: reaped }, 'ended or requeued runs whose worker does not respond');
    },
    intervalMs,
    hasPendingWork,
    onError: (err) => log.warn({ err }, 'could not poll for the runs of lost workers'),
  });

  return { reap, start: () => poller.start(), stop: () => poller.stop() };
}

interface Expired extends Omit<Reaped, 'Status'> {
  Status: 'PickedUp' | 'Started';
  WorkerId: string;
  Fence: number;
  CancelTime: Date | null;
}

/** A run that a person had cancelled ends as Cancelled even if its worker died. */
function statusAfter({ Status, WorkerId, Fence, CancelTime }: Expired): Reaped['Status'] {
  if (CancelTime !== null) return 'Cancelled';
  return Status === 'PickedUp' && writesStartFirst(WorkerId) && Fence < MAX_CLAIMS ? 'Queued' : 'Abandoned';
}

/** Locks rows first and changes them only if there are any, because most rounds find none. */
function releaseExpired(database: Database): Promise<Reaped[]> {
  const { knex, dialect } = database;
  return inTransaction(knex, async (trx) => {
    const expired = await dialect.lockRows<Expired>(trx, {
      table: 'ActivityRuns',
      columns: ['Id', 'Status', 'WorkerId', 'Fence', 'CancelTime', 'ChecklistRunId', 'ParentRunId'],
      where: (query) => void whereStatus(query, ['PickedUp', 'Started']).where('LeaseUntil', '<', dialect.now(trx)),
      orderBy: [{ column: 'Id' }],
      limit: CHUNK,
      locked: 'skip',
    });
    const reaped = expired.map((run): Reaped => {
      const { Id, ChecklistRunId, ParentRunId } = run;
      return { Id, ChecklistRunId, ParentRunId, Status: statusAfter(run) };
    });
    const idsOf = (status: Reaped['Status']): number[] =>
      reaped.filter(({ Status }) => Status === status).map(({ Id }) => Id);
    for (const Status of ['Abandoned', 'Cancelled'] as const) {
      const ids = idsOf(Status);
      if (ids.length > 0) await endRuns(trx, trx('ActivityRuns').whereIn('Id', ids), { Status }, () => LINES[Status]);
    }
    const queued = idsOf('Queued');
    // The next claim increases the fence, so nothing of the current claim is written any more.
    if (queued.length > 0) await trx('ActivityRuns').whereIn('Id', queued).update(REQUEUED_COLUMNS);
    return reaped;
  });
}

/**
 * Queues the next waiting run of activities that prevent simultaneous runs. Normally the end of a run does this. This
 * handles the other cases: an activity was changed to prevent simultaneous runs while runs were pending, or the reaper
 * ended the run.
 */
async function promoteWaiting({ knex }: Database): Promise<boolean> {
  const others = knex('ActivityRuns as Active').select(knex.raw('1'));
  const active = whereStatus(others, ['Queued', 'PickedUp', 'Started'], 'Active.Status').whereRaw('?? = ??', [
    'Active.ActivityId',
    'Waiting.ActivityId',
  ]);
  const next = whereStatus(knex('ActivityRuns as Waiting'), ['QueuedInSeq'], 'Waiting.Status')
    .where('Waiting.WaitsForSteps', false)
    .whereNotExists(active)
    .distinct<{ ActivityId: number }[]>('Waiting.ActivityId');
  let promoted = false;
  for (const { ActivityId } of await next) {
    if (await promoteNext(knex, ActivityId)) promoted = true;
  }
  return promoted;
}
