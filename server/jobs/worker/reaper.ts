/** Ends runs whose worker died, and lets waiting runs into the queue that nothing else lets in. Any number of servers may do so at once. */
import { whereStatus } from '#server/db/where-status.ts';
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Log } from '#server/base/log.ts';
import { ALWAYS, type MayBe } from '#server/db/lookout.ts';
import { moveOverdue } from '#server/jobs/queue/lanes.ts';
import { insertLogLines, promoteNext } from '#server/jobs/queue/run-end.ts';
import { CANCELLED_LINE, WORKER_LOST_LINE } from '#server/jobs/queue/run-log-lines.ts';
import type { RunSignals } from '#server/jobs/queue/run-signals.ts';

export interface Reaped {
  Id: number;
  Status: 'Abandoned' | 'Cancelled';
  ChecklistRunId: number | null;
  ParentRunId: number | null;
}

export interface Reaper {
  start(): void;
  stop(): Promise<void>;
  /** One round; answers the runs it ended. */
  reap(): Promise<Reaped[]>;
}

const CHUNK = 100;

export function createReaper(
  database: Database,
  signals: RunSignals,
  { intervalMs, log, mayPend = ALWAYS }: { intervalMs: number; log: Log; mayPend?: MayBe },
): Reaper {
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;

  async function reap(): Promise<Reaped[]> {
    const reaped: Reaped[] = [];
    for (;;) {
      const chunk = await endExpired(database);
      reaped.push(...chunk);
      if (chunk.length < CHUNK) break;
    }
    for (const { ChecklistRunId, ParentRunId } of reaped) {
      if (ChecklistRunId !== null) signals.stepEnded(ChecklistRunId);
      if (ParentRunId !== null) signals.childEnded(ParentRunId);
    }
    await moveOverdue(database);
    const promoted = await promoteWaiting(database);
    if (reaped.length > 0 || promoted) signals.queued();
    return reaped;
  }

  async function round(): Promise<void> {
    try {
      if (!(await mayPend())) return;
      const reaped = await reap();
      if (reaped.length > 0) log.warn({ runs: reaped }, 'runs were ended because their worker does not answer');
    } catch (err) {
      log.warn({ err }, 'the runs of lost workers could not be looked for');
    }
  }

  return {
    reap,
    start: () => {
      timer = setInterval(() => {
        working ??= round().finally(() => (working = undefined));
      }, intervalMs);
    },
    stop: async () => {
      clearInterval(timer);
      await working;
    },
  };
}

interface Expired extends Omit<Reaped, 'Status'> {
  CancelTime: Date | null;
}

/**
 * A run that a person had cancelled is Cancelled all the same: nobody works on it any more. Rows are taken first, and changed only where there
 * are any: most rounds find none.
 */
function endExpired(database: Database): Promise<Reaped[]> {
  const { knex, dialect } = database;
  return inTransaction(knex, async (trx) => {
    const expired = await dialect.lockRows<Expired>(trx, {
      table: 'ActivityRuns',
      columns: ['Id', 'CancelTime', 'ChecklistRunId', 'ParentRunId'],
      where: (query) => void whereStatus(query, ['PickedUp', 'Started']).where('LeaseUntil', '<', dialect.now(trx)),
      orderBy: [{ column: 'Id' }],
      limit: CHUNK,
      locked: 'skip',
    });
    const reaped = expired.map(({ CancelTime, ...run }): Reaped => {
      return { ...run, Status: CancelTime === null ? 'Abandoned' : 'Cancelled' };
    });
    for (const Status of ['Abandoned', 'Cancelled'] as const) {
      const ids = reaped.filter((run) => run.Status === Status).map(({ Id }) => Id);
      if (ids.length > 0) await end(database, trx, ids, Status);
    }
    return reaped;
  });
}

async function end(
  { dialect }: Database,
  trx: Knex.Transaction,
  ids: number[],
  Status: Reaped['Status'],
): Promise<void> {
  const EndTime = dialect.now(trx);
  await trx('ActivityRuns').whereIn('Id', ids).update({ Status, EndTime, LeaseUntil: null, Phase: '', Share: null });
  for (const Id of ids) await insertLogLines(trx, Id, [Status === 'Cancelled' ? CANCELLED_LINE : WORKER_LOST_LINE]);
}

/**
 * Ends let the next run in themselves; this is for those that could not: an activity that was changed to prevent simultaneous
 * runs while some of its runs were pending, and runs that the reaper ended.
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
    .distinct('Waiting.ActivityId');
  let promoted = false;
  for (const { ActivityId } of (await next) as { ActivityId: number }[]) {
    if (await promoteNext(knex, ActivityId)) promoted = true;
  }
  return promoted;
}
