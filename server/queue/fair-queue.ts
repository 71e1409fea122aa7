/**
 * The order in which runs of one pool and priority leave the queue: round-robin by owner. Each run gets a fair-share
 * rank (column Turn) when it is queued. A rank holds one run per owner, so an owner with many waiting runs does not
 * delay an owner with few. An owner is a user, or the address of visitors.
 */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import type { Db, OrderTerm } from '#server/db/dialect/types.ts';
import { whereStatus } from '#server/db/where-status.ts';
import type { QueueView } from './queue-view.ts';
import { endOfBand, whereInBand, type PriorityBand } from './priority-bands.ts';

export const BY_RANK: OrderTerm[] = [{ column: 'Turn' }, { column: 'Id' }];

/** After a run with the next rank has waited this long, newly queued runs no longer go ahead of it. */
const NEXT_RANK_MAX_WAIT_SECONDS = 600;
/**
 * The same limit for a run that uses memory. It is shorter because enough memory might never become free while other
 * runs keep going ahead.
 */
const COSTLY_NEXT_RANK_MAX_WAIT_SECONDS = 60;

/** Maximum value of the Turn column. */
const MAX_RANK = 2 ** 31 - 1;

export const fairShareKeyOf = (userId: number): string => `user ${userId}`;

const whereQueued = (query: Knex.QueryBuilder): Knex.QueryBuilder => whereStatus(query, ['Queued']);
const whereAtWork = (query: Knex.QueryBuilder): Knex.QueryBuilder => whereStatus(query, ['PickedUp', 'Started']);

/** Returns the rank of a run that is stored directly as a worker's: a slot is free, and nobody waits. */
export function executingRank(db: Db, band: PriorityBand): Knex.Raw {
  return db.raw('coalesce(?, ?)', [whereInBand(whereAtWork(db('ActivityRuns').max('Turn')), band), band.FirstRank]);
}

export interface RankRequest {
  band: PriorityBand;
  /** Text, or the column of the updated row. */
  owner: string | Knex.Raw;
  /**
   * Number of ranks added to the current one. 1 for a run that waited while others of its activity ran: its lower Id
   * would otherwise put it ahead of the runs already waiting.
   */
  later?: 0 | 1;
}

/**
 * Returns the rank of a run that is queued now: one after its owner's last rank in the band, but not before the band's
 * current rank.
 */
export function nextRank(
  { dialect }: Pick<Database, 'dialect'>,
  db: Db,
  { band, owner, later = 0 }: RankRequest,
): Knex.Raw {
  const candidates = 'select ? + 1 as ?? union all select ? + ? union all select ? union all select ?';
  return db.raw(`(select max(??) from (${candidates}) as ??)`, [
    'Turns.Turn',
    dialect.lastRankOf(db, owner, { pool: band.Pool, from: band.FirstRank, below: endOfBand(band) }),
    'Turn',
    currentRank(db, band),
    later,
    overdueRank({ dialect }, db, band),
    band.FirstRank,
    'Turns',
  ] as Knex.RawBinding[]);
}

/**
 * Selects the lowest waiting rank or the highest executing rank, whichever is lower. A newcomer thus comes before the
 * second run of an owner whose first run is executing. The highest executing rank alone is not enough: small runs go
 * ahead of large ones that do not fit.
 */
function currentRank(db: Db, band: PriorityBand): Knex.Raw {
  const first = whereInBand(whereQueued(db('ActivityRuns').min({ Turn: 'Turn' })), band);
  const atWork = whereInBand(whereAtWork(db('ActivityRuns').max({ Turn: 'Turn' })), band);
  return db.raw('(select min(??) from (? union all ?) as ??)', [
    'Heads.Turn',
    first,
    atWork,
    'Heads',
  ] as Knex.RawBinding[]);
}

/**
 * Selects the next rank after the current one, if its first run has waited too long for newcomers to go ahead of it.
 */
function overdueRank({ dialect }: Pick<Database, 'dialect'>, db: Db, band: PriorityBand): Knex.QueryBuilder {
  const queued = whereQueued(db('ActivityRuns').select('Turn', 'QueueTime', 'MemoryCost'));
  const next = whereInBand(queued, band)
    .where('Turn', '>', currentRank(db, band))
    .orderBy([{ column: 'Turn' }, { column: 'Id' }])
    .limit(1)
    .as('Next');
  return db
    .select('Next.Turn')
    .from(next)
    .where((late) => {
      void late.where('Next.QueueTime', '<', dialect.nowPlus(db, -NEXT_RANK_MAX_WAIT_SECONDS));
      void late.orWhere((costly) => {
        void costly
          .where('Next.MemoryCost', '>', 0)
          .where('Next.QueueTime', '<', dialect.nowPlus(db, -COSTLY_NEXT_RANK_MAX_WAIT_SECONDS));
      });
    });
}

/** Restricts the query to runs with no costlier run before them; `narrow` selects which costlier runs count. */
export function whereNoneCostlierBefore(
  view: QueueView,
  query: Knex.QueryBuilder,
  cost: number,
  narrow: (costlier: Knex.QueryBuilder) => void = () => {},
): void {
  const first = (...columns: string[]): Knex.QueryBuilder => {
    // The literal makes the database use the filtered index of runs with a memory cost.
    const costlier = whereQueued(view.knex('ActivityRuns').select(columns)).whereRaw('?? > 0', ['MemoryCost']);
    if (cost > 0) void costlier.where('MemoryCost', '>', cost);
    narrow(costlier);
    return view.whereAllowed(view.whereServed(costlier)).orderBy(BY_RANK).limit(1);
  };
  whereBefore(view.knex, query, first);
}

/**
 * Restricts the query to runs before the first of certain other runs, or to all runs if there are none. @param first
 * selects the first of these other runs, with some of its columns
 */
export function whereBefore(
  knex: Knex,
  query: Knex.QueryBuilder,
  first: (...columns: string[]) => Knex.QueryBuilder,
): void {
  const before = '?? < ?? or (?? = ?? and ?? < ??)';
  const ranks = ['First.Turn', 'ActivityRuns.Turn'];
  const names = [...ranks, ...ranks, 'First.Id', 'ActivityRuns.Id'];
  void query
    // Implied by the other condition, but only this one stops an index scan early.
    .whereRaw('?? <= coalesce(?, ?)', ['ActivityRuns.Turn', first('Turn'), MAX_RANK] as Knex.RawBinding[])
    .whereNotExists(knex.select(knex.raw('1')).from(first('Turn', 'Id').as('First')).whereRaw(before, names));
}
