/**
 * `npm run desktop:build`: packages of the desktop client for the system at hand in build/out/desktop-packages, and its bill of materials.
 * Kinds of packages may be named: `npm run desktop:build -- deb`, or `dir` for the program alone. docs/desktop.md says more.
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
  /** Such as 'deb'; none for all that the system has. */
  kinds?: readonly string[];
  /** Whether packages are made small, which takes most of the time; where it is left out they are. */
  isCompressed?: boolean;
  /** Folder of an unpacked Electron; '' for the one of package.json, which is fetched. */
  electronDist?: string;
}

/** Answers the folder of the program, before it is packed. */
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
  for (const kind of own) console.log(`Made ${PACKAGERS[kind].make({ folder, version, icon, output, isCompressed })}`);
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

/** In a folder of its own: beside the project the packager would take all its packages along. */
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
    // Signed with what the environment names, and never with a certificate that happens to lie on this machine.
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
  /** The version. */
  electron: string;
  /** As PackageOptions.electronDist. */
  dist?: string;
}

/** What electron-builder is given. */
export function builderConfig({ app, output, electron, dist = '' }: BuilderInput): object {
  const base = JSON.parse(readFileSync(join(ROOT, 'build/electron-builder.json'), 'utf8')) as {
    electronFuses: Record<string, boolean>;
  };
  // Electron knows this fuse from 29 on.
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
