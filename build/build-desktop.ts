/** Builds the desktop client as an unpacked app in build/out/desktop, which any Electron can start. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { desktopPackages, licencesPage } from './desktop-packages.ts';
import { buildRenderer, hashSources, RENDERER_SOURCES } from './renderer-build.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'build/out/desktop');
const SOURCES = [
  ...RENDERER_SOURCES,
  'desktop/main',
  'desktop/preload',
  'desktop/servers',
  'build/desktop.config.ts',
  'build/build-desktop.ts',
  'build/desktop-packages.ts',
  'package.json',
];
/** Outside the output folder, because each build empties that folder. */
const HASH_FILE = join(ROOT, 'build/out/desktop-sources.sha256');

/**
 * Builds the app unless the sources are unchanged since the last build. Returns its folder. Throws if a part fails to
 * build.
 */
export function buildDesktop(): string {
  buildRenderer({ quiet: true });
  const hash = hashSources(ROOT, SOURCES);
  if (existsSync(HASH_FILE) && readFileSync(HASH_FILE, 'utf8') === hash) return OUT;
  rmSync(HASH_FILE, { force: true });
  buildDesktopInto(OUT);
  writeFileSync(HASH_FILE, hash);
  return OUT;
}

/** Empties the folder and builds the app into it. Returns the folder. Throws if a part fails to build. */
export function buildDesktopInto(out: string): string {
  buildRenderer({ quiet: true });
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const part of ['main', 'preload', 'servers']) build(part, part === 'servers' ? join(out, part) : out);
  for (const name of ['logo.svg', 'tray.png', 'licences.css'])
    cpSync(join(ROOT, 'desktop/servers', name), join(out, 'servers', name));
  writeFileSync(join(out, 'servers/licences.html'), licencesPage(desktopPackages()));
  // The compressed copies are for servers, and the add-in's pane is for Excel.
  cpSync(join(ROOT, 'build/out/renderer'), join(out, 'renderer'), {
    recursive: true,
    filter: (path) => !/\.(br|gz)$/.test(path) && !path.endsWith('.vite') && !path.endsWith('renderer/excel'),
  });
  copyKeyring(out);
  const { version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, string>;
  const about = { description: 'The desktop client of a Runsheet portal', author: 'Runsheet' };
  const manifest = { name: 'runsheet', productName: 'Runsheet', version, license, ...about, main: 'main.cjs' };
  writeFileSync(
    join(out, 'package.json'),
    JSON.stringify({ ...manifest, dependencies: keyringDependency(out) }, null, 2),
  );
  return out;
}

function build(mode: string, out: string): void {
  const vite = fileURLToPath(new URL('./bin/vite.js', import.meta.resolve('vite/package.json')));
  const args = [
    vite,
    'build',
    '--config',
    'build/desktop.config.ts',
    '--mode',
    mode,
    '--outDir',
    out,
    '--logLevel',
    'warn',
  ];
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status, error } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env });
  if (error) throw error;
  if (status !== 0) throw new Error(`the build of ${mode} failed`);
}

/** Copies a native module, which cannot be bundled, for the current system. */
function copyKeyring(out: string): void {
  const from = join(ROOT, 'node_modules/@napi-rs');
  if (!existsSync(from)) return;
  for (const name of readdirSync(from).filter((found) => found.startsWith('keyring'))) {
    cpSync(join(from, name), join(out, 'node_modules/@napi-rs', name), { recursive: true });
  }
}

/** Dependencies that are packaged with the program. */
function keyringDependency(out: string): Record<string, string> {
  const file = join(out, 'node_modules/@napi-rs/keyring/package.json');
  if (!existsSync(file)) return {};
  return { '@napi-rs/keyring': (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version };
}

if (import.meta.main) console.log(`Built ${buildDesktop()}`);
