/**
 * Searches for runs that lack a value, of which none may be found among millions. No index knows what is not there: one run after
 * the other would be looked up, for seconds. So only the newest are; for the rest all runs and all that have the value are read
 * side by side.
 */
import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import { rowsBy, type Deadline } from '#server/db/time-limit.ts';
import { narrow, type RunConditions } from './history-search.ts';
import { isOfLacking, runsHaving, whereKept } from './history-values.ts';

export interface LackingSearch {
  db: Db;
  /** Runs among which is searched, of ActivityRuns by that alias. */
  candidates: (table: string) => Knex.QueryBuilder;
  filter: RunConditions & { before: number | null; deadline: Deadline };
  /** Number of runs that are looked at one by one. */
  near: number;
}

/** The run behind the newest `near` that meet all other conditions; undefined where there are no more than those. */
export async function findNearEdge({ db, candidates, filter, near }: LackingSearch): Promise<number | undefined> {
  const query = candidates('N').orderBy('N.Id', 'desc').offset(near).limit(1).select('N.Id');
  narrowByTheOthers(query, db, 'N', filter);
  const [edge] = await rowsBy<{ Id: number }>(query, filter.deadline);
  return edge?.Id;
}

/** Numbers of the newest `limit` runs up to `edge` that the search finds, newest first. */
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
  for (const condition of filter.values.filter(isOfLacking)) whereKept(query, table, condition);
}
