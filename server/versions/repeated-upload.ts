/**
 * Recognizes an upload that is repeated because its response was lost. The id of the version's file follows from the key
 * and the content of the upload, so that the database refuses the same upload a second time.
 */
import { createHash } from 'node:crypto';
import type { Db } from '#server/db/dialect/types.ts';
import type { ReceivedFile } from '#server/files/received-file.ts';

interface Upload {
  /** Chosen by the page. */
  uploadId: string | undefined;
  fields: Readonly<Record<string, string>>;
  files: readonly ReceivedFile[];
}

/** Returns undefined if the upload has no key; then it is never a repeated one. */
export function fileIdOfUpload(UserId: number, { uploadId, fields, files }: Upload): string | undefined {
  if (uploadId === undefined) return undefined;
  const contents = files.map(({ FileName, stored }) => [FileName, stored.sha256]);
  return createHash('sha256')
    .update(JSON.stringify(['version', UserId, uploadId, Object.entries(fields), contents]))
    .digest('base64url');
}

/** Returns the version that an earlier upload has published; null if there is none. */
export async function findPublished(
  db: Db,
  FileId: string | undefined,
): Promise<{ Id: number; Version: number } | null> {
  if (FileId === undefined) return null;
  const row = await db('ActivityVersions').where({ FileId }).first('ActivityId', 'Version');
  return row ? { Id: row.ActivityId, Version: row.Version } : null;
}
