/** Worker thread that builds a workbook from a table; see table-workbook-builder.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { buildTableWorkbook } from './table-workbook.ts';
import { tableContent, type TableSource } from './table-content.ts';

const bytes = await buildTableWorkbook(tableContent(workerData as TableSource));
parentPort?.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
