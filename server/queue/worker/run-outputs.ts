import { createHash } from 'node:crypto';
import type { RunOutcome } from '#server/executors/executor.ts';
import { nameKey, type ActivityVersion } from '#server/versions/version-catalog.ts';
import type { FileStore, StoredFile } from '#server/files/file-store.ts';
import { deltaKey, deltaOf, type DeltaBase } from '#server/files/deltas.ts';
import { newFileId, type NewStoredFile } from '#server/files/stored-files.ts';
import type { OutputRow } from '#server/queue/run-end.ts';

export interface StoredOutputs {
  outputs: OutputRow[];
  files: NewStoredFile[];
}

/** The store for a run's files. The caller decides whether it retries while the underlying store is unavailable. */
interface OutputStore extends Pick<FileStore, 'delete'> {
  put(bytes: Uint8Array): Promise<StoredFile>;
}

/**
 * Stores the files of a run and returns the rows that its end writes: first the rows of the values, then those of the
 * files. If one file cannot be stored, all are removed again.
 * @param base the calculated workbook is stored as a delta of this file if the delta is small; without a base it is
 * stored whole
 */
export async function storeOutputs(
  store: OutputStore,
  version: ActivityVersion,
  outcome: RunOutcome,
  base: DeltaBase | null = null,
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
  const files = await putAll(store, outcome.files, { owners, base });
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
  // A file output without a value consists only of its file rows.
  return { outputs: [...values.filter((row) => !isFileRow(row, withFiles)), ...rows], files };
}

function isFileRow(row: OutputRow, withFiles: ReadonlySet<number | null>): boolean {
  return row.Value === null && withFiles.has(row.ActivityParameterId);
}

type StoredOutput = Pick<NewStoredFile, 'FileId' | 'StoreKey' | 'ContentLength' | 'Sha256' | 'BaseFileId' | 'Delta'>;

async function storeOutput(
  store: OutputStore,
  { Name, bytes }: RunOutcome['files'][number],
  base: DeltaBase | null,
): Promise<StoredOutput> {
  const FileId = newFileId();
  const delta = Name === null && base ? deltaOf(bytes, base.bytes) : null;
  if (delta === null || !base) {
    const { key, contentLength, sha256 } = await store.put(bytes);
    return { FileId, StoreKey: key, ContentLength: contentLength, Sha256: sha256, BaseFileId: null, Delta: null };
  }
  const Sha256 = createHash('sha256').update(bytes).digest('hex');
  const deltaColumns = { BaseFileId: base.FileId, Delta: delta };
  return { FileId, StoreKey: deltaKey(FileId), ContentLength: bytes.byteLength, Sha256, ...deltaColumns };
}

async function putAll(
  store: OutputStore,
  files: RunOutcome['files'],
  { owners, base }: { owners: readonly (number | null)[]; base: DeltaBase | null },
): Promise<NewStoredFile[]> {
  const puts = await Promise.allSettled(files.map((file) => storeOutput(store, file, base)));
  const stored = puts.flatMap((put, index) => {
    if (put.status === 'rejected') return [];
    const of = { FileName: files[index]!.FileName, ActivityParameterId: owners[index] ?? null };
    return [{ ...put.value, ...of, Purpose: 'output' as const, UserId: null }];
  });
  const failed = puts.find((put) => put.status === 'rejected');
  if (failed) {
    await removeOutputFiles(store, stored);
    throw failed.reason;
  }
  return stored;
}

/** Deletes files that do not belong to any run. */
export async function removeOutputFiles(
  store: Pick<FileStore, 'delete'>,
  files: readonly Pick<NewStoredFile, 'StoreKey'>[],
): Promise<void> {
  await Promise.allSettled(files.map(({ StoreKey }) => store.delete(StoreKey)));
}
