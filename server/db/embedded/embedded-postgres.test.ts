import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { createDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { fillDataFolder } from '#test/support/made-cluster.ts';
import { runFolder } from '#test/support/run-folder.ts';
import { isFullSet } from '#test/support/test-set.ts';
import { until } from '#test/support/until.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { isPostmasterOf } from './postmaster-file.ts';
import { POSTGRES_UID } from './run-as.ts';

const asRoot = process.getuid?.() === 0;
const log = pino({ level: 'silent' });
const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
}, 60_000);

/** Creates a new data folder. Other users can pass through it unless it is private. */
async function dataDir(mode = 0o755): Promise<string> {
  const folder = await mkdtemp(join(runFolder(), 'embedded-'));
  await chmod(folder, mode);
  cleanUps.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
}

/** Creates a data folder in which an earlier start has created the cluster. */
async function usedDataDir(): Promise<string> {
  const folder = await dataDir();
  await fillDataFolder(folder);
  return folder;
}

async function start(folder: string, durable = false): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(folder, log, { durable });
  let ended = false;
  const stop = async (): Promise<void> => {
    if (!ended) await server.stop();
    ended = true;
  };
  cleanUps.push(stop);
  return { ...server, stop };
}

function connect(url: string): Database {
  const database = createDatabase({ url, poolSize: 3 });
  cleanUps.push(() => database.close());
  return database;
}

const clusterOf = (folder: string): string => join(folder, 'database', 'cluster');
const isGone = (pid: number, folder: string) => async (): Promise<boolean> =>
  !(await isPostmasterOf(pid, clusterOf(folder)));

interface Parent {
  process: ChildProcess;
  pid: number;
  url: string;
}

/** Starts another server process on the folder. */
async function startParent(folder: string, uid?: number): Promise<Parent> {
  const script = fileURLToPath(new URL('../../../test/support/embedded-parent.ts', import.meta.url));
  const identity = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'], ...identity });
  cleanUps.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the other server did not start')));
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), failed])) as [string];
  failed.catch(() => {});
  const parent = { process: child, ...(JSON.parse(line) as { pid: number; url: string }) };
  // In case the test fails before the server is adopted.
  cleanUps.push(async () => {
    if (child.signalCode === 'SIGKILL' && !(await isGone(parent.pid, folder)())) process.kill(parent.pid, 'SIGQUIT');
  });
  return parent;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function makeTable({ knex }: Database): Promise<void> {
  await knex.schema.createTable('Kept', (table) => void table.integer('Value'));
  await knex('Kept').insert({ Value: 42 });
}

const storedValues = ({ knex }: Database): Promise<unknown> => knex('Kept').pluck('Value');

