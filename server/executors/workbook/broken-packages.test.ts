/** Files that cannot be opened. Every reader must name the file, say what is wrong with it and how to fix it. */
import { describe, expect, it } from 'vitest';
import { workbookParts } from '#test/support/build-workbook.ts';
import { brokenZips, LIBRARY_WORDS, type BrokenZip } from '#test/support/broken-zips.ts';
import { never, workbookExecutors } from '#test/support/workbook-executors.ts';
import { readRows } from './import/file-rows.ts';
import { readSheetRows } from './import/sheet-reader.ts';

const { shared } = workbookExecutors();

const entries = Object.entries(workbookParts({ sheets: [{ name: 'S', cells: { A1: 'Name', A2: 'x' } }] })).map(
  ([path, data]) => ({ path, data }),
);
const bomb = [...entries, { path: 'xl/media/image1.bin', data: new Uint8Array(8 * 2 ** 20) }];
const files = brokenZips(entries, bomb);

const PROBLEMS: Record<BrokenZip['what'], RegExp> = {
  truncated: /The workbook is incomplete: its end is missing\./,
  corrupted: /The workbook is damaged: the data of the part \S+ have been changed\./,
  encrypted: /The workbook is protected by a password\./,
  bomb: /The workbook was rejected: the part xl\/media\/image1\.bin would grow more than 200 times when unzipped, as in a zip bomb\./,
};
const HOW_TO_FIX: Record<BrokenZip['what'], RegExp> = {
  truncated: /Copy or download the file again, and upload the new copy\.$/,
  corrupted: /Open it in Excel, save it again as \.xlsx or \.xlsm, and upload the saved file\.$/,
  encrypted: /Remove the password in Excel .* and upload it again\.$/,
  bomb: /Open it in Excel, save it again as \.xlsx or \.xlsm, and upload the saved file\.$/,
};

function expectOwnWords(what: BrokenZip['what'], message: string): void {
  expect(message).toMatch(PROBLEMS[what]);
  expect(message).toMatch(HOW_TO_FIX[what]);
  expect(message).not.toMatch(LIBRARY_WORDS);
}

const refusal = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => 'nothing was refused',
    (error: Error) => error.message,
  );

describe.each(files)('a $what file', ({ what, bytes }) => {
  it('is refused at an upload', async () => {
    const { problems, definition } = await shared.inspect(
      { fileName: "Bob's.xlsx", bytes, acceptUnsupported: [] },
      never,
    );
    expect(definition).toBeNull();
    expect(problems).toHaveLength(1);
    const { Message, Remedy } = problems[0]!;
    expect(Message).toMatch(/^The file 'Bob's\.xlsx' cannot be read: /);
    expect(Message).toMatch(new RegExp(`${PROBLEMS[what].source}$`));
    expectOwnWords(what, `${Message} ${Remedy}`);
  });

  it('is refused as a batch or a table of test cases', async () => {
    const message = await refusal(readSheetRows({ FileName: 'rows.xlsx', bytes }, never));
    expect(message).toMatch(/^The file 'rows\.xlsx' cannot be read: /);
    expectOwnWords(what, message);
  });

  // The log of the run adds the file name at the start of the line.
  it('is refused by an import', async () => {
    const options = { headerRow: 1, encoding: null, delimiter: null, sheet: null };
    expectOwnWords(what, await refusal(readRows(bytes, options)));
  });
});
