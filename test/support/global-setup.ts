import { chmod, mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPostmasterPid } from '#server/db/embedded/postmaster-file.ts';

const PREFIX = 'runsheet-test-';
/** An in-memory file system, available on Linux. */
const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_MEMORY_BYTES = 2 * 1024 ** 3;
/** The same folder as in scripts/start.js. */
const COMPILED = fileURLToPath(new URL('../../.cache/compiled', import.meta.url));

/**
 * Creates one folder per vitest run. The first test that needs a database starts a server in it (see database.ts). The
 * server is stopped here, together with those of earlier runs that were killed.
 */
export async function setup(): Promise<void> {
  // Vitest calls this for each project.
  if (process.env.RUNSHEET_TEST_RUN_DIR !== undefined) return;
  await sweepKilledRuns();
  const folder = await mkdtemp(join(await parentFolder(), PREFIX));
  // Other users need access, because the server does not run as root.
  await chmod(folder, 0o711);
  await writeFile(join(folder, 'owner.pid'), String(process.pid));
  process.env.RUNSHEET_TEST_RUN_DIR = folder;
  // Each test file is a separate process that loads the same libraries.
  process.env.NODE_COMPILE_CACHE ??= COMPILED;
}

export async function teardown(): Promise<void> {
  const folder = process.env.RUNSHEET_TEST_RUN_DIR;
  if (folder) await endRun(folder);
}

/**
 * Each test database consists of 800 files. In memory, creating and dropping one takes a quarter of the CPU time that
 * it takes on disk.
 */
async function parentFolder(): Promise<string> {
  const space = await statfs(MEMORY_FOLDER).catch(() => undefined);
  if (!space || space.bavail * space.bsize < MIN_FREE_MEMORY_BYTES) return tmpdir();
  // The PostgreSQL programs may have to be copied into the folder.
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => '');
  const isNoExec = mounts.split('\n').some((line) => line.includes(` ${MEMORY_FOLDER} `) && line.includes('noexec'));
  return isNoExec ? tmpdir() : MEMORY_FOLDER;
}

async function sweepKilledRuns(): Promise<void> {
  for (const parent of [tmpdir(), MEMORY_FOLDER]) {
    for (const name of await readdir(parent).catch(() => [])) {
      if (!name.startsWith(PREFIX)) continue;
      const folder = join(parent, name);
      const owner = Number(await readFile(join(folder, 'owner.pid'), 'utf8').catch(() => '0'));
      if (owner > 0 && !isAlive(owner)) await endRun(folder);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function endRun(folder: string): Promise<void> {
  await endServers(folder);
  const server = await readPostmasterPid(join(folder, 'database', 'cluster'));
  // SIGQUIT: the data is deleted, therefore nothing has to be written.
  if (server !== undefined && isAlive(server)) process.kill(server, 'SIGQUIT');
  await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}

/** Kills servers shared by several files, each with its pid in a file. Their data is deleted. */
async function endServers(folder: string): Promise<void> {
  const files = join(folder, 'servers');
  for (const name of await readdir(files).catch(() => [])) {
    const pid = Number(await readFile(join(files, name), 'utf8'));
    // After a killed run, another process may have the same pid.
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (environment.includes(`${folder}/`) && isAlive(pid)) process.kill(pid, 'SIGKILL');
  }
}
