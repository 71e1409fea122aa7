import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';

/**
 * Excludes runs that represent a whole batch. They end when their rows begin and calculate nothing, so they say nothing
 * about the runs of an activity. @param runId column of the query that contains the run id
 */
export function whereNotBatchRun(db: Db, query: Knex.QueryBuilder, runId: string): Knex.QueryBuilder {
  const batch = db('Batches as WB').select(db.raw('1')).whereRaw('?? = ??', ['WB.RunId', runId]);
  return query.whereNotExists(batch);
}
