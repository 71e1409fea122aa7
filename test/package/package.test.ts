/** The package as JavaScript, run with the packages of this checkout. package.full.test.ts installs it like a user. */
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageManifest } from '../../build/package-manifest.ts';
import { emitJavaScript } from '../../build/package-sources.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { runFolder } from '#test/support/run-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(runFolder(), 'package-'));
  const imported = emitJavaScript(ROOT, folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(packageManifest(ROOT, imported)));
  mkdirSync(join(folder, 'bin'));
  cpSync(join(ROOT, 'build/package/runsheet.js'), join(folder, 'bin/runsheet.js'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package has the JavaScript of the product alone', () => {
  const paths = globSync('**/*', { cwd: folder, exclude: ['node_modules'] });
  expect(paths).toEqual(expect.arrayContaining(['server/main.js', 'server/cli/main.js', 'shared/client/client.js']));
  expect(paths.filter((path) => /\.test\.|(^|\/)testing\/|\.ts$/.test(path))).toEqual([]);
});

test('its command calculates a workbook, on a thread as the server does', async () => {
  const workbook = await buildWorkbook({
    sheets: [{ name: 'S', cells: { A1: 1000, A2: 0.05, B1: { formula: 'A1*A2', value: 50 } } }],
    names: { in_Amount: 'S!$A$1', out_Interest: 'S!$B$1' },
  });
  writeFileSync(join(folder, 'loan.xlsx'), workbook);
  const program = join(folder, 'bin/runsheet.js');
  const { stdout } = await run(process.execPath, [program, 'calculate', 'loan.xlsx', 'Amount=250000'], { cwd: folder });
  expect(stdout).toBe('Interest: 12500\n');
});

test('the example of the engine runs as it stands in the read-me', async () => {
  const readme = readFileSync(join(ROOT, 'build/package/README.md'), 'utf8');
  writeFileSync(join(folder, 'engine.mts'), /```ts\n([^]*?)```/.exec(readme)![1]!);
  const { stdout } = await run(process.execPath, ['engine.mts'], { cwd: folder });
  expect(stdout).toBe('11250\n13500 313500\n');
});
