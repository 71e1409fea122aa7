import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { expect } from 'vitest';
import { newServerState } from '#server/base/server-state.ts';
import { withRunPortal } from '#test/support/fixtures/run-portal.ts';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { until } from '#test/support/until.ts';
import { watchConnections, watchQueue } from './database-metrics.ts';
import { createProcessMetrics } from './metrics.ts';
import { listenForMonitoring } from './monitoring-listener.ts';

const RULES = fileURLToPath(new URL('../../../build/monitoring/alerts.yml', import.meta.url));
const DASHBOARD = fileURLToPath(new URL('../../../build/monitoring/dashboard.json', import.meta.url));
const TOKEN = 'a token of sixteen or more';
const metrics = createProcessMetrics({ version: '1.2.3', role: 'both' });
const { onAnswered, onEnded } = metrics;
const state = newServerState();

const test = withRunPortal({ state, onAnswered, onEnded }).extend(
  'monitoring',
  { scope: 'file', auto: true },
  async ({ portal }, { onCleanup }) => {
    const ask = (path: string, token = TOKEN) =>
      fetch(`http://127.0.0.1:${listener.port}${path}`, { headers: { authorization: `Bearer ${token}` } });

    /** Returns the samples by name and labels, as printed. */
    async function scrape(): Promise<Map<string, number>> {
      const text = await (await ask('/metrics')).text();
      const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      return new Map(
        samples.map((line) => {
          const [, name, value] = /^(.*) (\S+)$/.exec(line)!;
          return [name!, Number(value)];
        }),
      );
    }

    watchConnections(metrics.registry, portal.app.database);
    watchQueue(metrics.registry, portal.app.database);
    metrics.watchThreads({ runs: () => [{ isFree: true }, { isFree: false }, { isFree: false }] });
    const isReady = async () => !state.isDraining;
    const log = pino({ level: 'silent' });
    const options = { host: '127.0.0.1', port: 0, token: TOKEN };
    const listener = await listenForMonitoring({ registry: metrics.registry, isReady, log }, options);
    onCleanup(() => listener.close());
    return { listener, ask, scrape };
  },
);

test('the metrics are for those who have the token', async ({ monitoring: { ask, listener } }) => {
  expect((await ask('/metrics', 'another')).status).toBe(401);
  expect((await fetch(`http://127.0.0.1:${listener.port}/metrics`)).status).toBe(401);
  const answer = await ask('/metrics');
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect((await ask('/other')).status).toBe(404);
  const posted = await fetch(`http://127.0.0.1:${listener.port}/metrics`, { method: 'POST' });
  expect(posted.status).toBe(405);
});

test('runs are counted by how they ended, what waits by its age, and calls by their route', async ({
  portal,
  monitoring: { scrape },
}) => {
  await portal.ended(await portal.started());
  portal.executor.onRun = async () => ({ ...SUCCESS, status: 'Failed' });
  await portal.ended(await portal.started());
  portal.executor.onRun = async () => SUCCESS;
  await portal.app.http.inject({ method: 'POST', url: '/token', payload: {} });
  await portal.app.http.inject({ method: 'GET', url: '/api/there/is/none?secret=1' });
  const release = portal.holdRuns();
  for (let count = 0; count < 8; count++) await portal.started();
  const later = portal.app.database.dialect.nowPlus(portal.app.database.knex, -90);
  await portal.app.database.knex('ActivityRuns').where({ Status: 'Queued' }).update({ QueueTime: later });
  const seen = await until('the metrics show all', async () => {
    const now = await scrape();
    return (now.get('runsheet_queue_oldest_seconds') ?? 0) > 80 && now;
  });
  release();
  expect(seen.get('runsheet_runs_ended_total{status="Succeeded"}')).toBe(1);
  expect(seen.get('runsheet_run_own_seconds_count{status="Failed"}')).toBe(1);
  expect(seen.get('runsheet_run_waiting_seconds_count{status="Succeeded"}')).toBe(1);
  expect(seen.get('runsheet_runs_pending{status="Queued"}')).toBeGreaterThan(0);
  expect(seen.get('runsheet_threads{pool="runs",state="busy"}')).toBe(2);
  expect(seen.get('runsheet_sign_in_failures_total')).toBe(1);
  expect(seen.get('runsheet_schedules_late')).toBe(0);
  expect(seen.get('runsheet_info{version="1.2.3",role="both"}')).toBe(1);
  expect(seen.get('runsheet_database_query_duration_seconds_count')).toBeGreaterThan(20);
  expect(seen.get('runsheet_database_connections{state="waited_for"}')).toBe(0);
  const calls = [...seen.keys()].filter((name) => name.startsWith('runsheet_http_request_duration_seconds_count'));
  expect(calls.join('\n')).toMatch(/method="POST",route="\/api\/activities\/start",status="2xx"/);
  expect(calls.join('\n')).not.toContain('secret');
});

