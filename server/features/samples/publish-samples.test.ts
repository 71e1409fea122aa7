import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '#server/config/load-config.ts';
import { createWorkbookExecutor, type WorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { ensureSchemas } from '#server/features/schemas/schemas-service.ts';
import { startJobs } from '#server/queue/worker/start-jobs.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { createUser, signedInUser } from '#test/support/users.ts';
import { until } from '#test/support/until.ts';
import type { Activity, ActivityList } from '#shared/contract/activities.ts';
import type { ReplayedCase } from '#shared/contract/test-beds.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { publishSamples } from './publish-samples.ts';

const log = pino({ level: 'silent' });
let app: TestApp;
let executor: WorkbookExecutor;
let stopJobs: () => Promise<void>;

beforeAll(async () => {
  executor = createWorkbookExecutor({ threads: 1 });
  app = await testApp({ executor });
  await ensureSchemas(app.database, []);
  const isLicensed = async () => true;
  const context = {
    database: app.database,
    versions: app.versions,
    files: app.fileStore,
    executor,
    log,
    isLicensed,
  };
  stopJobs = startJobs(context, app.signals, loadConfig({}), { hasNotifications: false });
});
afterAll(async () => {
  await stopJobs();
  await executor.close();
  await app.close();
});

test('the samples are published once, calculate as Excel did, and run', async () => {
  const administrator = await createUser(app);
  const deps = { database: app.database, publishing: app.publishing, files: app.fileStore, log };
  const publisher = { ...administrator, IsUserAdmin: true };
  expect(await publishSamples(deps, publisher)).toEqual([
    'Loan schedule',
    'Invoice reconciliation',
    'Sales commission',
    'FX exposure report',
    'Month-end report',
  ]);
  expect(await publishSamples(deps, publisher)).toEqual([]);

  const { headers } = await signedInUser(app, ['sk.RunActivity']);
  const get = async <T>(url: string): Promise<T> =>
    (await app.http.inject({ url: `/api/activities${url}`, headers })).json<{ result: T }>().result;
  const { Activities } = await get<ActivityList>('');
  expect(Activities.map(({ Schema }) => Schema)).toEqual(Array.from({ length: 5 }, () => 'Samples'));
  for (const { Id } of Activities) expect(await get(`/fidelity/${Id}/1`)).toMatchObject({ Different: 0 });
  await expectCasesToPass(Activities);

  const loan = Activities.find(({ Name }) => Name === 'Loan schedule')!;
  const { Inputs, Outputs } = await get<Activity>(`/details/${loan.Id}`);
  const values: Record<string, unknown> = {
    Amount: 1200,
    'Interest Rate': 0,
    'Term in Years': 1,
    'Payment Frequency': 'Monthly',
    'First Payment': 46_418,
  };
  const started = await app.http.inject({
    method: 'POST',
    url: '/api/activities/start',
    headers,
    payload: {
      ActivityId: loan.Id,
      ActivityVersion: 1,
      UniqueId: null,
      Inputs: Inputs.map(({ Id, Name }) => ({ ActivityParameterId: Id, Value: JSON.stringify(values[Name] ?? null) })),
    },
  });
  expect(started.statusCode).toBe(200);
  const runId = started.json<{ result: { Id: number } }>().result.Id;
  const run = await until('the run ends', async () => {
    const answer = await get<ActivityRun>(`/status/${runId}`);
    return answer.EndTime ? answer : undefined;
  });
  expect(run).toMatchObject({ Status: 'Succeeded', StoredFileNames: ['loan-schedule calculated.xlsx'] });
  const schedule = run.Outputs.map(({ Value }) => JSON.parse(Value ?? 'null') as unknown).find(Array.isArray);
  expect(schedule).toHaveLength(12);
  expect(Outputs.length).toBeGreaterThan(0);
}, 240_000);

/** Runs the test cases of all shipped samples. They reveal first what an engine upgrade would change. */
async function expectCasesToPass(activities: ActivityList['Activities']): Promise<void> {
  const { headers } = await signedInUser(app, ['sk.EditActivity']);
  const passed: string[] = [];
  for (const { Id, Name } of activities) {
    const payload = { ActivityId: Id, CaseId: null };
    const url = '/api/activities/testbed/replay';
    const answer = await app.http.inject({ method: 'POST', url, headers, payload });
    for (const { Result } of answer.json<{ result: { Cases: ReplayedCase[] } }>().result.Cases) {
      expect(Result).toMatchObject({ Outcome: 'Passed', Differences: [], Messages: [] });
      passed.push(Name);
    }
  }
  expect(passed.toSorted()).toEqual([
    'FX exposure report',
    'Loan schedule',
    'Loan schedule',
    'Month-end report',
    'Sales commission',
  ]);
}
