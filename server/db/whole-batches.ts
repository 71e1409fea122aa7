import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';

/**
 * Leaves out runs that stand for a batch as a whole: these end when their rows begin, and calculate nothing, so that they say nothing of how
 * runs of the activity go. @param runId column of the query that has the run
 */
export function whereNoWholeBatch(db: Db, query: Knex.QueryBuilder, runId: string): Knex.QueryBuilder {
  const whole = db('Batches as WB').select(db.raw('1')).whereRaw('?? = ??', ['WB.RunId', runId]);
  return query.whereNotExists(whole);
}
