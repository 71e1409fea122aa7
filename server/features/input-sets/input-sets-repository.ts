import type { Knex } from 'knex';
import type { NameColumns } from '#server/base/full-name.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { InputSetsRow } from '#server/db/tables.ts';
import { insertedId } from '#server/db/inserted-id.ts';

export type InputSetRow = NameColumns &
  Pick<InputSetsRow, 'Id' | 'ActivityId' | 'UserId' | 'Name' | 'IsShared' | 'ModifiedTime'>;

const sets = (db: Db) =>
  db('InputSets as S')
    .join('Users as U', 'U.UserId', 'S.UserId')
    .select('S.Id', 'S.ActivityId', 'S.UserId', 'S.Name', 'S.IsShared', 'S.ModifiedTime')
    .select<InputSetRow[]>('U.FirstName', 'U.MiddleName', 'U.LastName');

/** Returns the user's own sets and the shared ones, by name. */
export async function listInputSets(db: Db, activityId: number, userId: number): Promise<InputSetRow[]> {
  return sets(db)
    .where('S.ActivityId', activityId)
    .where((usable) => void usable.where('S.UserId', userId).orWhere('S.IsShared', true))
    .orderBy(['S.Name', 'S.Id']);
}

export async function findInputSet(db: Db, id: number): Promise<InputSetRow | undefined> {
  return sets(db).where('S.Id', id).first<InputSetRow | undefined>();
}

export async function readInputs(db: Db, Id: number): Promise<string | undefined> {
  const row = await db('InputSets').where({ Id }).first<{ Inputs: string } | undefined>('Inputs');
  return row?.Inputs;
}

export type NewInputSet = Pick<InputSetsRow, 'ActivityId' | 'UserId' | 'Name' | 'IsShared' | 'Inputs'>;

export async function insertInputSet(db: Db, row: NewInputSet): Promise<number> {
  return insertedId(db('InputSets').insert(row).returning('Id'));
}

export async function updateInputSet(
  db: Db,
  Id: number,
  { Name, Inputs, UserId, ModifiedTime }: Pick<NewInputSet, 'Name' | 'Inputs' | 'UserId'> & { ModifiedTime: Knex.Raw },
): Promise<void> {
  await db('InputSets').where({ Id }).update({ Name, Inputs, UserId, ModifiedTime });
}

export async function deleteInputSet(db: Db, Id: number): Promise<void> {
  await db('InputSets').where({ Id }).delete();
}
