/**
 * `npm run check`: runs the type-aware linter, the format check and the structure check, as many at once as there are
 * processors. In the full test set the compiler also checks the types. Prints the output of each when it ends. Exits
 * with 1 if one fails, after all have ended.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashLintInputs } from './lint-inputs.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The linter has no cache, so this file stores the hash of the inputs that it last accepted. */
const ACCEPTED_LINT = join(ROOT, '.cache/lint.sha256');

type Part = 'lint' | 'types' | 'format' | 'structure';

/** The longest parts come first: if a long part started last, the other processors would be idle. */
const waiting: Part[] = [
  'lint',
  ...(process.env['RUNSHEET_TEST_SET'] === 'all' ? (['types'] as const) : []),
  'structure',
  'format',
];
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<Part, string> };

interface Result {
  passed: boolean;
  output: string;
}

function runScript(part: Part): Promise<Result> {
  const env = {
    // For the type checker, which is written in Go: less time for garbage collection, more memory. See decision 0039.
    GOGC: '400',
    ...process.env,
    PATH: `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`,
    ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
  };
  const child = spawn(scripts[part], { cwd: ROOT, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ passed: code === 0, output: Buffer.concat(chunks).toString() }));
  });
}

async function runLint(): Promise<Result> {
  const hash = hashLintInputs(ROOT);
  if (existsSync(ACCEPTED_LINT) && readFileSync(ACCEPTED_LINT, 'utf8') === hash)
    return { passed: true, output: 'Nothing that the linter reads has changed since it last passed.\n' };
  const result = await runScript('lint');
  if (result.passed) {
    mkdirSync(dirname(ACCEPTED_LINT), { recursive: true });
    writeFileSync(ACCEPTED_LINT, hash);
  }
  return result;
}

async function runWaiting(failed: Part[]): Promise<void> {
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const startedAt = performance.now();
    const { passed, output } = await (part === 'lint' ? runLint() : runScript(part));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`== ${part}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s\n${output.trim()}\n`);
    if (!passed) failed.push(part);
  }
}

const failed: Part[] = [];
await Promise.all(Array.from({ length: availableParallelism() }, () => runWaiting(failed)));
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);
