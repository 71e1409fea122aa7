import { buffer } from 'node:stream/consumers';
import { openWorkbook, type WorkbookWriter } from './workbook-writer.ts';

/** Adds the sheets of a workbook with their rows. */
type WriteSheets = (workbook: WorkbookWriter) => Promise<void>;

/** Streams a workbook while it is written. If the reader stops, the next row that is written is refused. */
export async function* streamWorkbook(write: WriteSheets): AsyncGenerator<Uint8Array> {
  const { output, written } = begin(write);
  yield* output as AsyncIterable<Uint8Array>;
  await written;
}

/** Returns a workbook as a whole. */
export async function buildWorkbook(write: WriteSheets): Promise<Uint8Array> {
  return new Uint8Array(await buffer(begin(write).output));
}

function begin(write: WriteSheets) {
  const workbook = openWorkbook();
  const { output } = workbook;
  const written = write(workbook).then(
    () => workbook.end(),
    (error: Error) => void output.destroy(error),
  );
  return { output, written };
}
