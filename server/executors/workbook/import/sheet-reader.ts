/** Reads the rows of an uploaded file in its own thread, with limits on time and memory. */
import { AppError } from '#server/base/app-error.ts';
import { runInThread, ThreadLimitError } from '#server/base/run-in-thread.ts';

/** JSON form of a cell; an error is {error}. */
export type SheetCell = number | string | boolean | { error: string } | null;

export interface SheetRows {
  headers: string[];
  /** Rows that are not blank, with their row numbers in the file, 1-based. */
  rows: { row: number; cells: SheetCell[] }[];
}

export type ReadSheet = { rows: SheetRows } | { problem: string };

const THREAD = new URL('./sheet-thread.ts', import.meta.url);
const MEMORY_MB = 1024;
const TIME_LIMIT_MS = 60_000;

/**
 * Reads the first visible sheet of a workbook, or the lines of a text file. Rejects with an AppError 422 that names the
 * file if it cannot be read.
 */
export async function readSheetRows(
  { FileName: fileName, bytes }: { FileName: string; bytes: Uint8Array },
  signal: AbortSignal,
): Promise<SheetRows> {
  const read = await runInThread<ReadSheet>(THREAD, bytes, {
    memory: MEMORY_MB,
    timeLimit: TIME_LIMIT_MS,
    signal,
  }).catch((error: unknown): ReadSheet => {
    if (error instanceof ThreadLimitError) return { problem: 'it is too large' };
    throw error;
  });
  if ('problem' in read)
    throw new AppError('fileUnreadable', 422, `The file '${fileName}' cannot be read: ${read.problem}`);
  return read.rows;
}
