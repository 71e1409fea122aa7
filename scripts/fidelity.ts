/**
 * npm run fidelity -- FOLDER [--json] [--engine NAME] [--limit SECONDS]
 * Recalculates every .xlsx and .xlsm below FOLDER and compares the results with the values saved in them.
 */
import { readdirSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { FidelityReport } from '#server/calculation/fidelity.ts';
import type { FidelityAnswer } from './fidelity-worker.ts';

const WORKERS = 2;
const MAX_HEAP_MB = 2_048;

interface FileResult {
  file: string;
  seconds: number;
  error?: string;
  report?: FidelityReport;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    engine: { type: 'string', default: 'runsheet' },
    limit: { type: 'string', default: '60' },
  },
});
const folder = positionals[0];
if (folder === undefined || positionals.length > 1) {
  console.error('Usage: npm run fidelity -- FOLDER [--json] [--engine NAME] [--limit SECONDS]');
  process.exit(2);
}
const limit = Number(values.limit);
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.xls[xm]$/i.test(entry.name) && !entry.name.startsWith('~$'))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort();

const results: FileResult[] = [];
let next = 0;
await Promise.all(
  Array.from({ length: WORKERS }, async () => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      const result = await examine(file);
      results.push(result);
      if (!values.json) console.log(line(result));
    }
  }),
);
results.sort((a, b) => (a.file < b.file ? -1 : 1));
if (values.json) printJson();
else printTotals();

/** One thread a file: an engine that has failed takes its thread with it. */
async function examine(file: string): Promise<FileResult> {
  const start = performance.now();
  const worker = new Worker(new URL('fidelity-worker.ts', import.meta.url), {
    workerData: { file, engine: values.engine },
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    stdout: true,
    stderr: true,
  });
  const { promise, resolve } = Promise.withResolvers<FidelityAnswer>();
  const timer = setTimeout(() => resolve({ error: `stopped after ${limit} seconds` }), limit * 1000);
  worker.on('message', resolve);
  worker.on('error', (error) => resolve({ error: error instanceof Error ? error.message : String(error) }));
  worker.on('exit', () => resolve({ error: 'the worker ended without an answer' }));
  const answer = await promise;
  clearTimeout(timer);
  await worker.terminate();
  const seconds = Math.round(performance.now() - start) / 1000;
  return { file: relative(folder!, file), seconds, ...answer };
}

function isEqual({ report }: FileResult): boolean {
  return report !== undefined && report.different === 0;
}

function line({ file, seconds, error, report }: FileResult): string {
  if (!report) return `✗ ${file}: ${error} (${seconds} s)`;
  const mark = report.different === 0 ? '✓' : '✗';
  const region = report.region === 'en-US' ? '' : `, ${report.region}`;
  return `${mark} ${file}: ${report.equal} of ${report.formulas}${region} (${seconds} s)`;
}

function printJson(): void {
  const report = results.map(({ file, seconds, error, report }) => ({
    file,
    formulas: report?.formulas ?? 0,
    equal: report?.equal ?? 0,
    kept: report?.kept ?? 0,
    region: report?.region ?? null,
    seconds,
    ...(error === undefined ? {} : { error }),
    volatile: report?.volatile ?? [],
    cells: report?.cells ?? [],
  }));
  writeAll(`${JSON.stringify({ files: report })}\n`);
}

/** Waits for a pipe that is full: process.exit() or the end of the program would cut the output. */
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

function printTotals(): void {
  const sum = (of: (report: FidelityReport) => number): number =>
    results.reduce((total, { report }) => total + (report ? of(report) : 0), 0);
  const formulas = sum((report) => report.formulas);
  const equal = sum((report) => report.equal);
  const whole = results.filter(isEqual).length;
  const withFormulas = results.filter(({ report }) => !report || report.formulas > 0);
  const wholeWithFormulas = withFormulas.filter(isEqual).length;
  const volatile = [...new Set(results.flatMap(({ report }) => report?.volatile ?? []))].sort();
  console.log(`\nCells equal: ${equal} of ${formulas} (${percent(equal, formulas)})`);
  console.log(`Workbooks wholly equal: ${whole} of ${results.length} (${percent(whole, results.length)})`);
  console.log(
    `  of those with formulas to compare, or unreadable: ${wholeWithFormulas} of ${withFormulas.length} ` +
      `(${percent(wholeWithFormulas, withFormulas.length)})`,
  );
  console.log(
    `Left out: ${sum((report) => report.leftOut)} formulas that depend on ${volatile.join(', ') || 'nothing'}`,
  );
  console.log(`Not to be calculated here, saved value kept: ${sum((report) => report.kept)} formulas`);
  console.log(`Saved without a value: ${sum((report) => report.unsaved)} formulas`);
  const reasons = new Map<string, number>();
  for (const { error, report } of results) {
    if (error !== undefined) count(reasons, `file: ${error}`);
    for (const { reason } of report?.cells ?? []) {
      count(reasons, reason.startsWith('depends on ') ? 'depends on a cell that differs' : reason);
    }
  }
  console.log('Reasons for the rest:');
  for (const [reason, times] of [...reasons].sort((a, b) => b[1] - a[1])) {
    console.log(`${String(times).padStart(8)}  ${reason}`);
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}
