/**
 * npm run fidelity -- FOLDER [--json] [--engine NAME] [--limit SECONDS] [--processes NUMBER]
 * Recalculates every .xlsx and .xlsm below FOLDER, and compares the results with the saved values. Writes progress to
 * stderr.
 */
import { readdirSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { installPeers } from '../bench/install-peers.ts';
import { compareFiles } from './pool.ts';
import { fileLine, kindOf, summaryLines, type FileResult } from './summary.ts';

const USAGE = 'Usage: npm run fidelity -- FOLDER [--json] [--engine NAME] [--limit SECONDS] [--processes NUMBER]';
const MAX_PROCESSES = 4;
const PROGRESS_EVERY_MS = 10_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    engine: { type: 'string', default: 'runsheet' },
    limit: { type: 'string', default: '60' },
    processes: { type: 'string', default: String(Math.min(MAX_PROCESSES, availableParallelism())) },
  },
});
const folder = positionals[0];
const limit = Number(values.limit);
const processes = Number(values.processes);
if (folder === undefined || positionals.length > 1 || !(limit > 0) || !(Number.isInteger(processes) && processes > 0)) {
  console.error(USAGE);
  process.exit(2);
}
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.xls[xm]$/i.test(entry.name) && !entry.name.startsWith('~$'))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort();

if (values.engine === 'ironcalc') installPeers();
const start = performance.now();
const elapsed = (): number => Math.round((performance.now() - start) / 1000);
const results: FileResult[] = [];
let nextProgress = PROGRESS_EVERY_MS;

const { started } = await compareFiles(
  files,
  { engine: values.engine, processes, limit },
  ({ at, seconds, outcome }) => {
    const result = { file: relative(folder, files[at]!), seconds: Math.round(seconds * 1000) / 1000, ...outcome };
    results.push(result);
    if (!values.json) console.log(fileLine(result));
    if (performance.now() - start < nextProgress) return;
    nextProgress = performance.now() - start + PROGRESS_EVERY_MS;
    console.error(`${results.length} of ${files.length} files in ${elapsed()} s`);
  },
);
results.sort((a, b) => (a.file < b.file ? -1 : 1));
if (values.json) printJson();
else console.log(`\n${summaryLines(results).join('\n')}`);
console.error(`${files.length} files in ${elapsed()} s, ${started} processes started`);

function printJson(): void {
  const report = results.map((result) => {
    const { file, seconds, error, report } = result;
    return {
      file,
      kind: kindOf(result),
      formulas: report?.formulas ?? 0,
      equal: report?.equal ?? 0,
      notCompared: report?.notCompared ?? 0,
      notComparedReasons: report?.notComparedReasons ?? [],
      region: report?.region ?? null,
      seconds,
      ...(error === undefined ? {} : { error }),
      volatile: report?.volatile ?? [],
      cells: report?.cells ?? [],
      notComparedCells: report?.notComparedCells ?? [],
    };
  });
  writeAll(`${JSON.stringify({ files: report })}\n`);
}

/** Retries while the pipe is full: process.exit() or the end of the program would truncate the output. */
function writeAll(text: string): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length;) {
    try {
      from += writeSync(1, bytes, from);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