describe('the embedded PostgreSQL', () => {
  it('keeps what was written over a stop and a start, and leaves no process behind', async () => {
    const folder = await dataDir();
    const first = await start(folder, true);
    const database = connect(first.url);
    await makeTable(database);
    const shown = async (name: string): Promise<unknown> => (await database.knex.raw(`show ${name}`)).rows[0];
    expect(await shown('fsync')).toEqual({ fsync: 'on' });
    expect(await shown('synchronous_commit')).toEqual({ synchronous_commit: 'on' });
    expect(await shown('server_encoding')).toEqual({ server_encoding: 'UTF8' });
    const { rows } = await database.knex.raw('select rolsuper from pg_roles where rolname = current_user');
    expect(rows).toEqual([{ rolsuper: false }]);
    await database.close();
    const pid = first.pid();
    await first.stop();
    expect(await isGone(pid, folder)()).toBe(true);

    const second = await start(folder, true);
    expect(second.adopted).toBe(false);
    expect(await storedValues(connect(second.url))).toEqual([42]);
  });

  it.runIf(isFullSet)('keeps its password from others', async () => {
    const folder = await usedDataDir();
    const server = await start(folder);
    const { mode } = await stat(join(folder, 'database', 'password'));
    expect(mode & 0o777).toBe(0o600);
    const wrong = connect(server.url.replace(/:[^:@/]+@/, ':wrong@'));
    await expect(wrong.knex.raw('select 1')).rejects.toThrow('password authentication failed');
  });

  it('refuses a data folder that another server uses, and names that one', async () => {
    const folder = await usedDataDir();
    const parent = await startParent(folder);
    const again = startEmbeddedPostgres(folder, log, { durable: false });
    await expect(again).rejects.toThrow(`in use by another Runsheet server (process ${parent.process.pid})`);
    await expect(again).rejects.toMatchObject({ name: 'StartError' });
    expect(await isGone(parent.pid, folder)()).toBe(false);
  });

  it('adopts the server that a killed program left running, and stops it in the end', async () => {
    const folder = await usedDataDir();
    const parent = await startParent(folder);
    await makeTable(connect(parent.url));
    await kill(parent.process);
    const server = await start(folder);
    expect(server).toMatchObject({ adopted: true, url: parent.url });
    expect(server.pid()).toBe(parent.pid);
    expect(await storedValues(connect(server.url))).toEqual([42]);
    await server.stop();
    expect(await isGone(parent.pid, folder)()).toBe(true);
  });

  it('is started again when it is killed, and the pool recovers', async () => {
    const folder = await usedDataDir();
    const server = await start(folder);
    const database = connect(server.url);
    await makeTable(database);
    const first = server.pid();
    process.kill(first, 'SIGKILL');
    await until('another server runs', () => server.pid() !== first);
    const values = await until('the rows are read', () => storedValues(database).catch(() => undefined));
    expect(values).toEqual([42]);
  });

  it.runIf(isFullSet)('is started again when it is killed after it was adopted', async () => {
    const folder = await usedDataDir();
    const parent = await startParent(folder);
    await kill(parent.process);
    const server = await start(folder);
    process.kill(parent.pid, 'SIGKILL');
    await until('another server runs', () => server.pid() !== parent.pid);
    const database = connect(server.url);
    await until('it answers', () =>
      storedValues(database).catch((error: Error) => error.message.includes('does not exist')),
    );
  });

  it.runIf(isFullSet)('starts after both the program and PostgreSQL were killed', async () => {
    const folder = await usedDataDir();
    const parent = await startParent(folder);
    const database = connect(parent.url);
    await makeTable(database);
    process.kill(parent.process.pid ?? 0, 'SIGKILL');
    process.kill(parent.pid, 'SIGKILL');
    const server = await start(folder);
    expect(server.adopted).toBe(false);
    expect(await storedValues(connect(server.url))).toEqual([42]);
  });

  it.runIf(isFullSet)(
    'is not put off by the pid of a stranger, of a zombie, or of nobody in postmaster.pid',
    async () => {
      const folder = await usedDataDir();
      const file = join(clusterOf(folder), 'postmaster.pid');
      const parent = await startParent(folder);
      await makeTable(connect(parent.url));
      const left = await readFile(file, 'utf8');
      process.kill(parent.process.pid ?? 0, 'SIGKILL');
      process.kill(parent.pid, 'SIGKILL');
      await until('PostgreSQL has ended', isGone(parent.pid, folder));

      const stranger = spawn('sleep', ['1000']);
      // `sleep` never waits for the child process that the shell it replaces has started. The child ends when it reads
      // a line.
      const parentOfZombie = spawn('sh', ['-c', 'exec 3<&0; read line <&3 & echo $!; exec sleep 1000'], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      cleanUps.push(async () => [stranger, parentOfZombie].map((child) => child.kill('SIGKILL')));
      const [zombie] = (await once(createInterface({ input: parentOfZombie.stdout }), 'line')) as [string];
      const nameOf = (pid: number) => readFile(`/proc/${pid}/comm`, 'utf8');
      await until('the shell has become sleep', async () => (await nameOf(parentOfZombie.pid!)) === 'sleep\n');
      parentOfZombie.stdin.write('\n');
      await until('it is a zombie', async () => (await readFile(`/proc/${zombie}/stat`, 'utf8')).includes(') Z '));

      for (const pid of [stranger.pid, zombie, 4_194_303, 'rubbish']) {
        await writeFile(file, left.replace(/^\d+/, String(pid)));
        await writeFile(join(folder, 'database', 'socket', '.s.PGSQL.5432.lock'), left.replace(/^\d+/, String(pid)));
        const server = await start(folder);
        expect(server.adopted).toBe(false);
        const database = connect(server.url);
        expect(await storedValues(database)).toEqual([42]);
        await database.close();
        await server.stop();
      }
      await writeFile(file, '');
      expect((await start(folder)).adopted).toBe(false);
      expect(stranger.exitCode).toBeNull();
    },
  );

  it.runIf(isFullSet)('takes no half-made cluster for a whole one', async () => {
    const folder = await dataDir();
    await mkdir(`${clusterOf(folder)}.part/base`, { recursive: true });
    await makeTable(connect((await start(folder)).url));
  });

  it('says which version made the cluster when it is another one', async () => {
    const folder = await usedDataDir();
    await writeFile(join(clusterOf(folder), 'PG_VERSION'), '12\n');
    await expect(start(folder)).rejects.toThrow(/was created by PostgreSQL 12, .* contains PostgreSQL 18/);
    await writeFile(join(clusterOf(folder), 'PG_VERSION'), '18\n');
    await start(folder);
  });

  it('says what PostgreSQL said when it does not start', async () => {
    const folder = await usedDataDir();
    await writeFile(join(clusterOf(folder), 'postgresql.conf'), 'nonsense = 1\n');
    await expect(start(folder)).rejects.toThrow(/did not start: .*configuration file .* contains errors/);
  });

  it('says that it cannot write to the data folder', async () => {
    const folder = await dataDir();
    await writeFile(join(folder, 'file'), '');
    await expect(start(join(folder, 'file'))).rejects.toThrow(/cannot write to the data folder .*RUNSHEET_DATA_DIR/);
  });

  it('works below a path that is too long for a socket', async () => {
    const folder = join(await dataDir(), 'a'.repeat(60), 'b'.repeat(60));
    await fillDataFolder(folder);
    const server = await start(folder);
    await makeTable(connect(server.url));
    expect(decodeURIComponent(server.url)).not.toContain('aaaa');
    const socket = new URL(server.url).searchParams.get('host') ?? '';
    cleanUps.unshift(() => rm(socket, { recursive: true }));
  });

  it.runIf(asRoot)('runs as a separate user for root, and nobody else can read it', async () => {
    const folder = await usedDataDir();
    const server = await start(folder);
    await makeTable(connect(server.url));
    const cluster = await stat(clusterOf(folder));
    expect([cluster.uid, cluster.mode & 0o777]).toEqual([POSTGRES_UID, 0o700]);
    const status = await readFile(`/proc/${server.pid()}/status`, 'utf8');
    expect(status).toMatch(new RegExp(`^Uid:\\s${POSTGRES_UID}\\s`, 'm'));
  });

  it.runIf(isFullSet && asRoot)('works for root in a folder that no other user can reach', async () => {
    const folder = await dataDir(0o700);
    const server = await start(folder);
    await makeTable(connect(server.url));
    await server.stop();
    // When other users get access later, the folder changes its owner and continues to work.
    await chmod(folder, 0o755);
    expect(await storedValues(connect((await start(folder)).url))).toEqual([42]);
    expect((await stat(clusterOf(folder))).uid).toBe(POSTGRES_UID);
  });

  it.runIf(isFullSet && asRoot)('works for an ordinary user, whose server root can adopt', async () => {
    const one = Number(execFileSync('id', ['-u', 'nobody']));
    const folder = await dataDir();
    await chown(folder, one, one);
    const parent = await startParent(folder, one);
    await makeTable(connect(parent.url));
    expect((await stat(clusterOf(folder))).uid).toBe(one);
    await kill(parent.process);
    const server = await start(folder);
    expect(server.adopted).toBe(true);
    expect(await storedValues(connect(server.url))).toEqual([42]);
  });
});
