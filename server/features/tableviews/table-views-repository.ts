import type { Db } from '#server/db/dialect/types.ts';
import { prepared } from '#server/db/prepared.ts';
import { insertedId } from '#server/db/inserted-id.ts';
import type { TableView, TableViewItem } from '#shared/contract/tableviews.ts';

export async function listViews(db: Db): Promise<TableViewItem[]> {
  return db('TableViews')
    .select('Id', 'ConnectionName', 'TableName', 'ViewName')
    .orderBy(['ConnectionName', 'TableName', 'ViewName']);
}

export type StoredView = Omit<TableView, 'Revision'>;

export async function findView(db: Db, id: number): Promise<StoredView | undefined> {
  const view = db('TableViews').where('Id', id).first('Id', 'ConnectionName', 'TableName', 'ViewName', 'ViewInfo');
  return prepared(view);
}

export async function insertView(db: Db, view: Omit<StoredView, 'Id'>): Promise<number> {
  return insertedId(db('TableViews').insert(view).returning('Id'));
}

export async function updateViewInfo(db: Db, id: number, ViewInfo: string): Promise<void> {
  await db('TableViews').where('Id', id).update({ ViewInfo });
}

export async function deleteView(db: Db, id: number): Promise<void> {
  await db('TableViews').where('Id', id).delete();
}

/** Returns the tables that have views. */
export async function listViewedTables(db: Db): Promise<Pick<TableViewItem, 'ConnectionName' | 'TableName'>[]> {
  return db('TableViews').distinct('ConnectionName', 'TableName').orderBy(['ConnectionName', 'TableName']);
}