test('a server that is about to stop is alive, not ready, and takes no runs', async ({
  portal,
  monitoring: { ask, scrape },
}) => {
  const call = async (url: string) => (await portal.app.http.inject({ method: 'GET', url })).statusCode;
  expect(await call('/api/health/ready')).toBe(200);
  expect((await ask('/ready')).status).toBe(200);
  state.isDraining = true;
  expect(await call('/api/health/ready')).toBe(503);
  expect(await call('/api/health/live')).toBe(200);
  expect((await ask('/ready')).status).toBe(503);
  expect((await ask('/live')).status).toBe(200);
  const runId = await portal.started();
  await until(
    'no other run is carried out',
    async () => (await scrape()).get('runsheet_runs_pending{status="Started"}') === 0,
  );
  expect(await portal.status(runId, 'Queued')).toBeDefined();
  state.isDraining = false;
  await portal.ended(runId);
});

test.for([
  ['the alert rules', RULES],
  ['the dashboard', DASHBOARD],
] as const)('every metric that %s name is there', async ([, file], { monitoring: { scrape } }) => {
  const known = new Set([...(await scrape()).keys()].map((name) => name.replace(/\{.*/, '')));
  const rules = await readFile(file, 'utf8');
  const named = [...rules.matchAll(/\b(runsheet|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(10);
  const labelled = new Set(['runsheet_database_errors_total']);
  expect(named.filter((name) => !known.has(name) && !labelled.has(name))).toEqual([]);
});

test('Prometheus takes the alert rules', async ({ skip }) => {
  const isThere = spawnSync('promtool', ['--version']).status === 0;
  skip(!isThere, 'promtool is not installed: apt install prometheus');
  const { stdout } = await promisify(execFile)('promtool', ['check', 'rules', RULES]);
  expect(stdout).toContain('SUCCESS: 12 rules found');
});

/** Tests the rules with artificial series: one that fires, and a similar one that does not. */
const RULE_TESTS = `
rule_files: [${JSON.stringify(RULES)}]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - { series: 'up{job="runsheet",instance="gone"}', values: '0x20' }
      - { series: 'up{job="runsheet",instance="there"}', values: '1x20' }
      - { series: 'runsheet_queue_oldest_seconds', values: '301x20' }
      - { series: 'runsheet_pool_runs{pool="heavy",state="queued"}', values: '4x20' }
      - { series: 'runsheet_pool_runs{pool="default",state="queued"}', values: '4x20' }
      - { series: 'runsheet_pool_servers{pool="default"}', values: '1x20' }
      - { series: 'runsheet_runs_ended_total{status="Abandoned"}', values: '0+1x20' }
      - { series: 'runsheet_runs_ended_total{status="Failed"}', values: '0+9x20' }
      - { series: 'runsheet_http_request_duration_seconds_count{status="5xx"}', values: '0+1x20' }
      - { series: 'runsheet_http_request_duration_seconds_count{status="2xx"}', values: '0+99x20' }
      - { series: 'runsheet_schedules_late', values: '0x20' }
    alert_rule_test:
      - alertname: RunsheetServerGone
        eval_time: 3m
        exp_alerts:
          - exp_labels: { severity: critical, job: runsheet, instance: gone }
            exp_annotations: { summary: 'gone does not respond' }
      - { alertname: RunsheetServerGone, eval_time: 1m, exp_alerts: [] }
      - alertname: RunsheetQueueStandsStill
        eval_time: 6m
        exp_alerts:
          - exp_labels: { severity: warning }
            exp_annotations: { summary: 'A run has waited for 5m 1s: add workers, or check why they take no runs' }
      - alertname: RunsheetPoolUnserved
        eval_time: 3m
        exp_alerts:
          - exp_labels: { severity: critical, pool: heavy }
            exp_annotations: { summary: '4 runs wait for servers of the pool heavy, but no such server is running' }
      - alertname: RunsheetRunsFailByTheSystem
        eval_time: 20m
        exp_alerts:
          - exp_labels: { severity: warning }
            exp_annotations: { summary: '15 runs in 15 minutes ended because of an internal error or were abandoned' }
      # One of a hundred is borne.
      - { alertname: RunsheetCallsFail, eval_time: 20m, exp_alerts: [] }
      - { alertname: RunsheetSchedulesLate, eval_time: 20m, exp_alerts: [] }
`;

test('the alert rules fire for what they are meant for, and for nothing like it', async ({ skip }) => {
  const isThere = spawnSync('promtool', ['--version']).status === 0;
  skip(!isThere, 'promtool is not installed: apt install prometheus');
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-rules-'));
  try {
    const file = join(folder, 'rules.test.yml');
    await writeFile(file, RULE_TESTS);
    const { stdout } = await promisify(execFile)('promtool', ['test', 'rules', file]);
    expect(stdout).toContain('SUCCESS');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('Prometheus finds no fault with how the metrics are written', async ({ monitoring: { ask }, skip }) => {
  const isThere = spawnSync('promtool', ['--version']).status === 0;
  skip(!isThere, 'promtool is not installed: apt install prometheus');
  const input = await (await ask('/metrics')).text();
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
  const ours = `${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('runsheet_'));
  expect({ ours, parsed: status !== 1 }).toEqual({ ours: [], parsed: true });
});
