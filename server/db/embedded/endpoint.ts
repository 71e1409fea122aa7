import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '#server/base/start-error.ts';
import type { ClusterPaths } from './cluster.ts';
import { giveTo } from './run-as.ts';
import type { RunAs } from './run-as.ts';

/** Where the embedded server listens: a folder with a Unix socket, or on Windows a port of the loopback address. */
export interface Endpoint {
  host: string;
  port: number;
}

const SOCKET_PORT = 5432;
/** sun_path holds 108 bytes on Linux and 104 on macOS, including the terminating zero. */
const SOCKET_PATH_LIMIT = 103;

/**
 * Returns the endpoint of a cluster. It is always the same, so a server left over from a killed process is found again.
 */
export async function prepareEndpoint(paths: ClusterPaths, runAs: RunAs): Promise<Endpoint> {
  if (process.platform === 'win32') return loopbackEndpoint(paths);
  const near = join(paths.folder, 'socket');
  const fits = Buffer.byteLength(join(near, `.s.PGSQL.${SOCKET_PORT}`)) <= SOCKET_PATH_LIMIT;
  const name = createHash('sha256').update(paths.folder).digest('hex').slice(0, 16);
  const folder = fits ? near : join(tmpdir(), `runsheet-${name}`);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  if (!fits) await checkTrusted(folder, runAs);
  return { host: folder, port: SOCKET_PORT };
}

/** In a folder that everybody can write to, someone else may have created it first to intercept connections. */
async function checkTrusted(folder: string, runAs: RunAs): Promise<void> {
  const found = await lstat(folder);
  const trusted = [process.getuid?.(), runAs.owner];
  if (found.isDirectory() && trusted.includes(found.uid)) return;
  throw new StartError(
    `${folder} belongs to another user; remove it, or choose a RUNSHEET_DATA_DIR with a shorter path`,
  );
}

/**
 * Lets the server that is about to start create its socket, and lets nobody else access it. Files of an earlier server
 * are removed: like postmaster.pid, its lock contains a pid that may by now belong to a zombie or an unrelated process.
 */
export async function openEndpoint({ host, port }: Endpoint, runAs: RunAs): Promise<void> {
  if (process.platform === 'win32') return;
  for (const name of [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`]) await rm(join(host, name), { force: true });
  await giveTo(runAs, host);
  await chmod(host, 0o700);
}

async function loopbackEndpoint(paths: ClusterPaths): Promise<Endpoint> {
  const file = join(paths.folder, 'port');
  const known = Number(await readFile(file, 'utf8').catch(() => ''));
  if (known > 0) return { host: '127.0.0.1', port: known };
  const port = await freePort();
  await writeFile(file, `${port}\n`);
  return { host: '127.0.0.1', port };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
