import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inRows } from '#server/db/in-rows.ts';
import type { StoredFilesRow, WorkbookDesignPartsRow, WorkbookDesignsRow } from '#server/db/tables.ts';

/** Overview and Marks are JSON. */
export type DesignRow = WorkbookDesignsRow & Pick<StoredFilesRow, 'FileName' | 'StoreKey'>;

export type NewDesign = Pick<DesignRow, 'UserId' | 'ActivityId' | 'SchemaName' | 'FileId' | 'Overview' | 'Marks'>;

const designs = (db: Db): Knex.QueryBuilder =>
  db('WorkbookDesigns as D').join('StoredFiles as F', 'F.FileId', 'D.FileId');

/** Returns the number of the version in use. */
export async function usedVersionOf(db: Db, Id: number): Promise<number | undefined> {
  const row = await db('Activities').where({ Id }).first('Version');
  return row?.Version;
}

/** Returns the design if it belongs to the user. */
export async function findDesign(db: Db, Id: number, UserId: number): Promise<DesignRow | undefined> {
  return designs(db)
    .where({ 'D.Id': Id, 'D.UserId': UserId })
    .first<DesignRow | undefined>('D.*', 'F.FileName', 'F.StoreKey');
}

export type ListedDesign = Pick<DesignRow, 'Id' | 'ActivityId' | 'FileName' | 'ModifiedTime' | 'Revision'>;

/** Returns the designs newest first. */
export async function listDesigns(db: Db, UserId: number): Promise<ListedDesign[]> {
  return designs(db)
    .where('D.UserId', UserId)
    .orderBy([
      { column: 'D.ModifiedTime', order: 'desc' },
      { column: 'D.Id', order: 'desc' },
    ])
    .select<ListedDesign[]>('D.Id', 'D.ActivityId', 'F.FileName', 'D.ModifiedTime', 'D.Revision');
}

export type DesignPartFile = Pick<WorkbookDesignPartsRow, 'Sheet' | 'Part' | 'FileId'>;

export async function insertDesign(trx: Db, design: NewDesign, parts: readonly DesignPartFile[]): Promise<number> {
  const [inserted] = await trx('WorkbookDesigns')
    .insert({ ...design, Revision: 0, ModifiedTime: dialectOf(trx).now(trx) })
    .returning('Id');
  const DesignId = inserted!.Id;
  await inRows(
    trx,
    parts.map((part) => ({ DesignId, ...part })),
    (rows) => trx('WorkbookDesignParts').insert(rows),
  );
  return DesignId;
}

/** Returns the store key of a part of the user's design; undefined if there is none. */
export async function findPart(
  db: Db,
  { Id, UserId }: { Id: number; UserId: number },
  Sheet: number,
  Part: number,
): Promise<string | undefined> {
  const row = await db('WorkbookDesignParts as P')
    .join('WorkbookDesigns as D', 'D.Id', 'P.DesignId')
    .join('StoredFiles as F', 'F.FileId', 'P.FileId')
    .where({ 'D.Id': Id, 'D.UserId': UserId, 'P.Sheet': Sheet, 'P.Part': Part })
    .first<{ StoreKey: string } | undefined>('F.StoreKey');
  return row?.StoreKey;
}

/** Returns whether the design had that revision. */
export async function writeMarksOf(
  db: Db,
  { Id, UserId, Revision }: Pick<DesignRow, 'Id' | 'UserId' | 'Revision'>,
  Marks: string,
): Promise<boolean> {
  const values = { Marks, Revision: Revision + 1, ModifiedTime: dialectOf(db).now(db) };
  return (await db('WorkbookDesigns').where({ Id, UserId, Revision }).update(values)) === 1;
}

/** Deletes a design and returns the ids of its files. */
export async function removeDesign(trx: Db, Id: number): Promise<string[]> {
  const fileIds = await trx('WorkbookDesignParts').where('DesignId', Id).pluck('FileId');
  const workbooks = await trx('WorkbookDesigns').where({ Id }).pluck('FileId');
  await trx('WorkbookDesigns').where({ Id }).delete();
  return [...fileIds, ...workbooks];
}

/**
 * Returns designs that have not been changed for `seconds`. Designs that were opened but never changed expire after
 * `untouchedSeconds`.
 */
export async function oldDesigns(
  db: Db,
  { seconds, untouchedSeconds, limit }: { seconds: number; untouchedSeconds: number; limit: number },
): Promise<number[]> {
  const dialect = dialectOf(db);
  return db('WorkbookDesigns')
    .where('ModifiedTime', '<', dialect.nowPlus(db, -seconds))
    .orWhere((untouched) => {
      void untouched.where('Revision', 0).where('ModifiedTime', '<', dialect.nowPlus(db, -untouchedSeconds));
    })
    .orderBy('ModifiedTime')
    .limit(limit)
    .pluck('Id');
}
