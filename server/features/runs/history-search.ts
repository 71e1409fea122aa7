/**
 * The conditions of a history search. Nearly all of them can use an index, so that rare runs are found among millions.
 */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import { nonEmpty } from '#server/base/non-empty.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { whereIds } from '#server/db/where-ids.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { hasSucceeded, LogCategory, PROBLEM_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';
import type { HistorySearch, ValueCondition } from '#shared/contract/run-history.ts';
import { canCompare } from '#shared/rules/value-condition-rules.ts';
import { idBounds, type IdBounds, type Period } from './history-period.ts';
import { narrowByValue } from './history-values.ts';
import { usersNamed } from '#server/access/user-queries.ts';

/** A search, prepared for queries. */
export interface RunConditions extends Period, IdBounds {
  statuses: readonly RunStatus[] | undefined;
  userIds: readonly number[] | undefined;
  /** Words in the names of the people who started the runs; only set if too many people match to list their ids. */
  runBy: string | undefined;
  values: readonly ValueCondition[];
  /** The link that started the runs; null for all. */
  linkId: number | null;
  /** Only these activities; undefined for all. */
  activityIds: readonly number[] | undefined;
  /** Part of an error in the log. */
  error: string | undefined;
  /** Only these runs; undefined for all. */
  ids: readonly number[] | undefined;
}

/**
 * Up to this number of users, conditions list their ids: the database then knows how many runs each has, and can choose
 * a good plan.
 */
const USERS_BY_ID = 100;

/**
 * Does not read Reason, whose runs are found with the other conditions, and Mine, which the caller turns into UserIds.
 *
 * Throws an AppError 400 for values that cannot be compared.
 */
export async function runConditions(db: Db, search: HistorySearch): Promise<RunConditions> {
  const values = search.Values ?? [];
  if (values.length > 0 && (search.ActivityId ?? null) === null) {
    throw new AppError('historySearchInvalid', 400, 'You can search values only in the history of a single activity');
  }
  const wrong = values.find((condition) => !canCompare(condition));
  if (wrong) {
    throw new AppError('historySearchInvalid', 400, `A value of this kind cannot be compared with ${wrong.Operator}`);
  }
  const period = {
    queuedFrom: search.QueuedFrom === undefined ? undefined : new Date(search.QueuedFrom),
    queuedBefore: search.QueuedBefore === undefined ? undefined : new Date(search.QueuedBefore),
  };
  const error = search.Error?.trim() || undefined;
  const statuses = error === undefined ? search.Statuses : statusesWithErrors(search.Statuses);
  return {
    statuses: nonEmpty(statuses),
    ...(await startedBy(db, search)),
    ...period,
    ...(await idBounds(db, period)),
    values,
    linkId: search.LinkId ?? null,
    activityIds: await activitiesNamed(db, search),
    error,
    // No run is found if none of the statuses can have errors.
    ids: error !== undefined && statuses?.length === 0 ? [] : undefined,
  };
}

/** Errors are searched among the failed runs, which are few. Runs that succeeded are many, and have no errors. */
const statusesWithErrors = (wanted: HistorySearch['Statuses']): RunStatus[] =>
  (nonEmpty(wanted) ?? PROBLEM_STATUSES).filter((status) => !hasSucceeded(status));

async function activitiesNamed(db: Db, { Schema, Name }: HistorySearch): Promise<number[] | undefined> {
  const words = Name?.trim().split(/\s+/).filter(Boolean) ?? [];
  if (Schema === undefined && words.length === 0) return undefined;
  const activities = db('Activities').select('Id');
  if (Schema !== undefined) void activities.where({ Schema });
  for (const word of words) void activities.where(dialectOf(db).contains(db, 'Name', word));
  return (await activities).map(({ Id }) => Id);
}

async function startedBy(db: Db, search: HistorySearch): Promise<Pick<RunConditions, 'userIds' | 'runBy'>> {
  const { RunBy } = search;
  const UserIds = nonEmpty(search.UserIds);
  const runBy = RunBy?.trim();
  if (!runBy) return { userIds: UserIds, runBy: undefined };
  const named = await usersNamed(db, runBy).limit(USERS_BY_ID + 1);
  if (named.length > USERS_BY_ID) return { userIds: UserIds, runBy };
  const ids = named.map(({ UserId }) => UserId);
  return { userIds: UserIds ? ids.filter((id) => UserIds.includes(id)) : ids, runBy: undefined };
}

/** Returns whether the conditions exclude any runs. */
export const narrowsRuns = ({ values, linkId, ...others }: RunConditions): boolean =>
  values.length > 0 ||
  linkId !== null ||
  [others.statuses, others.userIds, others.runBy, others.queuedFrom, others.queuedBefore].some(isGiven) ||
  [others.activityIds, others.error, others.ids].some(isGiven);

const isGiven = (condition: unknown): boolean => condition !== undefined;

/** @param table alias of ActivityRuns in the query */
export function narrow(query: Knex.QueryBuilder, db: Db, table: string, conditions: RunConditions): void {
  const { statuses, userIds, runBy, queuedFrom, queuedBefore, firstId, lastId, values, linkId } = conditions;
  const { activityIds, error, ids } = conditions;
  if (linkId !== null) void query.where(`${table}.ActivityLinkId`, linkId);
  // As literals, for the index of failed runs.
  if (statuses) whereStatus(query, statuses, `${table}.Status`);
  if (activityIds) whereIds(query, `${table}.ActivityId`, activityIds);
  if (ids) whereIds(query, `${table}.Id`, ids);
  if (userIds) void query.whereIn(`${table}.UserId`, userIds);
  if (runBy) void query.whereIn(`${table}.UserId`, usersNamed(db, runBy));
  if (queuedFrom) void query.where(`${table}.QueueTime`, '>=', queuedFrom);
  if (queuedBefore) void query.where(`${table}.QueueTime`, '<', queuedBefore);
  if (firstId !== undefined) void query.where(`${table}.Id`, '>=', firstId);
  if (lastId !== undefined) void query.where(`${table}.Id`, '<=', lastId);
  for (const condition of values) narrowByValue(query, db, table, condition);
  if (error !== undefined) {
    const lines = db('RunLogEntries as E')
      .whereRaw('?? = ??', ['E.ActivityRunId', `${table}.Id`])
      .where('E.Category', '>=', LogCategory.Error)
      .where(dialectOf(db).contains(db, 'E.Message', error))
      .select(db.raw('1'));
    void query.whereExists(lines);
  }
}
