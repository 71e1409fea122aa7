/**
 * A real Prometheus reads the metrics with the token, evaluates the alert rules and answers the dashboard's queries.
 * Install it on Debian with: apt install prometheus.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { startRunPortal } from '#test/support/run-portal.ts';
import { until } from '#test/support/until.ts';
import { watchConnections, watchQueue } from './database-metrics.ts';
import { createProcessMetrics } from './metrics.ts';
import { listenForMonitoring } from './monitoring-listener.ts';

const RULES = fileURLToPath(new URL('../../../build/monitoring/alerts.yml', import.meta.url));
const DASHBOARD = fileURLToPath(new URL('../../../build/monitoring/dashboard.json', import.meta.url));
const TOKEN = 'a token of sixteen or more';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Returns the URL for queries. */
async function startPrometheus(target: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-prometheus-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  await writeFile(join(folder, 'token'), TOKEN);
  const config = `
global: { scrape_interval: 500ms, evaluation_interval: 500ms }
rule_files: [${JSON.stringify(RULES)}]
scrape_configs:
  - job_name: runsheet
    authorization: { credentials_file: ${JSON.stringify(join(folder, 'token'))} }
    static_configs: [{ targets: ['127.0.0.1:${target}'] }]
`;
  await writeFile(join(folder, 'prometheus.yml'), config);
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  cleanups.push(async () => {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGTERM')) await ended;
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [, port] = await until('Prometheus listens', () => {
    if (child.exitCode !== null) throw new Error(`Prometheus ended: ${said}`);
    return /msg="Listening on".* address=\S+:(\d+)/.exec(said);
  });
  return `http://127.0.0.1:${port}`;
}

interface Answer {
  data: {
    result: { metric: Record<string, string>; value: [number, string] }[];
    groups: { rules: { name: string; health: string; lastError?: string }[] }[];
  };
}

test('Prometheus reads the metrics with the token, and evaluates the alert rules by them', async (context) => {
  const isThere = spawnSync('prometheus', ['--version']).status === 0;
  context.skip(!isThere, 'Prometheus is not installed: apt install prometheus');
  const { registry, onAnswered, onEnded } = createProcessMetrics({ version: '1.2.3', role: 'both' });
  const portal = await startRunPortal({ onAnswered, onEnded });
  cleanups.push(() => portal.close());
  const { database } = portal.app;
  watchConnections(registry, database);
  watchQueue(registry, database);
  const log = pino({ level: 'silent' });
  const options = { host: '127.0.0.1', port: 0, token: TOKEN };
  const listener = await listenForMonitoring({ registry, isReady: async () => true, log }, options);
  cleanups.push(() => listener.close());
  await database.knex('Activities').where('Id', portal.ActivityId).update({ Pool: 'nobody' });
  await portal.started();

  const address = await startPrometheus(listener.port);
  const ask = async (path: string): Promise<Answer['data'] | undefined> => {
    const answer = await fetch(`${address}${path}`).catch(() => undefined);
    return answer?.ok ? ((await answer.json()) as Answer).data : undefined;
  };
  const waiting = await until('the run that waits was read', async () => {
    const query = encodeURIComponent('runsheet_pool_runs{pool="nobody",state="queued"} == 1');
    return (await ask(`/api/v1/query?query=${query}`))?.result[0];
  });
  expect(waiting.metric).toMatchObject({ job: 'runsheet', pool: 'nobody' });
  const rules = await until('all rules were evaluated', async () => {
    const all = (await ask('/api/v1/rules'))?.groups.flatMap((group) => group.rules) ?? [];
    return all.length > 0 && all.every(({ health }) => health !== 'unknown') ? all : undefined;
  });
  expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
  const { panels } = JSON.parse(await readFile(DASHBOARD, 'utf8')) as { panels: { targets: { expr: string }[] }[] };
  for (const { expr } of panels.flatMap(({ targets }) => targets)) {
    expect(await ask(`/api/v1/query?query=${encodeURIComponent(expr)}`), expr).toBeDefined();
  }
  const pending = await until('the alert of a pool without servers waits for its time', async () => {
    const query = encodeURIComponent('ALERTS{alertname="RunsheetPoolUnserved"}');
    return (await ask(`/api/v1/query?query=${query}`))?.result[0];
  });
  expect(pending.metric).toMatchObject({ pool: 'nobody', alertstate: 'pending' });
});
