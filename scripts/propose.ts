/**
 * npm run -s propose -- FILE…
 * Prints as JSON the inputs and outputs that the portal would propose for unprepared workbooks. Exits with 1 if a file
 * cannot be read.
 */
import { readFileSync, writeSync } from 'node:fs';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { displayName } from '#server/executors/workbook/definitions/parameters.ts';
import { openPackage } from '#server/executors/workbook/package.ts';
import { englishReason } from './english-reason.ts';
import { proposeMarks } from '#server/executors/workbook/proposals/propose-marks.ts';
import { readLooks } from '#server/executors/workbook/proposals/workbook-looks.ts';

interface FileProposals {
  path: string;
  proposals: object[];
  error?: string;
}

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('Usage: npm run -s propose -- FILE…');
  process.exit(2);
}
const results: FileProposals[] = [];
for (const path of files) results.push(await proposeFor(path));
writeAll(`${JSON.stringify(results, null, 2)}\n`);
process.exitCode = results.some(({ error }) => error !== undefined) ? 1 : 0;

async function proposeFor(path: string): Promise<FileProposals> {
  try {
    const source = await openPackage(readFileSync(path));
    const model = readWorkbook(source);
    const proposals = proposeMarks(model, readLooks(source, model)).map((proposal) => {
      const { sheet, range, role, name, preselected, score } = proposal;
      return { sheet, range, role, name: displayName(name), preselected, score, reason: englishReason(proposal) };
    });
    return { path, proposals };
  } catch (error) {
    return { path, proposals: [], error: error instanceof Error ? error.message : String(error) };
  }
}

/** Writes everything, even if the reader of the pipe is slow. */
function writeAll(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
