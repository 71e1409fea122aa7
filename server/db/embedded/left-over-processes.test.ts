import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { fillDataFolder } from '#test/support/made-cluster.ts';
import { runFolder } from '#test/support/run-folder.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

const HOLDER = fileURLToPath(new URL('../../../test/support/embedded-parent.ts', import.meta.url));

it('waits for processes of a killed PostgreSQL, whatever they write to the log', async () => {
  const folder = await mkdtemp(join(runFolder(), 'embedded-'));
  await chmod(folder, 0o755);
  await fillDataFolder(folder);
  const log = join(folder, 'database', 'postgres.log');
  const holder = spawn(process.execPath, [HOLDER, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: holder.stdout }), 'line')) as [string];
  const { pid, url } = JSON.parse(line) as { pid: number; url: string };
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  // A process that does not notice the death of its server continues to hold the shared memory.
  process.kill(rows[0]!.pid, 'SIGSTOP');
  holder.kill('SIGKILL');
  process.kill(pid, 'SIGKILL');
  await once(holder, 'exit');

  let isStarted = false;
  const starting = startEmbeddedPostgres(folder, pino({ level: 'silent' }), { durable: false }).finally(() => {
    isStarted = true;
  });
  starting.catch(() => undefined);
  const mark = "printf '2026-01-01 00:00:00.000 UTC [1] FATAL:  connection to client lost\\n'";
  // Written by a separate process, like real left-over processes: lines also arrive while the log is being read.
  const writer = spawn('sh', ['-c', `while ${mark}; do sleep 0.002; done >> '${log}'`]);
  try {
    await expect.poll(async () => (await readFile(log, 'utf8')).split('shared memory block').length).toBeGreaterThan(3);
    expect(isStarted).toBe(false);
    process.kill(rows[0]!.pid, 'SIGKILL');
    const server = await starting;
    await server.stop();
  } finally {
    writer.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});
