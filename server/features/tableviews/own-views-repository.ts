import type { Db } from '#server/db/dialect/types.ts';
import type { OwnTableViewsRow } from '#server/db/tables.ts';
import { insertedId } from '#server/db/inserted-id.ts';

export type OwnViewRow = OwnTableViewsRow;

/** Key of a person's own view. It includes the user, so that nobody reaches another person's view. */
export type OwnViewKey = Pick<OwnViewRow, 'Id' | 'UserId'>;

export async function listOwnViewRows(
  db: Db,
  of: Pick<OwnViewRow, 'TableViewId' | 'UserId'>,
): Promise<Pick<OwnViewRow, 'Id' | 'Name' | 'Choice'>[]> {
  return db('OwnTableViews').where(of).orderBy('NameKey').select('Id', 'Name', 'Choice');
}

export async function findOwnView(db: Db, key: OwnViewKey): Promise<Pick<OwnViewRow, 'TableViewId'> | undefined> {
  return db('OwnTableViews').where(key).first('TableViewId');
}

export async function insertOwnView(db: Db, row: Omit<OwnViewRow, 'Id'>): Promise<number> {
  return insertedId(db('OwnTableViews').insert(row).returning('Id'));
}

export async function updateOwnView(
  db: Db,
  key: OwnViewKey,
  change: Partial<Pick<OwnViewRow, 'Name' | 'NameKey' | 'Choice'>>,
): Promise<void> {
  await db('OwnTableViews').where(key).update(change);
}

export async function deleteOwnViewRow(db: Db, key: OwnViewKey): Promise<void> {
  await db('OwnTableViews').where(key).delete();
}
