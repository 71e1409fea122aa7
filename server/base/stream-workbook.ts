/** Writes a sheet of any number of rows as a workbook while the rows are read. Neither is ever in memory as a whole. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type * as exceljs from 'exceljs';
import { excelJs } from './on-demand.ts';

type Writer = exceljs.stream.xlsx.WorkbookWriter;

interface StreamedSheet<Page> {
  /** Adds the sheet with its headers. */
  addSheet: (workbook: Writer) => exceljs.Worksheet;
  pages: AsyncIterable<Page>;
  /** Adds and commits the rows of a page. */
  addRows: (sheet: exceljs.Worksheet, page: Page) => void;
}

export async function* streamWorkbook<Page>(sheet: StreamedSheet<Page>): AsyncGenerator<Uint8Array> {
  const stream = new PassThrough();
  const written = write(stream, sheet).catch((error: Error) => void stream.destroy(error));
  yield* stream as AsyncIterable<Uint8Array>;
  await written;
}

async function write<Page>(stream: PassThrough, { addSheet, pages, addRows }: StreamedSheet<Page>): Promise<void> {
  const workbook = openStreamedWorkbook(stream);
  const sheet = addSheet(workbook);
  for await (const page of pages) {
    addRows(sheet, page);
    await untilDrained(stream);
    if (stream.destroyed) throw new Error('nobody reads the workbook anymore');
  }
  sheet.commit();
  await workbook.commit();
}

export const openStreamedWorkbook = (stream: PassThrough): Writer =>
  new (excelJs().stream.xlsx.WorkbookWriter)({ stream, useStyles: true, useSharedStrings: false });

/** Waits until the stream takes more, or is closed. */
export async function untilDrained(stream: PassThrough): Promise<void> {
  if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
}

/** Adds a row of bold headers. */
export function addHeaders(sheet: exceljs.Worksheet, headers: readonly unknown[]): void {
  const row = sheet.addRow([...headers]);
  row.font = { bold: true };
  row.commit();
}
