/** Entry point of the thread that reads the rows of a file; see sheet-reader.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { ImportError } from './decode-text.ts';
import { readRows } from './file-rows.ts';
import type { ReadSheet } from './sheet-reader.ts';

async function read(): Promise<ReadSheet> {
  try {
    const options = { headerRow: 1, encoding: null, delimiter: null, sheet: null };
    const { headers, rows } = await readRows(workerData as Uint8Array, options);
    const plain = rows.map(({ row, cells }) => ({
      row,
      cells: cells.map((cell) => (cell instanceof CellError ? { error: cell.code } : cell)),
    }));
    return { rows: { headers, rows: plain } };
  } catch (error) {
    if (error instanceof ImportError) return { problem: error.message };
    throw error;
  }
}

parentPort?.postMessage(await read(), []);
