import type { Knex } from 'knex';
import type { NameColumns } from '#server/base/full-name.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { whereInScope, type RightScope } from '#server/access/rights/right-scope.ts';
import { REQUEST_DAYS, type AccessObject } from '#shared/contract/access-requests.ts';

const DAY_SECONDS = 86_400;

export interface RequestObject {
  ObjectKind: AccessObject;
  ObjectId: number;
}

export interface NewRequest extends RequestObject {
  UserId: number;
  /** Null if there is no such object. */
  ActivityId: number | null;
  Message: string;
}

export interface RequestRow extends RequestObject, NameColumns {
  Id: number;
  UserId: number;
  UserName: string;
  Email: string;
  ActivityId: number;
  ActivityName: string;
  Schema: string;
  Message: string;
  CreateTime: Date;
}

/** Returns when the person asked for the object, if that request was neither granted nor has expired. */
export async function findAskedTime(
  db: Db,
  { UserId, ObjectKind, ObjectId }: RequestObject & { UserId: number },
): Promise<Date | null> {
  const row = (await db('AccessRequests')
    .where({ UserId, ObjectKind, ObjectId })
    .whereNot('Status', 'Granted')
    .where('CreateTime', '>', dialectOf(db).nowPlus(db, -REQUEST_DAYS * DAY_SECONDS))
    .orderBy('Id', 'desc')
    .first('CreateTime')) as { CreateTime: Date } | undefined;
  return row?.CreateTime ?? null;
}

/** Returns how many requests the person sent within 24 hours. */
export async function countRequestsOfDay(db: Db, UserId: number): Promise<number> {
  const row = (await db('AccessRequests')
    .where({ UserId })
    .where('CreateTime', '>', dialectOf(db).nowPlus(db, -DAY_SECONDS))
    .count({ Count: '*' })
    .first()) as { Count: number };
  return row.Count;
}

export async function insertRequest(db: Db, request: NewRequest): Promise<number> {
  const [row] = (await db('AccessRequests')
    .insert({ ...request, Status: 'Open' })
    .returning('Id')) as { Id: number }[];
  return row!.Id;
}

/** Selects open requests of people who can still sign in. */
function openRequests(db: Db): Knex.QueryBuilder {
  const query = db('AccessRequests as Q')
    .join('Activities as A', 'A.Id', 'Q.ActivityId')
    .join('Users as U', 'U.UserId', 'Q.UserId')
    .where('U.Enabled', true)
    .whereNull('U.DeletedTime')
    .where('Q.CreateTime', '>', dialectOf(db).nowPlus(db, -REQUEST_DAYS * DAY_SECONDS));
  return whereStatus(query, ['Open'], 'Q.Status');
}

const COLUMNS = [
  'Q.Id',
  'Q.ObjectKind',
  'Q.ObjectId',
  'Q.UserId',
  'Q.ActivityId',
  'Q.Message',
  'Q.CreateTime',
  'U.UserName',
  'U.FirstName',
  'U.MiddleName',
  'U.LastName',
  'U.Email',
  'A.Name as ActivityName',
  'A.Schema',
];

/** The person who may decide, and the activities for which they may. */
export interface Decider {
  userId: number;
  scope: RightScope;
}

/** Selects the open requests that the person may decide. Nobody decides their own. */
function requestsFor(db: Db, { userId, scope }: Decider): Knex.QueryBuilder {
  const query = openRequests(db).whereNot('Q.UserId', userId);
  whereInScope(query, scope, { Schema: 'A.Schema', Id: 'A.Id' });
  return query;
}

/** Returns the requests newest first. */
export async function listRequests(
  db: Db,
  decider: Decider,
  { before, limit }: { before: number | null; limit: number },
): Promise<RequestRow[]> {
  const query = requestsFor(db, decider).orderBy('Q.Id', 'desc').limit(limit).select(COLUMNS);
  if (before !== null) void query.where('Q.Id', '<', before);
  return (await query) as RequestRow[];
}

/** Returns the number of requests, up to `limit`. */
export async function countRequests(db: Db, decider: Decider, limit: number): Promise<number> {
  const some = requestsFor(db, decider).select('Q.Id').limit(limit).as('Some');
  return ((await db.from(some).count({ Count: '*' }).first()) as { Count: number }).Count;
}

export async function findOpenRequest(db: Db, Id: number): Promise<RequestRow | undefined> {
  return (await openRequests(db).where('Q.Id', Id).first(COLUMNS)) as RequestRow | undefined;
}

/** Returns whether the request was still open. */
export async function closeRequest(db: Db, Id: number, Status: 'Granted' | 'Declined'): Promise<boolean> {
  const DecideTime = dialectOf(db).now(db);
  return (await db('AccessRequests').where({ Id, Status: 'Open' }).update({ Status, DecideTime })) > 0;
}

/** Returns the activity of a run; undefined if there is no such run. */
export async function findActivityOfRun(db: Db, runId: number): Promise<number | undefined> {
  const row = (await db('ActivityRuns').where('Id', runId).first('ActivityId')) as { ActivityId: number } | undefined;
  return row?.ActivityId;
}

export async function activityExists(db: Db, Id: number): Promise<boolean> {
  return (await db('Activities').where({ Id }).first('Id')) !== undefined;
}
