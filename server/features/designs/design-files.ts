/** The stored files of designs: the original workbook, and the contents of its sheets for display. */
import type { WorkbookRegion } from '#server/calculation/reader/workbook-model.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Database } from '#server/db/database.ts';
import type { OpenedDesign } from '#server/executors/executor.ts';
import type { ReceivedFile } from '#server/files/received-file.ts';
import { discardAfter } from '#server/files/discard-after.ts';
import type { FileStore, StoredFile } from '#server/files/file-store.ts';
import { insertStoredFiles, newFileId, type NewStoredFile } from '#server/files/stored-files.ts';
import { deleteUnreferenced } from '#server/files/unreferenced-files.ts';
import type { Design } from '#shared/contract/designs.ts';
import { insertDesign, oldDesigns, removeDesign, type NewDesign } from './designs-repository.ts';

/** What a page shows of a workbook in addition to its cells, its marks and the columns of the row. */
export type DesignOverview = Pick<Design, 'Sheets' | 'Looks' | 'Date1904' | 'Proposals' | 'Carried'> & {
  /** Null if the workbook cannot be calculated; missing in designs that an older server version opened. */
  Region?: WorkbookRegion | null;
};

/** Either an uploaded workbook, or the workbook of a version, which is referenced and not copied. */
export type DesignSource = { StoreKey: string; FileName: string } & ({ uploaded: ReceivedFile } | { FileId: string });

export interface DesignFilesDeps {
  database: Database;
  store: FileStore;
}

/** Stores a design with all its files, or nothing if that fails. Returns its id. */
export async function storeDesign(
  { database, store }: DesignFilesDeps,
  owner: Pick<NewDesign, 'UserId' | 'ActivityId' | 'SchemaName'>,
  source: DesignSource,
  opened: OpenedDesign,
): Promise<number> {
  const stored: { Sheet: number; Part: number; file: StoredFile }[] = [];
  try {
    for (const [Sheet, parts] of opened.parts.entries())
      for (const [Part, bytes] of parts.entries()) stored.push({ Sheet, Part, file: await store.put(bytes) });
    const parts = stored.map(({ Sheet, Part, file }) => ({
      Sheet,
      Part,
      row: fileRow(file, `${Sheet}-${Part}.json.gz`),
    }));
    const workbook = 'uploaded' in source ? fileRow(source.uploaded.stored, source.uploaded.FileName) : null;
    return await inTransaction(database.knex, async (trx) => {
      await insertStoredFiles(trx, [...(workbook ? [workbook] : []), ...parts.map(({ row }) => row)]);
      const design = {
        ...owner,
        FileId: 'FileId' in source ? source.FileId : workbook!.FileId,
        Overview: JSON.stringify(overviewOf(opened)),
        Marks: JSON.stringify(opened.marks),
      };
      const files = parts.map(({ Sheet, Part, row }) => ({ Sheet, Part, FileId: row.FileId }));
      return insertDesign(trx, design, files);
    });
  } catch (error) {
    await discardAfter(
      store,
      stored.map(({ file }) => file.key),
      error,
    );
    throw error;
  }
}

/** The file has no owner: a design is deleted with its user, and the janitor deletes its files afterwards. */
function fileRow({ key, contentLength, sha256 }: StoredFile, FileName: string): NewStoredFile {
  const file = { FileId: newFileId(), StoreKey: key, FileName, ContentLength: contentLength, Sha256: sha256 };
  return { ...file, Purpose: 'design', UserId: null, ActivityParameterId: null };
}

function overviewOf({ sheets, looks, date1904, proposals, carried, region }: OpenedDesign): DesignOverview {
  return { Sheets: sheets, Looks: looks, Date1904: date1904, Proposals: proposals, Carried: carried, Region: region };
}

export async function deleteDesign({ database, store }: DesignFilesDeps, id: number): Promise<void> {
  const keys = await inTransaction(database.knex, async (trx) => deleteUnreferenced(trx, await removeDesign(trx, id)));
  await Promise.all(keys.map((key) => store.delete(key)));
}

const DAY = 24 * 3600;
const RETENTION_SECONDS = 30 * DAY;
const UNTOUCHED_RETENTION_SECONDS = DAY;
const CHUNK = 50;

/** Deletes abandoned designs that are past their retention period. */
export async function deleteOldDesigns(deps: DesignFilesDeps, signal: AbortSignal): Promise<number> {
  let deleted = 0;
  while (!signal.aborted) {
    const times = { seconds: RETENTION_SECONDS, untouchedSeconds: UNTOUCHED_RETENTION_SECONDS };
    const ids = await oldDesigns(deps.database.knex, { ...times, limit: CHUNK });
    for (const id of ids) await deleteDesign(deps, id);
    deleted += ids.length;
    if (ids.length < CHUNK) break;
  }
  return deleted;
}
