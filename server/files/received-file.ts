import type { FileStore, StoredFile } from '#server/files/file-store.ts';

/** A file of a call, which is in the store but not in the database yet. */
export interface ReceivedFile {
  FileName: string;
  stored: StoredFile;
}

export const keysOf = (files: readonly ReceivedFile[]): string[] => files.map(({ stored }) => stored.key);

/** For files that no row ever refers to. */
export async function discardFiles(store: FileStore, files: readonly ReceivedFile[]): Promise<void> {
  await Promise.allSettled(keysOf(files).map((key) => store.delete(key)));
}

/** A small file that was read completely. */
export interface RowFile {
  FileName: string;
  bytes: Uint8Array;
}
