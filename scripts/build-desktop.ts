/** `npm run desktop:build`: the desktop client as an unpacked app in build/out/desktop, which any Electron can start. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildRenderer } from './renderer-build.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'build/out/desktop');

/** Answers the folder of the app. Throws where a part fails to build. */
export function buildDesktop(): string {
  buildRenderer({ quiet: true });
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  for (const part of ['main', 'preload', 'servers']) build(part);
  cpSync(join(ROOT, 'desktop/servers/logo.svg'), join(OUT, 'servers/logo.svg'));
  // Compressed copies are for servers.
  cpSync(join(ROOT, 'build/out/renderer'), join(OUT, 'renderer'), {
    recursive: true,
    filter: (path) => !/\.(br|gz)$/.test(path) && !path.endsWith('.vite'),
  });
  copyKeyring();
  const { version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, string>;
  const manifest = { name: 'runsheet', productName: 'Runsheet', version, license, main: 'main.cjs' };
  writeFileSync(join(OUT, 'package.json'), JSON.stringify(manifest, null, 2));
  return OUT;
}

function build(mode: string): void {
  const vite = fileURLToPath(new URL('./bin/vite.js', import.meta.resolve('vite/package.json')));
  const args = [vite, 'build', '--config', 'build/desktop.config.ts', '--mode', mode, '--logLevel', 'warn'];
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status, error } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env });
  if (error) throw error;
  if (status !== 0) throw new Error(`the build of ${mode} failed`);
}

/** A module of machine code, which cannot be bundled, for the system at hand. */
function copyKeyring(): void {
  const from = join(ROOT, 'node_modules/@napi-rs');
  if (!existsSync(from)) return;
  for (const name of readdirSync(from).filter((found) => found.startsWith('keyring'))) {
    cpSync(join(from, name), join(OUT, 'node_modules/@napi-rs', name), { recursive: true });
  }
}

if (import.meta.main) console.log(`Built ${buildDesktop()}`);
