/**
 * The pool and priority band in which a run waits. Each band has its own range of ranks (column Turn); higher
 * priorities have lower ranks.
 */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { prepared } from '#server/db/prepared.ts';
import { whereStatus } from '#server/db/where-status.ts';
import type { Priority, QueueingColumns } from '#shared/contract/queueing.ts';

export interface PriorityBand {
  Pool: string;
  /** First rank of the band. */
  FirstRank: number;
  RunsAtOnce: number;
}

/** Number of ranks in a band; more than are ever used while something waits. */
const RANKS_PER_BAND = 1_000_000_000;
const FIRST_RANKS: Readonly<Record<Priority, number>> = { High: -RANKS_PER_BAND, Normal: 0, Low: RANKS_PER_BAND };
export function priorityBandOf({ Pool, Priority, RunsAtOnce }: QueueingColumns): PriorityBand {
  return { Pool, RunsAtOnce, FirstRank: FIRST_RANKS[Priority] };
}

export const endOfBand = ({ FirstRank }: PriorityBand): number => FirstRank + RANKS_PER_BAND;

export async function readPriorityBand(db: Db, activityId: number): Promise<PriorityBand> {
  const activity = db('Activities').where('Id', activityId).first<QueueingColumns>('Pool', 'Priority', 'RunsAtOnce');
  return priorityBandOf(await prepared(activity));
}

/** A run that has waited this long for runs of higher priorities moves up to the next band. */
const OVERDUE_SECONDS = 600;

/**
 * Moves up the first such run of each band, so a stream of higher-priority runs cannot block it forever. Returns the
 * number of runs moved.
 */
export async function moveOverdue({ knex, dialect }: Pick<Database, 'knex' | 'dialect'>): Promise<number> {
  let moved = 0;
  for (const first of [FIRST_RANKS.Normal, FIRST_RANKS.Low]) {
    const before = whereStatus(knex('ActivityRuns as B').select(knex.raw('1')), ['Queued'], 'B.Status')
      .whereRaw('?? = ??', ['B.Pool', 'ActivityRuns.Pool'])
      .where('B.Turn', '<', first);
    const overdue = whereStatus(knex('ActivityRuns'), ['Queued'])
      .whereBetween('Turn', [first, first + RANKS_PER_BAND - 1])
      .where('QueueTime', '<', dialect.nowPlus(knex, -OVERDUE_SECONDS))
      .whereExists(before)
      .orderBy([{ column: 'Turn' }, { column: 'Id' }])
      .limit(1)
      .select('Id');
    moved += await whereStatus(knex('ActivityRuns'), ['Queued'])
      .whereIn('Id', overdue)
      .where('Turn', '>=', first)
      .update({ Turn: knex.raw('?? - ?', ['Turn', RANKS_PER_BAND]) });
  }
  return moved;
}

/** Restricts the query to the runs of a band. */
export function whereInBand(query: Knex.QueryBuilder, band: PriorityBand): Knex.QueryBuilder {
  return query.where('Pool', band.Pool).where('Turn', '>=', band.FirstRank).where('Turn', '<', endOfBand(band));
}

/** Returns the columns that a run takes from its band. */
export const bandColumns = ({ Pool, RunsAtOnce }: PriorityBand) => ({ Pool, RunsAtOnce });
