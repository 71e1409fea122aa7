/**
 * Selects the waiting runs that a worker may take: runs in the pools it serves, unless a concurrency limit holds them
 * back.
 */
import type { Knex } from 'knex';
import { whereStatus } from '#server/db/where-status.ts';
import { DEFAULT_POOL } from '#shared/contract/queueing.ts';
import { BY_RANK, whereBefore } from './fair-queue.ts';
import type { SlotRequest } from './slot-reservation.ts';
import type { QueueView } from './queue-view.ts';

export interface Served {
  pools: readonly string[];
  /** Maximum number of concurrent runs per person, on all servers together; 0 for no limit. */
  runsPerPerson: number;
}

export interface QueueScope extends QueueView {
  /** True if a limit applies to every run. */
  readonly limitsAll: boolean;
  mayPickUp(wanted: SlotRequest): boolean;
  /** Restricts the query to runs to which a limit applies. */
  whereLimited(query: Knex.QueryBuilder): Knex.QueryBuilder;
  /** The view of a queue in which no run with a limit is waiting. */
  readonly unlimited: QueueView;
}

export const SERVES_DEFAULT: Served = { pools: [DEFAULT_POOL], runsPerPerson: 0 };

/**
 * A user is identified by the UserId. All visitors share one UserId, so the fair-share owner of the run distinguishes
 * them.
 */
const PERSON = 'case when ?? is null then ?? else 0 end';
const VISITOR = "case when ?? is null then '' else ?? end";

export function createQueueScope(knex: Knex, { pools, runsPerPerson }: Served): QueueScope {
  const limitsAll = runsPerPerson > 0;
  const queued = (): Knex.QueryBuilder => whereStatus(knex('ActivityRuns'), ['Queued']);
  const whereServed = (query: Knex.QueryBuilder): Knex.QueryBuilder => query.whereIn('Pool', pools);
  // The literal makes the database use the filtered index.
  const whereLimited = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
    limitsAll ? query : query.whereRaw('?? > 0', ['RunsAtOnce']);
  const whereAllowed = (query: Knex.QueryBuilder): Knex.QueryBuilder => {
    void query.where(
      (allowed) =>
        void allowed.whereRaw('?? = 0', ['RunsAtOnce']).orWhereNotIn('ActivityId', activitiesAtTheirLimit(knex)),
    );
    if (limitsAll) void query.whereNotExists(personAtTheLimit(knex, runsPerPerson));
    return query;
  };
  const whereNoLimit = (query: Knex.QueryBuilder): void => void query.whereRaw('?? = 0', ['RunsAtOnce']);
  return {
    knex,
    limitsAll,
    unlimited: { knex, whereServed, whereAllowed: (query) => query, whereNoLimitedBefore: whereNoLimit },
    mayPickUp: ({ Pool, RunsAtOnce }) => !limitsAll && RunsAtOnce === 0 && pools.includes(Pool),
    whereServed,
    whereLimited,
    whereAllowed,
    whereNoLimitedBefore: (query, memory) => {
      const first = (...columns: string[]): Knex.QueryBuilder => {
        const limited = whereLimited(queued().select(columns));
        if (memory !== null) void limited.where('MemoryCost', '<=', memory);
        return whereAllowed(whereServed(limited)).orderBy(BY_RANK).limit(1);
      };
      whereNoLimit(query);
      whereBefore(knex, query, first);
    },
  };
}

const atWork = (knex: Knex): Knex.QueryBuilder =>
  whereStatus(knex('ActivityRuns as W'), ['PickedUp', 'Started'], 'W.Status');

function activitiesAtTheirLimit(knex: Knex): Knex.QueryBuilder {
  return atWork(knex)
    .where('W.RunsAtOnce', '>', 0)
    .groupBy('W.ActivityId')
    .havingRaw('count(*) >= min(??)', ['W.RunsAtOnce'])
    .select('W.ActivityId');
}

/** Correlated with the candidate run. */
function personAtTheLimit(knex: Knex, runsPerPerson: number): Knex.QueryBuilder {
  const personOf = (run: string) => knex.raw(PERSON, [`${run}.PublicTokenHash`, `${run}.UserId`]);
  const visitorOf = (run: string) => knex.raw(VISITOR, [`${run}.PublicTokenHash`, `${run}.TurnOwner`]);
  return atWork(knex)
    .select(knex.raw('1'))
    .whereRaw('? = ? and ? = ?', [personOf('W'), personOf('ActivityRuns'), visitorOf('W'), visitorOf('ActivityRuns')])
    .havingRaw('count(*) >= ?', [runsPerPerson]);
}
