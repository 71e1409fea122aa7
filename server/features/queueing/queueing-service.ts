/** Queueing settings of activities: the worker pool they need, their priority, and their limit of concurrent runs. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import { recordEdit, revisionOf, type EditedRecord } from '#server/access/edits.ts';
import { listPools } from '#server/queue/pools.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { BodyOf, ResultOf } from '#shared/contract/endpoint.ts';
import type { activityQueueing, Queueing, setActivityQueueing } from '#shared/contract/queueing.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';

export interface QueueingService {
  get(activityId: number): Promise<ResultOf<typeof activityQueueing>>;
  /**
   * Also applies the settings to waiting runs, except the priority, which applies from the next start on. Logged as a
   * security action.
   */
  set(actor: Actor, activityId: number, queueing: BodyOf<typeof setActivityQueueing>): Promise<Queueing>;
}

/** Other columns of Activities have separate Revisions. */
const queueingOf = (activityId: number): EditedRecord => ({ table: 'Activities', key: `queueing of ${activityId}` });

export function createQueueingService(database: Database, signals: Pick<RunSignals, 'queued'>): QueueingService {
  const { knex } = database;
  return {
    get: async (activityId) => {
      const Revision = await revisionOf(knex, queueingOf(activityId));
      const row = await knex('Activities').where('Id', activityId).first('Pool', 'Priority', 'RunsAtOnce');
      if (!row) throw notFound();
      const { RunsAtOnce, ...named } = row;
      const Pools = (await listPools(database)).map(({ Pool }) => Pool);
      return { Queueing: { ...named, RunsAtOnce: RunsAtOnce === 0 ? null : RunsAtOnce }, Revision, Pools };
    },
    set: async (actor, activityId, { Pool, Priority, RunsAtOnce, Revision }) => {
      const limit = RunsAtOnce ?? 0;
      await inTransaction(knex, async (trx) => {
        await recordEdit(trx, queueingOf(activityId), { person: actor, Revision });
        const changed = await trx('Activities').where('Id', activityId).update({ Pool, Priority, RunsAtOnce: limit });
        if (changed === 0) throw notFound();
        await whereStatus(trx('ActivityRuns').where('ActivityId', activityId), PENDING_STATUSES).update({
          Pool,
          RunsAtOnce: limit,
        });
        const action = {
          Action: 'SetQueueing',
          KeyColumnName: 'ActivityId',
          KeyColumnValue: String(activityId),
        } as const;
        await recordActions(trx, actor, [action]);
      });
      signals.queued();
      return { Pool, Priority, RunsAtOnce };
    },
  };
}

const notFound = (): AppError => new AppError('activityNotFound', 404, 'There is no such activity');
