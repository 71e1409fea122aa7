import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/base/app-error.ts';
import { discardFiles, type RowFile } from '#server/files/received-file.ts';
import { readMultipart } from './read-multipart.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { formatFileSize } from '#shared/codecs/file-size.ts';

/** Maximum file size; enough for thousands of rows. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** Reads the single file of a multipart call, and deletes it from the store after `work`. */
export async function readRowFile<T>(
  request: FastifyRequest,
  store: FileStore,
  maxUploadBytes: number,
  work: (file: RowFile) => Promise<T>,
): Promise<T> {
  const limit = Math.min(maxUploadBytes, MAX_FILE_BYTES);
  const tooLarge = (): AppError =>
    new AppError('fileTooLarge', 413, `The file exceeds the limit of ${formatFileSize(limit)}`);
  const form = await readMultipart(request, store, () => limit, tooLarge);
  try {
    const unknown = Object.keys(form.fields)[0];
    if (unknown !== undefined) throw new AppError('invalid_request', 400, `${unknown} is not a known field`);
    const [file] = form.files;
    if (!file || form.files.length > 1) throw new AppError('oneFile', 400, 'Please choose a file');
    return await work({ FileName: file.FileName, bytes: await store.read(file.stored.key) });
  } finally {
    await discardFiles(store, form.files);
  }
}
