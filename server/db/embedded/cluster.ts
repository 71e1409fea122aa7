import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chmod, constants, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '#server/base/start-error.ts';
import { binariesForOthers, binariesMajorVersion } from './binaries.ts';
import type { PostgresBinaries } from './binaries.ts';
import { canRun, giveTo } from './run-as.ts';
import type { RunAs } from './run-as.ts';

const execute = promisify(execFile);

/** Paths of the database in a data folder. */
export interface ClusterPaths {
  /** The folder that contains everything of the embedded database. */
  folder: string;
  cluster: string;
  password: string;
  log: string;
  binaries: string;
}

export function clusterPaths(dataDir: string): ClusterPaths {
  const folder = join(dataDir, 'database');
  return {
    folder,
    cluster: join(folder, 'cluster'),
    password: join(folder, 'password'),
    log: join(folder, 'postgres.log'),
    binaries: join(folder, 'binaries'),
  };
}

/** Returns true if an earlier start has created a database in the data folder. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  const found = await stat(join(clusterPaths(dataDir).cluster, 'PG_VERSION')).catch((error: NodeJS.ErrnoException) => {
    // The cluster may belong to another user, for which later steps have a better message.
    return !['ENOENT', 'ENOTDIR'].includes(error.code ?? '');
  });
  return Boolean(found);
}

export interface Cluster {
  paths: ClusterPaths;
  binaries: PostgresBinaries;
  runAs: RunAs;
  password: string;
}

export interface ClusterOptions {
  paths: ClusterPaths;
  binaries: PostgresBinaries;
  runAs: RunAs;
  /** False only in tests: trades safety against power failures for speed. */
  durable: boolean;
}

/** Opens the cluster of a data folder. Creates it at the first start, and checks its version at later ones. */
export async function openCluster({ paths, binaries, runAs, durable }: ClusterOptions): Promise<Cluster> {
  const usable = runAs.identity.uid === undefined ? binaries : await binariesForOthers(binaries, paths.binaries);
  const password = await readOrCreatePassword(paths.password);
  const cluster = { paths, binaries: usable, runAs, password };
  const version = await readFile(join(paths.cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) await createCluster(cluster, durable);
  else await checkVersion(version.trim(), cluster);
  return cluster;
}

async function readOrCreatePassword(path: string): Promise<string> {
  const known = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    // An existing password that cannot be read must not be replaced: the database would reject the new one.
    if (cause.code !== 'ENOENT') throw new StartError(`${path} cannot be read: ${cause.message}`, { cause });
    return '';
  });
  if (known.trim() !== '') return known.trim();
  const password = randomBytes(24).toString('base64url');
  await writeFile(`${path}.part`, `${password}\n`, { mode: 0o600 });
  await chmod(`${path}.part`, 0o600);
  await rename(`${path}.part`, path);
  return password;
}

async function createCluster({ paths, binaries, runAs, password }: Cluster, durable: boolean): Promise<void> {
  if (await stat(paths.cluster).catch(() => undefined)) {
    throw new StartError(
      `${paths.cluster} exists but is not a PostgreSQL cluster; move it away, or restore it from a backup`,
    );
  }
  // Create it under another name and rename it, so an interrupted initdb is never mistaken for a cluster.
  const unfinished = `${paths.cluster}.part`;
  const passwordFile = `${paths.password}.initdb`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  const initially = await initdbIdentity(runAs);
  await giveTo(initially, unfinished);
  await giveTo(initially, passwordFile);
  const access = ['-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  // The built-in locale provider: neither the locales of the machine nor a new C library can change the order of an
  // index.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = ['-D', unfinished, ...access, ...locale, ...(durable ? [] : ['--no-sync'])];
  const [command = '', ...rest] = [...initially.prefix, binaries.initdb, ...args];
  try {
    await execute(command, rest, { ...initially.identity, cwd: paths.folder, env: postgresEnvironment() });
  } catch (cause) {
    const said = (cause as { stderr?: string }).stderr?.trim() ?? '';
    throw new StartError(`PostgreSQL could not set up its folder ${paths.cluster}: ${said || String(cause)}`, {
      cause,
    });
  } finally {
    await rm(passwordFile, { force: true });
  }
  await giveTo(runAs, unfinished);
  await rename(unfinished, paths.cluster);
}

/**
 * initdb, unlike the server, requires a uid with an account. Root uses the account of nobody for it, and the files then
 * change to their final owner. A process without an account, as in a container with its own uid, appears as nobody in a
 * user namespace.
 */
async function initdbIdentity(runAs: RunAs): Promise<RunAs> {
  if (runAs.identity.uid !== undefined) {
    const { stdout } = await execute('id', ['-u', 'nobody']);
    const uid = Number(stdout);
    return { owner: uid, identity: { uid, gid: uid }, prefix: [] };
  }
  if (process.platform === 'win32' || runAs.prefix.length > 0 || (await canRun('id', ['-un'], {}))) return runAs;
  if (await canRun('unshare', ['--user', 'true'], {})) return { ...runAs, prefix: ['unshare', '--user'] };
  throw new StartError(
    `the user with id ${runAs.owner} has no account, which PostgreSQL requires; add it to /etc/passwd, or start as another user`,
  );
}

async function checkVersion(clusterVersion: string, { binaries, paths }: Cluster): Promise<void> {
  const major = await binariesMajorVersion(binaries);
  if (clusterVersion === String(major)) return;
  throw new StartError(
    `the database in ${paths.cluster} was created by PostgreSQL ${clusterVersion}, but this version of Runsheet contains PostgreSQL ${major}; ` +
      'dump it with the version of Runsheet that created it, and restore it into a new data folder',
  );
}

/**
 * Ensures that the cluster belongs to the user as whom its server will run. Must not be called while a server runs,
 * which may belong to another user and have been adopted by root.
 */
export async function takeOwnership({ paths, runAs }: Cluster): Promise<void> {
  if (runAs.owner === undefined) return;
  const { uid } = await stat(paths.cluster);
  if (uid === runAs.owner) return;
  if (process.getuid?.() === 0) return giveTo(runAs, paths.cluster);
  throw new StartError(
    `the database in ${paths.cluster} belongs to the user with id ${uid}; start as that user, or as root`,
  );
}

/**
 * Environment of the PostgreSQL programs: none of our own variables, neither secrets nor PGDATA or LD_PRELOAD of the
 * shell.
 */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, TMP } = process.env;
  return { PATH, SystemRoot, TEMP, TMP, LC_ALL: 'C', TZ: 'UTC' };
}

/** Creates the data folder and the database folder in it; returns the real path of the data folder. */
export async function prepareFolders(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true });
    const real = await realpath(dataDir);
    const { folder } = clusterPaths(real);
    await mkdir(folder, { recursive: true });
    // Other users may pass through to their own files, such as the cluster under its own uid, but cannot list the
    // folder.
    if (process.getuid?.() === 0) await chmod(folder, 0o711);
    await access(real, constants.W_OK);
    await access(folder, constants.W_OK);
    return real;
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC'].includes(code)) throw cause;
    throw new StartError(
      `cannot write to the data folder ${dataDir} (${code}); set RUNSHEET_DATA_DIR to another folder`,
      {
        cause,
      },
    );
  }
}
