/**
 * `npm test`: the checks, then every suite, browser ones included. Chromium comes through apt where that is possible;
 * elsewhere it says what to install. Ends with the plain line 'N passed, N failed, N skipped'.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath } from './chromium.ts';
import { keepFailedFiles, type FileResult } from './failed-test-files.ts';

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: FileResult[];
}

function run(command: string, args: string[]): boolean {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', shell: false });
  if (error) console.error(error.message);
  return status === 0;
}

function runSuites(reportFile: string, filters: string[]): boolean {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  return run('npx', ['vitest', 'run', ...reporters, ...filters]);
}

function readReport(reportFile: string): Report {
  if (!existsSync(reportFile)) return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] };
  return JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
}

const filters = process.argv.slice(2);
keepFailedFiles([]);
if (!chromiumPath({ install: true })) process.exit(1);
if (!run('npm', ['run', '-s', 'check'])) process.exit(1);
if (!run('npm', ['run', '-s', 'build:renderer'])) process.exit(1);

const folder = mkdtempSync(join(tmpdir(), 'runsheet-test-'));
const report = join(folder, 'report.json');
const passed = runSuites(report, filters);
const counts = readReport(report);
keepFailedFiles(counts.testResults);
rmSync(folder, { recursive: true, force: true });
console.log(`${counts.numPassedTests} passed, ${counts.numFailedTests} failed, ${counts.numPendingTests} skipped`);
process.exit(passed ? 0 : 1);
