/** Worker thread that builds a workbook of rows; see row-workbook-builder.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { buildRowWorkbook, type RowWorkbook } from './row-workbook.ts';

const bytes = await buildRowWorkbook(workerData as RowWorkbook);
parentPort?.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
