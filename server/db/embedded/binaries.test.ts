import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { binariesForOthers, binariesMajorVersion, findBinaries } from './binaries.ts';
import { POSTGRES_UID } from './run-as.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function folderOf(mode: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-binaries-'));
  await chmod(folder, mode);
  folders.push(folder);
  return folder;
}

it('finds the programs of this machine and their version', async () => {
  expect(await binariesMajorVersion(await findBinaries())).toBeGreaterThanOrEqual(18);
});

it.runIf(process.getuid?.() === 0)('copies programs that only root can reach, once', async () => {
  const installed = await findBinaries();
  const hidden = join(await folderOf(0o700), 'native');
  await cp(dirname(dirname(installed.postgres)), hidden, { recursive: true, verbatimSymlinks: true });
  const inHidden = (name: string): string => join(hidden, 'bin', name);
  const binaries = { initdb: inHidden('initdb'), postgres: inHidden('postgres'), pg_ctl: inHidden('pg_ctl') };
  const target = join(await folderOf(0o711), 'binaries');

  const copied = await binariesForOthers(binaries, target);
  expect(copied.postgres.startsWith(target)).toBe(true);
  const version = execFileSync(copied.postgres, ['--version'], { uid: POSTGRES_UID, gid: POSTGRES_UID, cwd: '/' });
  expect(version.toString()).toContain('PostgreSQL');
  const { ino } = await stat(copied.postgres);
  expect(await binariesForOthers(binaries, target)).toEqual(copied);
  expect((await stat(copied.postgres)).ino).toBe(ino);
});
