/**
 * `npm test` runs the checks, the builds and the everyday test set; `npm run test:all` runs the full set. Chromium is
 * installed with apt if possible; otherwise the output says what to install. The last line is 'N passed, N failed, N
 * skipped'.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildDesktop } from '../build/build-desktop.ts';
import { bundleServer } from '../build/bundle-server.ts';
import { chromiumPath } from './chromium.ts';
import { whyNoElectron } from './electron-runtime.ts';
import { runStage } from './ledger/stage.ts';
import { buildRenderer } from '../build/renderer-build.ts';

/** Projects of vitest.config.ts that run in one vitest process, with this many of their files at once. */
interface TestGroup {
  name: string;
  projects: string[];
  workers: number;
  /** Part of the files: '1/2' is the first half. */
  shard?: string;
}

const PROGRAM: TestGroup = { name: 'program', projects: ['browser', 'programs', 'unit'], workers: 2 };

/**
 * The later sequences mostly wait for killed servers, windows and another database. They therefore share the processors
 * with the first sequence. The groups of a sequence run one after another.
 */
const EVERYDAY_SEQUENCES: TestGroup[][] = [
  [PROGRAM],
  [{ name: 'systems', projects: ['faults', 'desktop', 'sql-server'], workers: 1 }],
];

const sqlServerHalf = (half: 1 | 2): TestGroup => ({
  name: `sql-server ${half}`,
  projects: ['sql-server'],
  workers: 1,
  shard: `${half}/2`,
});

/** The full set runs every suite on SQL Server, which takes longer than everything else together. */
const FULL_SEQUENCES: TestGroup[][] = [
  [PROGRAM],
  [{ name: 'systems', projects: ['faults', 'desktop'], workers: 1 }, sqlServerHalf(1)],
  [sqlServerHalf(2)],
];

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
}

const NOTHING_RUN: Report = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 };

function runCheck(): boolean {
  return spawnSync('npm', ['run', '-s', 'check'], { stdio: 'inherit' }).status === 0;
}

async function runGroup(
  { name, projects, workers, shard }: TestGroup,
  report: string,
  filters: string[],
): Promise<boolean> {
  const args = [
    'run',
    ...projects.map((project) => `--project=${project}`),
    `--maxWorkers=${workers}`,
    '--passWithNoTests',
    ...(shard === undefined ? [] : [`--shard=${shard}`]),
    ...filters,
  ];
  const env = { ...process.env, RUNSHEET_TEST_REPORT: report };
  const child = spawn('npx', ['vitest', ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => console.log(`${name} | ${line}`));
  return new Promise((resolve) => child.once('close', (code) => resolve(code === 0)));
}

function readReport(file: string): Report {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : NOTHING_RUN;
}

const filters = process.argv.slice(2).filter((argument) => argument !== '--all');
const isFullSet = process.argv.includes('--all');
if (isFullSet) process.env['RUNSHEET_TEST_SET'] = 'all';
if (!chromiumPath({ install: true, isShellEnough: !isFullSet })) process.exit(1);
if (!(await runStage('check', runCheck))) process.exit(1);
await runStage('build', () => {
  buildRenderer({ quiet: true });
  if (!isFullSet) process.env['RUNSHEET_TEST_SERVER'] = bundleServer();
  if (whyNoElectron() === '') process.env['RUNSHEET_TEST_DESKTOP'] = buildDesktop();
});

const folder = mkdtempSync(join(tmpdir(), 'runsheet-reports-'));
const reportOf = ({ name }: TestGroup): string => join(folder, `${name}.json`);
const sequences = isFullSet ? FULL_SEQUENCES : EVERYDAY_SEQUENCES;

async function runSequence(sequence: readonly TestGroup[]): Promise<boolean> {
  let passed = true;
  for (const group of sequence) passed = (await runGroup(group, reportOf(group), filters)) && passed;
  return passed;
}

const passed = await Promise.all(sequences.map(runSequence));
const reports = sequences.flat().map((group) => readReport(reportOf(group)));
rmSync(folder, { recursive: true, force: true });
const sum = (field: keyof Report): number => reports.reduce((total, report) => total + report[field], 0);
console.log(`${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed, ${sum('numPendingTests')} skipped`);
process.exit(passed.every(Boolean) ? 0 : 1);
