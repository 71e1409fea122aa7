/**
 * `npm run pack`: builds the program as an npm package that can be installed anywhere, build/out/runsheet-VERSION.tgz.
 * It contains JavaScript, because Node does not run TypeScript below node_modules, the built pages, and the exact
 * package versions with which this checkout was tested.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emitDeclarations, emitJavaScript } from './package-sources.ts';
import { PACKAGE_FILES, packageManifest } from './package-manifest.ts';
import { buildRenderer } from './renderer-build.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAGE = join(ROOT, 'build/out/package');

/** Returns the path of the archive. @param folder folder for the archive */
export function packProgram(folder: string): string {
  buildRenderer({ quiet: true });
  rmSync(STAGE, { recursive: true, force: true });
  mkdirSync(STAGE, { recursive: true });
  for (const path of PACKAGE_FILES) cpSync(join(ROOT, path), join(STAGE, path), { recursive: true });
  const imported = emitJavaScript(ROOT, STAGE);
  emitDeclarations(ROOT, STAGE);
  cpSync(join(ROOT, 'build/package/README.md'), join(STAGE, 'README.md'));
  cpSync(join(ROOT, 'build/package/runsheet.js'), join(STAGE, 'bin/runsheet.js'));
  writeFileSync(join(STAGE, 'package.json'), JSON.stringify(packageManifest(ROOT, imported), null, 2));
  writeVersions();
  mkdirSync(folder, { recursive: true });
  const [packed] = JSON.parse(npm('pack', '--json', '--ignore-scripts', '--pack-destination', folder)) as [
    { filename: string },
  ];
  return join(folder, packed.filename);
}

/**
 * Writes the part of the lock file that the package needs. An installation gets the versions with which the tests ran.
 */
function writeVersions(): void {
  const lock = join(STAGE, 'package-lock.json');
  cpSync(join(ROOT, 'package-lock.json'), lock);
  npm('install', '--package-lock-only', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund');
  writeFileSync(join(STAGE, 'npm-shrinkwrap.json'), readFileSync(lock));
  rmSync(lock);
}

function npm(...args: string[]): string {
  return execFileSync('npm', args, { cwd: STAGE, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

if (import.meta.main) console.log(packProgram(join(ROOT, 'build/out')));
