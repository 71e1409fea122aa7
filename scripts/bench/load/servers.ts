/** Starts the servers of one installation, each in a separate process, on one embedded PostgreSQL. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createDatabase, type Database } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { createSessionsService } from '#server/features/sessions/sessions-service.ts';
import { createUsersService } from '#server/features/users/users-service.ts';
import { startS3Peer, type S3Peer } from '#test/support/peers/s3.ts';

const MAIN = fileURLToPath(new URL('../../../server/main.ts', import.meta.url));
const START_LIMIT_MS = 120_000;
/** Unit of the processor times in /proc. */
const TICKS_A_SECOND = 100;

export interface LoadServer {
  address: string;
  isAlive: boolean;
  /** Returns the seconds of processor time so far, or NaN if the system does not provide them. */
  cpuSeconds(): Promise<number>;
  kill(): Promise<void>;
}

type Headers = { authorization: string };

export interface Installation {
  servers: LoadServer[];
  database: Database;
  /** Headers of two users. */
  headers: Headers;
  otherHeaders: Headers;
  /** Returns the seconds of processor time of the database so far, or NaN if the system does not provide them. */
  databaseCpuSeconds(): Promise<number>;
  stop(): Promise<void>;
}

/** @param isOnS3 true if files are stored in a bucket of an S3 server in this process */
export async function startInstallation(count: number, isOnS3: boolean): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-load-'));
  // If this process runs as root, the embedded database runs under another uid.
  await chmod(folder, 0o711);
  const embedded = await startEmbeddedPostgres(folder, pino({ level: 'silent' }));
  const s3 = isOnS3 ? await startS3Peer() : undefined;
  const settings = {
    ...(s3 && bucketSettings(s3)),
    RUNSHEET_DATABASE_URL: embedded.url,
    RUNSHEET_DATA_DIR: join(folder, 'portal'),
    RUNSHEET_ADMIN_PASSWORD: 'Load-First-1',
    RUNSHEET_SAMPLES: 'false',
    RUNSHEET_CALLS_PER_MINUTE: '1000000',
    RUNSHEET_LEASE_SECONDS: '5',
    RUNSHEET_LOG_LEVEL: 'error',
    RUNSHEET_PORT: '0',
  };
  const servers: LoadServer[] = [];
  // Servers start one after the other, because the first one creates the tables.
  while (servers.length < count) servers.push(await startServerProcess(settings));
  const database = createDatabase({ url: embedded.url, poolSize: 2 });
  return {
    servers,
    database,
    headers: await signInAs(database, 'first'),
    otherHeaders: await signInAs(database, 'other'),
    databaseCpuSeconds: async () => {
      const { rows } = (await database.knex.raw('select pg_backend_pid() as pid')) as { rows: { pid: number }[] };
      return serverCpuSeconds(rows[0]!.pid);
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.kill()));
      await database.close();
      await embedded.stop();
      await s3?.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

const bucketSettings = ({ settings: { endpoint, bucket, credentials } }: S3Peer): Record<string, string> => ({
  RUNSHEET_S3_ENDPOINT: endpoint,
  RUNSHEET_S3_BUCKET: bucket,
  RUNSHEET_S3_PATH_STYLE: 'true',
  RUNSHEET_S3_ACCESS_KEY_ID: credentials!.accessKeyId,
  RUNSHEET_S3_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
});

/** Signs in with a session that is inserted directly into the database. */
async function signInAs(database: Database, UserName: string): Promise<Headers> {
  const times = { tokenMinutes: 600, inactivityMinutes: 600, sessionHours: 24 };
  const sessions = createSessionsService({ database, log: pino({ level: 'silent' }), ...times });
  const password = 'Load-Person-1';
  const UserId = await createUsersService(database).createUser({ UserName, password, IsUserAdmin: true });
  return { authorization: `Bearer ${(await sessions.start(database.knex, UserId, '127.0.0.1')).token}` };
}

async function startServerProcess(settings: Record<string, string>): Promise<LoadServer> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await addressOf(child);
  const server: LoadServer = {
    address,
    isAlive: true,
    cpuSeconds: async () => (await processTimes(child.pid!)).own,
    kill: async () => {
      if (!server.isAlive) return;
      server.isAlive = false;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
  return server;
}

async function addressOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const [, found] = /Runsheet \S+ is at (\S+)/.exec(line) ?? [];
    if (found !== undefined) resolve(found);
  });
  child.once('exit', (code) => reject(new Error(`a server ended with ${code}`)));
  const late = setTimeout(() => reject(new Error('a server did not start')), START_LIMIT_MS);
  return promise.finally(() => clearTimeout(late));
}

/**
 * Returns the processor seconds of all processes of a database server, including those that have ended. @param backend
 * process Id of one of them
 */
async function serverCpuSeconds(backend: number): Promise<number> {
  const { parent } = await processTimes(backend);
  const { own, ended } = await processTimes(parent);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(pids.map((pid) => processTimes(Number(pid))));
  const children = all.filter((times) => times.parent === parent);
  return children.reduce((sum, child) => sum + child.own, own + ended);
}

/** Returns seconds of processor time: those of the process and those of its ended child processes. */
async function processTimes(pid: number): Promise<{ parent: number; own: number; ended: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // Fields after the program name, which may contain any character: fields 4 and 14 to 17 of proc(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (at: number): number => Number(fields[at]) / TICKS_A_SECOND;
  return { parent: Number(fields[1]), own: seconds(11) + seconds(12), ended: seconds(13) + seconds(14) };
}
