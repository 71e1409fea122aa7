/**
 * The program, its embedded database, or both are repeatedly killed at random times while connections write. Four
 * times, 40 times in the full set; RUNSHEET_FAULT_RESTARTS=200 for a night. RUNSHEET_FAULT_SEED repeats a run.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { findPostmaster } from '#server/db/embedded/postmaster-file.ts';
import { nodeOptions } from '#test/support/child-options.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { rounds } from '#test/support/test-set.ts';
import { untilProgress } from '#test/support/until.ts';
import { watchStart } from '#test/support/watched-start.ts';
import { cleanUp, eventually, temporaryFolder, TEST_TIMEOUT_MS } from './fault-bench.ts';

const HOLDER = fileURLToPath(new URL('../support/embedded-parent.ts', import.meta.url));
const WRITERS = 6;
const restarts = Number(process.env['RUNSHEET_FAULT_RESTARTS']) || rounds(4, 40);
const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());

const KINDS = ['both', 'program', 'database'] as const;

interface Holder {
  process: ChildProcess;
  url: string;
}

/** Fails with the program's output if it ends before the database responds. */
async function startHolder(folder: string): Promise<Holder> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...nodeOptions() };
  const child = spawn(process.execPath, [HOLDER, folder], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  const started = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).once('line', started.resolve);
  child.once('exit', () => started.reject(new Error(`it did not start:\n${said.join('\n')}`)));
  await watchStart(child, { name: 'the program', works: started.promise, lines: () => said });
  const { url } = JSON.parse(await started.promise) as { url: string };
  return { process: child, url };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Writes until its connection is lost, and records what was confirmed. */
async function write(url: string, confirmed: number[], next: () => number): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (;;) {
      const id = next();
      await client.query("insert into confirmed (id, filling) values ($1, repeat('x', 2000))", [id]);
      confirmed.push(id);
    }
  } catch {
    await client.end().catch(() => undefined);
  }
}

async function ask<T>(url: string, sql: string): Promise<T[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
}

async function killDatabase(folder: string): Promise<void> {
  const pid = await findPostmaster(join(folder, 'database', 'cluster'));
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
}

test(
  `a program and its database that are killed ${restarts} times start again, with all that was confirmed (seed ${random.seed})`,
  async () => {
    const folder = await temporaryFolder();
    let holder = await startHolder(folder);
    cleanUp(() => end(holder.process, 'SIGTERM'));
    await ask(holder.url, 'create table confirmed (id int primary key, filling text)');

    const confirmed: number[] = [];
    let last = 0;
    for (let times = 0; times < restarts; times++) {
      const { url } = holder;
      const confirmedBefore = confirmed.length;
      const writers = Array.from({ length: WRITERS }, () => write(url, confirmed, () => (last += 1)));
      await untilProgress(
        'a write is confirmed',
        () => confirmed.length,
        (count) => count > confirmedBefore,
        { pauseMs: 1 },
      );
      await pause(random.between(0, 150));
      // Usually kills both, like a power failure: the next start finds processes of the killed database. The first
      // kills cover each kind once.
      const [victim = random.pick(['both', 'both', 'program', 'database'])] = KINDS.slice(times);
      if (victim !== 'program') await killDatabase(folder);
      if (victim !== 'database') {
        await end(holder.process, 'SIGKILL');
        holder = await startHolder(folder);
      }
      if (victim === 'program') await killDatabase(folder);
      await Promise.all(writers);
      await eventually('the database answers', () => ask(holder.url, 'select 1').catch(() => false));
    }
    const found = new Set((await ask<{ id: number }>(holder.url, 'select id from confirmed')).map(({ id }) => id));
    expect(confirmed.filter((id) => !found.has(id))).toEqual([]);
    expect(confirmed.length).toBeGreaterThanOrEqual(restarts);
  },
  TEST_TIMEOUT_MS,
);
