/**
 * Records who changed what, so that two people who edit the same thing notice each other. An edit names the Revision
 * that it is based on; it is refused if somebody else has saved since.
 */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import { fullName, type NameColumns } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { EditsRow, TableRows, UsersRow } from '#server/db/tables.ts';
import type { OtherEdit } from '#shared/contract/endpoint.ts';

export interface EditedRecord {
  /** Table of the record. */
  table: keyof TableRows;
  /** Its id or name. */
  key: number | string;
}

/** The person who edits a record, and the Revision that they have seen; null if they accept any. */
export interface SeenBy {
  person: Pick<Person, 'UserId'>;
  Revision: number | null | undefined;
}

const LISTED_MAX = 1000;

/**
 * Returns the Revision of a record; 0 if nobody has changed it yet. Read it before the record: a change in between is
 * then refused, not overwritten.
 */
export async function revisionOf(db: Db, { table, key }: EditedRecord): Promise<number> {
  const row = await db('Edits').where(rowOf({ table, key })).first('Revision');
  return row?.Revision ?? 0;
}

/** Reads the Revisions of records of one table, as revisionOf. Returns a function that finds them by key. */
export async function revisionsOf(
  db: Db,
  table: EditedRecord['table'],
  keys: PromiseLike<readonly EditedRecord['key'][]>,
): Promise<(key: EditedRecord['key']) => number> {
  const known = (await keys).map(String);
  const edited = db('Edits').where('RecordTable', table);
  // SQL Server binds at most 2,100 values. A longer list contains most records of the table anyway.
  if (known.length <= LISTED_MAX) void edited.whereIn('RecordKey', known);
  const rows = known.length === 0 ? [] : await edited.select('RecordKey', 'Revision');
  const found = new Map(rows.map(({ RecordKey, Revision }) => [RecordKey, Revision]));
  return (key) => found.get(String(key)) ?? 0;
}

/**
 * Records a change of a record. Call it first in the transaction of the change: the second of two concurrent edits
 * waits here for the first one. Throws an AppError 409 if the record has another Revision than the person has seen.
 */
export async function recordEdit(
  trx: Knex.Transaction,
  record: EditedRecord,
  { person: { UserId }, Revision: seen }: SeenBy,
): Promise<void> {
  const key = rowOf(record);
  const dialect = dialectOf(trx);
  await dialect.upsert(trx, {
    table: 'Edits',
    rows: [{ ...key, Revision: 0, UserId }],
    key: ['RecordTable', 'RecordKey'],
    update: [],
  });
  const before = await trx('Edits').where(key).forUpdate().first('Revision');
  const Revision = before?.Revision ?? 0;
  if (seen !== undefined && seen !== null && seen !== Revision) throw await changedByOther(trx, record, Revision);
  await trx('Edits')
    .where(key)
    .update({ Revision: Revision + 1, UserId, Time: dialect.now(trx) });
}

const rowOf = ({ table, key }: EditedRecord) => ({ RecordTable: table, RecordKey: String(key) });

/** Returns the refusal of an edit of an earlier Revision, which names who made the last change. */
export async function changedByOther(db: Db, record: EditedRecord, Revision: number): Promise<AppError> {
  const row = await db('Edits as E')
    .leftJoin('Users as U', 'U.UserId', 'E.UserId')
    .where(rowOf(record))
    .first<(NameColumns & { UserName: UsersRow['UserName'] | null } & Pick<EditsRow, 'Time'>) | undefined>(
      'E.Time',
      'U.UserName',
      'U.FirstName',
      'U.MiddleName',
      'U.LastName',
    );
  const UserFullName = (row && (fullName(row) || row.UserName)) ?? '';
  const time = row?.Time ?? new Date();
  const name = UserFullName || 'Another user';
  const text = `${name} changed this on ${shownTime(time)}, after you opened it. Nothing was saved.`;
  const other: OtherEdit = { Revision, UserFullName, Time: time.toISOString() };
  return new AppError('changedByOther', 409, text, {
    modelState: { Revision: [text] },
    answer: { OtherEdit: other },
  });
}

/** For programs. The screens show the time in the zone and region of the person. */
const shownTime = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
