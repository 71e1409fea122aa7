/**
 * In which order runs of one pool and priority leave the queue: in turns. Each run is given the number of its turn when it is queued. Of one owner every turn takes one
 * run, so that whoever has few waiting is not kept by who has many. An owner is a user, or the address of visitors.
 */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import type { Db, OrderTerm } from '#server/db/dialect/types.ts';
import { whereStatus } from '#server/db/where-status.ts';
import type { QueueView } from './queue-view.ts';
import { afterLastTurn, whereInLane, type Lane } from './lanes.ts';

export const BY_TURN: OrderTerm[] = [{ column: 'Turn' }, { column: 'Id' }];

/** After so long a wait, runs queued from then on no longer go before one whose turn is the next. */
const NEXT_TURN_WAITS_SECONDS = 600;
/** The same for one that takes memory: with others always before it, the space for it might never be there. */
const COSTLY_NEXT_TURN_WAITS_SECONDS = 60;

/** Of the column's type. */
const LAST_TURN = 2 ** 31 - 1;

export const turnOwnerOf = (userId: number): string => `user ${userId}`;

const whereQueued = (query: Knex.QueryBuilder): Knex.QueryBuilder => whereStatus(query, ['Queued']);
const whereAtWork = (query: Knex.QueryBuilder): Knex.QueryBuilder => whereStatus(query, ['PickedUp', 'Started']);

/** Turn of a run that is stored as a worker's right away: there is room, and nobody waits. */
export function turnAtWork(db: Db, lane: Lane): Knex.Raw {
  return db.raw('coalesce(?, ?)', [whereInLane(whereAtWork(db('ActivityRuns').max('Turn')), lane), lane.FirstTurn]);
}

export interface QueuedTurn {
  lane: Lane;
  /** Text, or the column of the row that is changed. */
  owner: string | Knex.Raw;
  /** Turns later than that: 1 for a run that others of its activity have gone before, as it is older than who waits. */
  later?: 0 | 1;
}

/** Turn of a run that goes into the queue now: the one after those its owner has in its lane, but not before the turn that the lane has come to. */
export function nextTurn(
  { dialect }: Pick<Database, 'dialect'>,
  db: Db,
  { lane, owner, later = 0 }: QueuedTurn,
): Knex.Raw {
  const turns = 'select ? + 1 as ?? union all select ? + ? union all select ? union all select ?';
  return db.raw(`(select max(??) from (${turns}) as ??)`, [
    'Turns.Turn',
    dialect.lastTurnOf(db, owner, { pool: lane.Pool, from: lane.FirstTurn, below: afterLastTurn(lane) }),
    'Turn',
    currentTurn(db, lane),
    later,
    overdueTurn({ dialect }, db, lane),
    lane.FirstTurn,
    'Turns',
  ] as Knex.RawBinding[]);
}

/**
 * The first turn that still waits, or the last that is worked on, if that is lower: a newcomer comes before the second run of
 * those at work. Not the last at work alone, as small runs go before large ones that find no space.
 */
function currentTurn(db: Db, lane: Lane): Knex.Raw {
  const first = whereInLane(whereQueued(db('ActivityRuns').min({ Turn: 'Turn' })), lane);
  const atWork = whereInLane(whereAtWork(db('ActivityRuns').max({ Turn: 'Turn' })), lane);
  return db.raw('(select min(??) from (? union all ?) as ??)', [
    'Heads.Turn',
    first,
    atWork,
    'Heads',
  ] as Knex.RawBinding[]);
}

/** The turn after the current one, where its first run has waited too long for newcomers to go before it. */
function overdueTurn({ dialect }: Pick<Database, 'dialect'>, db: Db, lane: Lane): Knex.QueryBuilder {
  const queued = whereQueued(db('ActivityRuns').select('Turn', 'QueueTime', 'MemoryCost'));
  const next = whereInLane(queued, lane)
    .where('Turn', '>', currentTurn(db, lane))
    .orderBy([{ column: 'Turn' }, { column: 'Id' }])
    .limit(1)
    .as('Next');
  return db
    .select('Next.Turn')
    .from(next)
    .where((late) => {
      void late.where('Next.QueueTime', '<', dialect.nowPlus(db, -NEXT_TURN_WAITS_SECONDS));
      void late.orWhere((costly) => {
        void costly
          .where('Next.MemoryCost', '>', 0)
          .where('Next.QueueTime', '<', dialect.nowPlus(db, -COSTLY_NEXT_TURN_WAITS_SECONDS));
      });
    });
}

/** Only runs that have none before them of those that cost more; `narrow` says which of these count. */
export function whereNoneCostlierBefore(
  view: QueueView,
  query: Knex.QueryBuilder,
  cost: number,
  narrow: (costlier: Knex.QueryBuilder) => void = () => {},
): void {
  const first = (...columns: string[]): Knex.QueryBuilder => {
    // The literal names the filtered index of what costs anything.
    const costlier = whereQueued(view.knex('ActivityRuns').select(columns)).whereRaw('?? > 0', ['MemoryCost']);
    if (cost > 0) void costlier.where('MemoryCost', '>', cost);
    narrow(costlier);
    return view.whereAllowed(view.whereServed(costlier)).orderBy(BY_TURN).limit(1);
  };
  whereBefore(view.knex, query, first);
}

/** Only runs before the first of others, or all where there is none. @param first the first of these, with some of its columns */
export function whereBefore(
  knex: Knex,
  query: Knex.QueryBuilder,
  first: (...columns: string[]) => Knex.QueryBuilder,
): void {
  const before = '?? < ?? or (?? = ?? and ?? < ??)';
  const turns = ['First.Turn', 'ActivityRuns.Turn'];
  const names = [...turns, ...turns, 'First.Id', 'ActivityRuns.Id'];
  void query
    // Follows from the other condition, but is one that ends the walk through an index.
    .whereRaw('?? <= coalesce(?, ?)', ['ActivityRuns.Turn', first('Turn'), LAST_TURN] as Knex.RawBinding[])
    .whereNotExists(knex.select(knex.raw('1')).from(first('Turn', 'Id').as('First')).whereRaw(before, names));
}
