/**
 * `npm run test:ledger`: runs `npm test`, or the CI script with `--ci`, and prints the cost of each stage. Exits with 1
 * if the run exceeds the budget. `--ci --all` runs the CI script with the full set, which has no budget.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { openCpuCounter } from './cpu-counter.ts';
import { findOverruns, formatLedger, parseLedger } from './report.ts';
import { beginStage } from './stage.ts';

const args = process.argv.slice(2);
const [command, commandArgs] = args[0] === '--ci' ? ['.ci/run', args.slice(1)] : ['npm', ['test', '--', ...args]];

const folder = mkdtempSync(join(tmpdir(), 'runsheet-ledger-'));
const file = join(folder, 'stages.jsonl');
const counter = openCpuCounter();
process.env['RUNSHEET_TEST_LEDGER_FILE'] = file;
if (counter.path) process.env['RUNSHEET_TEST_LEDGER_COUNTER'] = counter.path;
// `npm ci` deletes the Node that npm puts first in the PATH of this script.
const paths = process.env['PATH']?.split(delimiter).filter((path) => !path.includes('node_modules'));
process.env['PATH'] = paths?.join(delimiter);

const endRun = beginStage('whole run');
const { status, error } = spawnSync(command, commandArgs, { stdio: 'inherit' });
endRun();
counter.close();
if (error) console.error(error.message);

const ledger = parseLedger(readFileSync(file, 'utf8'));
rmSync(folder, { recursive: true });
const hasBudget = !args.includes('--all');
const overruns = hasBudget ? findOverruns(ledger.stages.at(-1)!) : [];
console.log(`\n${formatLedger(ledger)}\n`);
if (!counter.countsDetached)
  console.log('CPU seconds do not include detached processes, because no control group could be created.');
if (status !== 0) console.log(`The run failed: ${command} ended with ${status ?? 'a signal'}.`);
if (hasBudget) console.log(overruns.length === 0 ? 'Within the budget.' : `Over the budget: ${overruns.join(', ')}.`);
process.exit(status === 0 && overruns.length === 0 ? 0 : 1);
