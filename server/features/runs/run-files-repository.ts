import type { Db } from '#server/db/dialect/types.ts';
import type { StoredFilesRow } from '#server/db/tables.ts';

export type FoundFile = Pick<StoredFilesRow, 'FileId' | 'StoreKey' | 'FileName'>;

export async function findRunFile(
  db: Db,
  table: 'RunInputs' | 'RunOutputs',
  key: { runId: number; parameterId: number; index: number },
): Promise<FoundFile | undefined> {
  return db(`${table} as V`)
    .join('StoredFiles as F', 'F.FileId', 'V.FileId')
    .where({ 'V.ActivityRunId': key.runId, 'V.ActivityParameterId': key.parameterId, 'V.ArrayIndex': key.index })
    .first<FoundFile | undefined>('F.FileId', 'F.StoreKey', 'F.FileName');
}

/** Returns a file created by a run, by its id. */
export async function findOutputFile(
  db: Db,
  fileId: string,
): Promise<(FoundFile & { ActivityRunId: number }) | undefined> {
  return db('RunOutputs as V')
    .join('StoredFiles as F', 'F.FileId', 'V.FileId')
    .where('V.FileId', fileId)
    .first<(FoundFile & { ActivityRunId: number }) | undefined>(
      'F.FileId',
      'F.StoreKey',
      'F.FileName',
      'V.ActivityRunId',
    );
}

/** Returns the files created by a run, the calculated workbook first. */
export async function listOutputFiles(db: Db, runId: number): Promise<FoundFile[]> {
  return db('RunOutputs as V')
    .join('StoredFiles as F', 'F.FileId', 'V.FileId')
    .where('V.ActivityRunId', runId)
    .orderByRaw(
      db.raw('case when ?? is null then 0 else 1 end, ??, ??', [
        'V.ActivityParameterId',
        'V.ActivityParameterId',
        'V.ArrayIndex',
      ]),
    )
    .select<FoundFile[]>('F.FileId', 'F.StoreKey', 'F.FileName');
}

/** Returns the calculated workbook of a run; undefined if none was created, or if it no longer exists. */
export async function findCalculatedWorkbook(db: Db, runId: number): Promise<Pick<FoundFile, 'StoreKey'> | undefined> {
  return db('RunOutputs as V')
    .join('StoredFiles as F', 'F.FileId', 'V.FileId')
    .where('V.ActivityRunId', runId)
    .whereNull('V.ActivityParameterId')
    .first<Pick<FoundFile, 'StoreKey'> | undefined>('F.StoreKey');
}
