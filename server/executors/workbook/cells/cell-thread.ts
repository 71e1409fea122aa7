/** Entry point of the thread that reads a workbook to look up a cell; see cell-reader.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { openPackage } from '../package.ts';
import type { WantedCell } from './cell-reader.ts';
import { lookUpCell } from './look-up-cell.ts';

const { bytes, location, hasResults } = workerData as WantedCell;
parentPort?.postMessage(lookUpCell(readWorkbook(await openPackage(bytes)), location, hasResults), []);
