import type { Db } from '#server/db/dialect/types.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';

export interface SsoRequestRow {
  StateHash: string;
  Provider: string;
  BindingHash: string;
  /** Contains JSON. */
  Proof: string;
  Path: string;
}

export async function insertRequest(db: Db, row: SsoRequestRow, seconds: number): Promise<void> {
  await db('SsoRequests').insert({ ...row, ExpiryTime: dialectOf(db).nowPlus(db, seconds) });
}

/**
 * Deletes and returns a request, so that no second response matches it. Undefined if there is no such request or it has
 * expired.
 */
export async function takeRequest(db: Db, StateHash: string, Provider: string): Promise<SsoRequestRow | undefined> {
  const rows = await db('SsoRequests')
    .where({ StateHash, Provider })
    .where('ExpiryTime', '>', dialectOf(db).now(db))
    .delete(['StateHash', 'Provider', 'BindingHash', 'Proof', 'Path']);
  return rows[0];
}

/** The stored data of a provider's session. */
export interface SsoSessionRow {
  Provider: string;
  SubjectHash: string;
  IndexHash: string;
  /** The provider's data for renewal and log-out, encrypted. */
  Encrypted: string;
  SsoExpiry: Date | null;
}

export interface SsoTicketRow extends SsoSessionRow {
  OttHash: string;
  BindingHash: string;
  UserId: number;
}

type Ticket = Omit<SsoTicketRow, 'SsoExpiry'>;

export async function insertTicket(db: Db, row: Ticket, seconds: { ticket: number; session: number }): Promise<void> {
  const dialect = dialectOf(db);
  await db('SsoTickets').insert({
    ...row,
    SsoExpiry: dialect.nowPlus(db, seconds.session),
    ExpiryTime: dialect.nowPlus(db, seconds.ticket),
  });
}

/**
 * Deletes and returns a ticket. Undefined if that browser has no such ticket or it has expired. An attempt from another
 * browser does not consume it.
 */
export async function takeTicket(db: Db, OttHash: string, BindingHash: string): Promise<SsoTicketRow | undefined> {
  const columns = [
    'OttHash',
    'BindingHash',
    'UserId',
    'Provider',
    'SubjectHash',
    'IndexHash',
    'Encrypted',
    'SsoExpiry',
  ];
  const rows = await db('SsoTickets')
    .where({ OttHash, BindingHash })
    .where('ExpiryTime', '>', dialectOf(db).now(db))
    .delete<SsoTicketRow[]>(columns);
  return rows[0];
}

export interface SsoTestRow {
  TokenHash: string;
  BindingHash: string;
  /** The administrator. */
  UserId: number;
  /** Contains JSON. */
  Report: string;
}

export async function insertTest(db: Db, row: SsoTestRow, seconds: number): Promise<void> {
  await db('SsoTests').insert({ ...row, ExpiryTime: dialectOf(db).nowPlus(db, seconds) });
}

/** Deletes and returns the report of a test; undefined if there is none, or if it has expired. */
export async function takeTest(db: Db, key: Omit<SsoTestRow, 'Report'>): Promise<string | undefined> {
  const rows = await db('SsoTests')
    .where(key)
    .where('ExpiryTime', '>', dialectOf(db).now(db))
    .delete<{ Report: string }[]>(['Report']);
  return rows[0]?.Report;
}

/** Records a message's id. Returns false if it was already recorded, on any server. */
export async function insertUsedAssertion(db: Db, AssertionHash: string, seconds: number): Promise<boolean> {
  const dialect = dialectOf(db);
  try {
    await db('UsedAssertions').insert({ AssertionHash, ExpiryTime: dialect.nowPlus(db, seconds) });
    return true;
  } catch (error) {
    if (dialect.classify(error).fault !== 'unique') throw error;
    return false;
  }
}

/** Deletes expired requests, tickets, results of tests and used message ids. */
export async function deleteExpiredSignOns(db: Db): Promise<void> {
  for (const table of ['SsoRequests', 'SsoTickets', 'SsoTests', 'UsedAssertions']) {
    await db(table).where('ExpiryTime', '<', dialectOf(db).now(db)).delete();
  }
}

export async function insertSsoSession(db: Db, SessionId: string, row: SsoSessionRow): Promise<void> {
  const { Provider, SubjectHash, IndexHash, Encrypted, SsoExpiry } = row;
  await db('SsoSessions').insert({ SessionId, Provider, SubjectHash, IndexHash, Encrypted, SsoExpiry });
}

export async function findSsoSession(db: Db, SessionId: string): Promise<SsoSessionRow | undefined> {
  return db('SsoSessions').where({ SessionId }).first();
}

/** Returns the new end of the provider's session. */
export async function prolongSsoSession(db: Db, SessionId: string, Encrypted: string, seconds: number): Promise<Date> {
  const [row] = await db('SsoSessions')
    .where({ SessionId })
    .update({ Encrypted, SsoExpiry: dialectOf(db).nowPlus(db, seconds) })
    .returning<{ SsoExpiry: Date }[]>('SsoExpiry');
  return row!.SsoExpiry;
}

/** Replaces the data of the provider's session with that of a new sign-in. */
export async function replaceSsoSession(db: Db, SessionId: string, row: SsoSessionRow): Promise<void> {
  const { Provider, SubjectHash, IndexHash, Encrypted, SsoExpiry } = row;
  await db('SsoSessions').where({ SessionId, Provider }).update({ SubjectHash, IndexHash, Encrypted, SsoExpiry });
}

/** Ends the sessions that a provider names: a single one, or all of a person. */
export async function endSsoSessions(db: Db, Provider: string, SubjectHash: string, IndexHash: string | null) {
  const named = db('SsoSessions').where({ Provider, SubjectHash }).select('SessionId');
  if (IndexHash !== null) void named.where({ IndexHash });
  await db('Sessions')
    .whereIn('SessionId', named)
    .whereNull('EndedTime')
    .update({ EndedTime: dialectOf(db).now(db) });
}
