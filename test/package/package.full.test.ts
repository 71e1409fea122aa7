/** Installs the program as a package into an empty folder and uses it like a user who has nothing else. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packProgram } from '../../build/pack.ts';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { administratorToken } from '../faults/administrator-token.ts';
import { serverProcess, type ServerProcess } from '../faults/server-process.ts';

const MAX_MEGABYTES = 400;
const INSTALL_LIMIT = 300_000;

const LOAN: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: 1000, A2: 0.05, B1: { formula: 'A1*A2', value: 50 } } }],
  names: { in_Amount: 'S!$A$1', out_Interest: 'S!$B$1' },
};

let folder: string;
let program: string;
let database: TestDatabase;
let server: ServerProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runsheet-package-'));
  const archive = packProgram(join(folder, 'archive'));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  // Uses this Node.js, regardless of the machine's.
  const PATH = `${join(process.execPath, '..')}:${process.env['PATH']}`;
  execFileSync('npm', ['install', ...options, archive], {
    cwd: folder,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await writeFile(join(folder, 'loan.xlsx'), await buildWorkbook(LOAN));
  program = join(folder, 'node_modules/runsheet/bin/runsheet.js');
  database = await testDatabase();
  const settings = {
    RUNSHEET_DATABASE_URL: database.url,
    RUNSHEET_DATA_DIR: join(folder, 'data'),
    RUNSHEET_ADMIN_PASSWORD: 'Correct-Horse-7',
    RUNSHEET_WORKER_THREADS: '1',
  };
  server = serverProcess('package', settings, [program, 'serve']);
  await server.start();
}, INSTALL_LIMIT);
afterAll(async () => {
  await server?.stop();
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

test('the package has the product alone, and installs in few megabytes', async () => {
  const root = join(folder, 'node_modules/runsheet');
  const paths = await readdir(root, { recursive: true });
  expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'npm-shrinkwrap.json', 'build/out/renderer/index.html']));
  expect(paths.filter((path) => /\.test\.|^test\/|^scripts\/|(?<!\.d)\.ts$/.test(path))).toEqual([]);
  const packages = await readdir(join(folder, 'node_modules'));
  expect(packages.filter((name) => /^(vite|vitest|react|electron|typescript|hyperformula)$/.test(name))).toEqual([]);
  const kilobytes = Number.parseInt(
    execFileSync('du', ['-sk', join(folder, 'node_modules')], { encoding: 'utf8' }),
    10,
  );
  expect(kilobytes / 1024).toBeLessThan(MAX_MEGABYTES);
});

/** Written as a user would: it stops at the first failing command. */
const SCRIPT = `set -eu
files=node_modules/runsheet/samples/files
runsheet upload "$files/invoice-reconciliation.xlsx" --name Reconcile --schema Treasury --change "First version" >&2
set -- "Invoice File=@$files/invoices-2026-10.csv" "Bank File=@$files/bank-2026-10.csv" Tolerance=0.05
runsheet run Treasury/Reconcile "$@" --download results --json > outputs.json
runsheet run "Nothing of the kind" >&2 || echo "no such activity: $?"
runsheet run Treasury/Reconcile "$@" Tolerance=much >&2 || echo "no number: $?"
runsheet calculate loan.xlsx Amount=250000
`;

test('a script publishes a workbook, runs it with a file, waits, and downloads what it made', async () => {
  const { token } = await administratorToken(database);
  await writeFile(join(folder, 'runsheet'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
    mode: 0o755,
  });
  await writeFile(join(folder, 'nightly.sh'), SCRIPT);
  await database.knex('Schemas').insert({ Name: 'Treasury', DisplayName: 'Treasury' });
  const { stdout } = await promisify(execFile)('sh', ['nightly.sh'], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env['PATH']}`,
      HOME: folder,
      RUNSHEET_PORTAL: server.address!,
      RUNSHEET_API_KEY: token,
    },
  });
  expect(stdout).toBe('no such activity: 3\nno number: 2\nInterest: 12500\n');
  const outputs = JSON.parse(await readFile(join(folder, 'outputs.json'), 'utf8')) as object;
  expect(outputs).toMatchObject({ Status: 'SucceededWarn' });
  const results = await readdir(join(folder, 'results'));
  expect(results.length).toBeGreaterThan(0);
  for (const name of results) expect((await stat(join(folder, 'results', name))).size).toBeGreaterThan(1000);
});

test('the installed commands of an operator end with 1 after they found damage', async () => {
  const sums = { FileName: 'lost.txt', ContentLength: 1, Sha256: 'x', Purpose: 'output' };
  await database.knex('StoredFiles').insert({ FileId: 'lost', StoreKey: 'a'.repeat(48), ...sums });
  const env = {
    PATH: process.env['PATH'],
    RUNSHEET_DATABASE_URL: database.url,
    RUNSHEET_DATA_DIR: join(folder, 'data'),
  };
  const exitCode = (...args: string[]): Promise<number> =>
    promisify(execFile)(process.execPath, [program, ...args], { cwd: folder, env }).then(
      () => 0,
      (error: { code: number }) => error.code,
    );
  expect(await exitCode('verify-data')).toBe(1);
  expect(await exitCode('backup', join(folder, 'backup.zip'))).toBe(1);
  expect(await exitCode('verify-security-log', `999:${'0'.repeat(64)}`)).toBe(1);
  expect(await exitCode('verify-security-log')).toBe(0);
});

test('the installed server shows its pages', async () => {
  const page = await fetch(server.address!);
  expect(page.status).toBe(200);
  const [, script] = /src="([^"]+\.js)"/.exec(await page.text())!;
  const answer = await fetch(new URL(script!, `${server.address}/`));
  expect(answer.headers.get('content-type')).toContain('javascript');
});

test('the example of the engine runs as it stands in the read-me, and its types hold', async () => {
  const readme = await readFile(join(folder, 'node_modules/runsheet/README.md'), 'utf8');
  const [calculation, client] = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code!);
  await writeFile(join(folder, 'engine.mts'), calculation!);
  await writeFile(join(folder, 'client.mts'), client!);
  const { stdout } = await promisify(execFile)(process.execPath, ['engine.mts'], { cwd: folder });
  expect(stdout).toBe('11250\n13500 313500\n');

  const compiler = new URL('../../node_modules/typescript/bin/tsc', import.meta.url).pathname;
  const types = new URL('../../node_modules/@types', import.meta.url).pathname;
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--skipLibCheck', 'false'];
  const args = [compiler, ...options, '--lib', 'es2024,dom,dom.iterable,esnext.iterator', '--typeRoots', types];
  const checked = await promisify(execFile)(
    process.execPath,
    [...args, '--types', 'node', 'engine.mts', 'client.mts'],
    { cwd: folder },
  ).catch((error: { stdout: string }) => error);
  expect(checked.stdout).toBe('');
});
