/** Entry point of the thread that reads and compares two workbooks; see workbook-comparer.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { openPackage } from '../package.ts';
import { compareWorkbooks } from './compare-workbooks.ts';
import type { ComparedFiles } from './workbook-comparer.ts';

const { before, after } = workerData as ComparedFiles;
const read = async (bytes: Uint8Array) => readWorkbook(await openPackage(bytes));
parentPort?.postMessage(compareWorkbooks(await read(before), await read(after)), []);
