/**
 * Searches for runs that lack a value. No index contains what is missing, so if few of millions of runs match, checking
 * them one by one would take seconds. Therefore only the newest runs are checked individually. For the rest, the set of
 * runs that have the value is subtracted from the set of all runs.
 */
import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import { rowsBy, type Deadline } from '#server/db/time-limit.ts';
import { narrow, type RunConditions } from './history-search.ts';
import { isOfLacking, runsHaving, whereNotPurged } from './history-values.ts';

export interface LackingSearch {
  db: Db;
  /** Builds a query of the runs to search, from ActivityRuns with the given alias. */
  candidates: (table: string) => Knex.QueryBuilder;
  filter: RunConditions & { before: number | null; deadline: Deadline };
  /** Number of newest runs that are checked one by one. */
  near: number;
}

/**
 * Returns the id of the run after the newest `near` runs that meet all other conditions; undefined if there are no
 * more.
 */
export async function findNearEdge({ db, candidates, filter, near }: LackingSearch): Promise<number | undefined> {
  const query = candidates('N').orderBy('N.Id', 'desc').offset(near).limit(1).select('N.Id');
  narrowByTheOthers(query, db, 'N', filter);
  const [edge] = await rowsBy<{ Id: number }>(query, filter.deadline);
  return edge?.Id;
}

/** Returns the ids of the newest `limit` matching runs up to `edge`, newest first. */
export async function listFarLacking(
  { db, candidates, filter }: LackingSearch,
  edge: number,
  limit: number,
): Promise<number[]> {
  const lacking = candidates('F').where('F.Id', '<=', edge).select('F.Id');
  narrowByTheOthers(lacking, db, 'F', filter);
  for (const condition of filter.values.filter(isOfLacking)) void lacking.except(runsHaving(db, condition));
  const newest = db.from(lacking.as('L')).orderBy('L.Id', 'desc').limit(limit).select('L.Id');
  const found = await rowsBy<{ Id: number }>(newest, filter.deadline);
  return found.map(({ Id }) => Id);
}

function narrowByTheOthers(query: Knex.QueryBuilder, db: Db, table: string, filter: LackingSearch['filter']): void {
  if (filter.before !== null) void query.where(`${table}.Id`, '<', filter.before);
  narrow(query, db, table, { ...filter, values: filter.values.filter((condition) => !isOfLacking(condition)) });
  for (const condition of filter.values.filter(isOfLacking)) whereNotPurged(query, table, condition);
}
