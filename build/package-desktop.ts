/**
 * `npm run desktop:build`: builds packages of the desktop client for the current system in build/out/desktop-packages,
 * and its bill of materials. Package kinds may be given: `npm run desktop:build -- deb`, or `dir` for the program
 * alone. See docs/desktop.md.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDesktop } from './build-desktop.ts';
import { installOwnPackages } from './own-packages.ts';
import { desktopPackages, desktopSbom } from './desktop-packages.ts';
import { PACKAGERS } from './linux-packages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGER = fileURLToPath(new URL('./desktop-packager/', import.meta.url));

export interface PackageOptions {
  /** The built app. */
  app: string;
  output: string;
  /** Package kinds such as 'deb'. If empty, all kinds of the system are built. */
  kinds?: readonly string[];
  /** True if packages are compressed, which takes most of the time. Default is true. */
  isCompressed?: boolean;
  /** Folder of an unpacked Electron; '' for the version in package.json, which is downloaded. */
  electronDist?: string;
}

/** Returns the folder of the program before packaging. */
export function packageDesktop(options: PackageOptions): string {
  const { app, output, kinds = [], isCompressed = true, electronDist = '' } = options;
  const electron = electronVersion(electronDist);
  const wanted = kinds.length > 0 ? kinds : (DEFAULT_KINDS[process.platform] ?? ['dir']);
  const own = wanted.filter((kind): kind is keyof typeof PACKAGERS => Object.hasOwn(PACKAGERS, kind));
  const others = wanted.filter((kind) => !Object.hasOwn(PACKAGERS, kind));
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  runBuilder(app, output, others.length > 0 ? others : ['dir'], electron, electronDist);
  const { version } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')) as { version: string };
  const folder = join(output, 'linux-unpacked');
  const icon = join(ROOT, 'desktop/servers/logo.svg');
  for (const kind of own)
    console.log(`Created ${PACKAGERS[kind].make({ folder, version, icon, output, isCompressed })}`);
  const sbom = desktopSbom(desktopPackages(), electron);
  writeFileSync(join(output, `Runsheet-${version}.cdx.json`), JSON.stringify(sbom, null, 2));
  return folder;
}

const DEFAULT_KINDS: Record<string, string[]> = {
  linux: (['deb', 'rpm'] as const).filter((kind) => hasTool(PACKAGERS[kind].tool)),
  win32: ['nsis'],
  darwin: ['dmg', 'zip'],
};

export function hasTool(name: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, name)));
}

function electronVersion(dist: string): string {
  if (dist !== '') return readFileSync(join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
  const manifest = readFileSync(fileURLToPath(import.meta.resolve('electron/package.json')), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Runs in a separate folder: next to the project, electron-builder would include all of the project's packages. */
function runBuilder(app: string, output: string, kinds: readonly string[], electron: string, dist: string): void {
  installOwnPackages(PACKAGER, 'what lays out the desktop client');
  const work = mkdtempSync(join(tmpdir(), 'runsheet-builder-'));
  try {
    const staged = join(work, 'app');
    cpSync(app, staged, { recursive: true });
    const config = join(work, 'electron-builder.json');
    writeFileSync(config, JSON.stringify(builderConfig({ app: staged, output, electron, dist })));
    const cli = join(PACKAGER, 'node_modules/electron-builder/cli.js');
    const system = { linux: '--linux', win32: '--win', darwin: '--mac' }[process.platform as string] ?? '--linux';
    const args = [cli, system, ...kinds, '--projectDir', staged, '--config', config, '--publish', 'never'];
    // Signs only with the certificate that the environment names, never with one that happens to be on this machine.
    const { CSC_LINK, CSC_NAME } = process.env;
    const env = { ...process.env, ...(CSC_LINK || CSC_NAME ? {} : { CSC_IDENTITY_AUTO_DISCOVERY: 'false' }) };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: staged, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`electron-builder failed:\n${stdout}\n${stderr}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface BuilderInput {
  app: string;
  output: string;
  /** Version of Electron. */
  electron: string;
  /** See PackageOptions.electronDist. */
  dist?: string;
}

/** Returns the configuration for electron-builder. */
export function builderConfig({ app, output, electron, dist = '' }: BuilderInput): object {
  const base = JSON.parse(readFileSync(join(ROOT, 'build/electron-builder.json'), 'utf8')) as {
    electronFuses: Record<string, boolean>;
  };
  // Electron supports this fuse since version 29.
  const files = Number.parseInt(electron, 10) >= 29 ? { grantFileProtocolExtraPrivileges: false } : {};
  return {
    ...base,
    electronFuses: { ...base.electronFuses, ...files },
    electronVersion: electron,
    ...(dist === '' ? {} : { electronDist: dist }),
    directories: { app, output, buildResources: join(dirname(app), 'resources') },
  };
}

if (import.meta.main) {
  const output = join(ROOT, 'build/out/desktop-packages');
  const electronDist = process.env['RUNSHEET_ELECTRON_DIST'] ?? '';
  packageDesktop({ app: buildDesktop(), output, kinds: process.argv.slice(2), electronDist });
  console.log(`Packages are in ${output}`);
}
