/** Deletes files that were stored for something that then failed. */
import { AppError } from '#server/base/app-error.ts';
import type { FileStore } from './file-store.ts';

/**
 * Deletes the files only if the error proves that no row refers to them: a refusal, or an aborted request. After any
 * other error the transaction may have been committed, for example if the connection was lost during the commit, and a
 * row without its file is data loss. Files without a row are removed by the daily sweep. Never throws, so that the
 * caller can rethrow the original error.
 */
export async function discardAfter(
  store: Pick<FileStore, 'delete'>,
  keys: readonly string[],
  error: unknown,
): Promise<void> {
  if (!(error instanceof AppError) && (error as Error | null)?.name !== 'AbortError') return;
  await Promise.allSettled(keys.map((key) => store.delete(key)));
}
