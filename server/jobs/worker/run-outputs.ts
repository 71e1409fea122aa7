import type { RunOutcome } from '#server/executors/executor.ts';
import { nameKey, type ActivityVersion } from '#server/versions/version-catalog.ts';
import type { FileStore, StoredFile } from '#server/files/file-store.ts';
import { newFileId, type NewStoredFile } from '#server/files/stored-files.ts';
import type { OutputRow } from '#server/jobs/queue/run-end.ts';

export interface StoredOutputs {
  outputs: OutputRow[];
  files: NewStoredFile[];
}

/** What becomes of a run's files is decided by the store that is given, as whether it waits for one that is away. */
interface OutputStore extends Pick<FileStore, 'delete'> {
  put(bytes: Uint8Array): Promise<StoredFile>;
}

/**
 * Puts the files of a run into the store and answers the rows its end writes: those of the values, then those of the files. Where
 * one file cannot be stored, none stays.
 */
export async function storeOutputs(
  store: OutputStore,
  version: ActivityVersion,
  outcome: RunOutcome,
): Promise<StoredOutputs> {
  const idOf = new Map(version.outputs.map(({ Id, Name }) => [nameKey(Name), Id]));
  const parameterOf = (name: string): number => {
    const id = idOf.get(nameKey(name));
    if (id === undefined) throw new Error(`the executor gave a value for an output ${name} that there is not`);
    return id;
  };
  const values = outcome.outputs.map(({ Name, Value, Rows }) => ({
    ActivityParameterId: parameterOf(Name),
    ArrayIndex: 0,
    Value,
    Rows,
    FileId: null,
    FileName: null,
    ContentLength: null,
  }));
  const owners = outcome.files.map(({ Name }) => (Name === null ? null : parameterOf(Name)));
  const files = await putAll(store, outcome.files, owners);
  const rows = files.map(({ FileId, FileName, ContentLength, ActivityParameterId }, index) => ({
    ActivityParameterId,
    ArrayIndex: owners.slice(0, index).filter((owner) => owner === ActivityParameterId).length,
    Value: null,
    Rows: null,
    FileId,
    FileName,
    ContentLength,
  }));
  const withFiles = new Set(rows.map((row) => row.ActivityParameterId));
  // A file output without a value is its files' rows alone.
  return { outputs: [...values.filter((row) => !isFileRow(row, withFiles)), ...rows], files };
}

function isFileRow(row: OutputRow, withFiles: ReadonlySet<number | null>): boolean {
  return row.Value === null && withFiles.has(row.ActivityParameterId);
}

async function putAll(
  store: OutputStore,
  files: RunOutcome['files'],
  owners: readonly (number | null)[],
): Promise<NewStoredFile[]> {
  const puts = await Promise.allSettled(files.map((file) => store.put(file.bytes)));
  const stored = puts.flatMap((put, index) =>
    put.status === 'rejected'
      ? []
      : [
          {
            FileId: newFileId(),
            StoreKey: put.value.key,
            FileName: files[index]!.FileName,
            ContentLength: put.value.contentLength,
            Sha256: put.value.sha256,
            Purpose: 'output' as const,
            UserId: null,
            ActivityParameterId: owners[index] ?? null,
          },
        ],
  );
  const failed = puts.find((put) => put.status === 'rejected');
  if (failed) {
    await removeOutputFiles(store, stored);
    throw failed.reason;
  }
  return stored;
}

/** Takes files back that no run came to own. */
export async function removeOutputFiles(
  store: Pick<FileStore, 'delete'>,
  files: readonly Pick<NewStoredFile, 'StoreKey'>[],
): Promise<void> {
  await Promise.allSettled(files.map(({ StoreKey }) => store.delete(StoreKey)));
}
