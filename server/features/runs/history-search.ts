/** Which runs of a history are asked for. Nearly every condition can be decided by an index, so that rare runs are found among millions. */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import type { HistorySearch, ValueCondition } from '#shared/contract/run-history.ts';
import { canCompare } from '#shared/rules/value-condition-rules.ts';
import { narrowByValue } from './history-values.ts';

/** A search as queries take it. */
export interface RunConditions {
  statuses: readonly RunStatus[] | undefined;
  userIds: readonly number[] | undefined;
  /** Words in the names of those who started them, where those are too many to be named by their ids. */
  runBy: string | undefined;
  queuedFrom: Date | undefined;
  queuedBefore: Date | undefined;
  /** Numbers of runs between which all are that were queued in time; both included. */
  firstId: number | undefined;
  lastId: number | undefined;
  values: readonly ValueCondition[];
  /** The link that started them; null for all. */
  linkId: number | null;
}

/** An empty list of a query filters nothing, as null does. */
export const nonEmpty = <T>(list: readonly T[] | null | undefined): readonly T[] | undefined =>
  list && list.length > 0 ? list : undefined;

const DAY_MS = 86_400_000;
/** The database knows how many runs each of so many people has, and so where to begin. */
const USERS_BY_ID = 100;

/** Throws an AppError 400 for what cannot be compared. */
export async function runConditions(db: Db, search: HistorySearch): Promise<RunConditions> {
  const values = search.Values ?? [];
  if (values.length > 0 && (search.ActivityId ?? null) === null) {
    throw new AppError('historySearchInvalid', 400, 'Values can be searched in the history of one activity only');
  }
  const wrong = values.find((condition) => !canCompare(condition));
  if (wrong) {
    throw new AppError('historySearchInvalid', 400, `A value of this kind cannot be compared by ${wrong.Operator}`);
  }
  const queuedFrom = search.QueuedFrom === undefined ? undefined : new Date(search.QueuedFrom);
  const queuedBefore = search.QueuedBefore === undefined ? undefined : new Date(search.QueuedBefore);
  return {
    statuses: nonEmpty(search.Statuses),
    ...(await startedBy(db, search)),
    queuedFrom,
    queuedBefore,
    firstId: queuedFrom && (await edgeId(db, '>=', new Date(queuedFrom.getTime() - DAY_MS))),
    lastId: queuedBefore && (await edgeId(db, '<=', new Date(queuedBefore.getTime() + DAY_MS))),
    values,
    linkId: search.LinkId ?? null,
  };
}

async function startedBy(db: Db, search: HistorySearch): Promise<Pick<RunConditions, 'userIds' | 'runBy'>> {
  const { RunBy } = search;
  const UserIds = nonEmpty(search.UserIds);
  const runBy = RunBy?.trim();
  if (!runBy) return { userIds: UserIds, runBy: undefined };
  const named = (await usersNamed(db, runBy).limit(USERS_BY_ID + 1)) as { UserId: number }[];
  if (named.length > USERS_BY_ID) return { userIds: UserIds, runBy };
  const ids = named.map(({ UserId }) => UserId);
  return { userIds: UserIds ? ids.filter((id) => UserIds.includes(id)) : ids, runBy: undefined };
}

/**
 * The run at the edge of a period: from there on all are in it. Runs are numbered in the order of their time but for moments (their
 * transactions overlap), for which the period is taken a day too wide; without this edge the database would go through all runs
 * that are newer.
 */
async function edgeId(db: Db, side: '>=' | '<=', time: Date): Promise<number> {
  const run = await db('ActivityRuns')
    .where('QueueTime', side, time)
    .orderBy('QueueTime', side === '>=' ? 'asc' : 'desc')
    .first<{ Id: number } | undefined>('Id');
  // None at all: no run can be in the period.
  return run?.Id ?? (side === '>=' ? Number.MAX_SAFE_INTEGER : 0);
}

/** Whether the conditions leave out any run. */
export const narrowsRuns = ({ values, linkId, ...others }: RunConditions): boolean =>
  values.length > 0 ||
  linkId !== null ||
  [others.statuses, others.userIds, others.runBy, others.queuedFrom, others.queuedBefore].some(
    (condition) => condition !== undefined,
  );

/** @param table alias of ActivityRuns in the query */
export function narrow(query: Knex.QueryBuilder, db: Db, table: string, conditions: RunConditions): void {
  const { statuses, userIds, runBy, queuedFrom, queuedBefore, firstId, lastId, values, linkId } = conditions;
  if (linkId !== null) void query.where(`${table}.ActivityLinkId`, linkId);
  if (statuses) void query.whereIn(`${table}.Status`, statuses);
  if (userIds) void query.whereIn(`${table}.UserId`, userIds);
  if (runBy) void query.whereIn(`${table}.UserId`, usersNamed(db, runBy));
  if (queuedFrom) void query.where(`${table}.QueueTime`, '>=', queuedFrom);
  if (queuedBefore) void query.where(`${table}.QueueTime`, '<', queuedBefore);
  if (firstId !== undefined) void query.where(`${table}.Id`, '>=', firstId);
  if (lastId !== undefined) void query.where(`${table}.Id`, '<=', lastId);
  for (const condition of values) narrowByValue(query, db, table, condition);
}

/** Every word is in one of the names. */
export function usersNamed(db: Db, text: string): Knex.QueryBuilder {
  const dialect = dialectOf(db);
  const users = db('Users').select('UserId');
  for (const word of text.split(/\s+/)) {
    void users.where((any) => {
      for (const column of ['FirstName', 'MiddleName', 'LastName', 'UserName'])
        void any.orWhere(dialect.contains(db, column, word));
    });
  }
  return users;
}
