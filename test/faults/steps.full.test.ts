/** Runs that wait for a user while their servers are killed. */
import { expect, test } from 'vitest';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { administratorToken } from './administrator-token.ts';
import {
  endLeases,
  ENDLESS_LEASE,
  eventually,
  launch,
  temporaryDatabase,
  temporaryFolder,
  TEST_TIMEOUT_MS,
} from './fault-bench.ts';
import { portalClient } from './portal-client.ts';

const ASKING = buildWorkbook({
  sheets: [
    { name: 'S', cells: { A1: { value: 1 }, A2: { formula: 'A1*2', value: 2 } } },
    stepSheet([{ Step: 'Ask', Action: 'Prompt', Cell: 'S!A1', Message: 'Which number?' }]),
  ],
  names: { out_Double: 'S!$A$2' },
});

test(
  'a prompt outlives the server that people see, and ends with the worker that waits',
  async () => {
    const database = await temporaryDatabase();
    const settings = {
      RUNSHEET_DATABASE_URL: database.url,
      RUNSHEET_DATA_DIR: await temporaryFolder(),
      ...ENDLESS_LEASE,
    };
    const api = launch('api', { ...settings, RUNSHEET_ROLE: 'api' });
    const worker = launch('worker', { ...settings, RUNSHEET_ROLE: 'worker' });
    await api.start();
    await worker.start();
    const { token } = await administratorToken(database);
    const fields = { Id: '0', Schema: 'General', Name: 'Asking', SingleRun: 'false' };
    const activity = await portalClient(() => api.address, token).upload(fields, 'Asking.xlsx', await ASKING);

    const call = async (path: string, body?: object): Promise<{ status: number; result: unknown }> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
      const answer = await fetch(`${api.address}/api/activities/${path}`, init);
      return { status: answer.status, result: ((await answer.json()) as { result?: unknown }).result };
    };
    const start = async (): Promise<number> => {
      const body = { ActivityId: activity, ActivityVersion: 1, UniqueId: null, Inputs: [] };
      return ((await call('start', body)).result as { Id: number }).Id;
    };
    const get = async (Id: number) => (await call(`status/${Id}?activity=true`)).result as ActivityRun;
    const promptOf = (Id: number) =>
      eventually('the question', async () => (await get(Id)).LogEntries.find(({ prompt }) => prompt)?.prompt);
    const ended = (Id: number) =>
      eventually(`the end of run ${Id}`, async () => {
        const run = await get(Id);
        return !isPending(run.Status) && run;
      });

    const first = await start();
    const asked = await promptOf(first);
    await api.kill();
    await api.start();
    expect(await promptOf(first)).toEqual(asked);
    const answer = { ActivityRunId: first, Key: asked.key, Value: '21' };
    expect((await call('provideinput', answer)).status).toBe(200);
    const run = await ended(first);
    expect([run.Status, run.Outputs[0]!.Value]).toEqual(['Succeeded', '42']);

    const second = await start();
    const { key } = await promptOf(second);
    await worker.kill();
    await endLeases(database.knex);
    await worker.start();
    const abandoned = await ended(second);
    expect(abandoned.Status).toBe('Abandoned');
    expect(abandoned.LogEntries.every(({ prompt }) => prompt === undefined)).toBe(true);
    expect((await call('provideinput', { ActivityRunId: second, Key: key, Value: '1' })).status).toBe(409);
    // No worker executes it a second time.
    expect(await database.knex('ActivityRuns').where('RetryOf', second)).toEqual([]);
  },
  TEST_TIMEOUT_MS,
);
