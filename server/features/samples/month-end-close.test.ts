/**
 * Tests the shipped sample workflow: it is run, fails at its third activity, is fixed, resumed and approved by somebody
 * else, and all its files are downloaded.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '#server/config/load-config.ts';
import { createWorkbookExecutor, type WorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { ensureSchemas } from '#server/features/schemas/schemas-service.ts';
import { personOf } from '#server/features/schedules/schedule-starter.ts';
import { newFileId } from '#server/files/stored-files.ts';
import { createRunSteps } from '#server/queue/steps/run-steps.ts';
import { startJobs } from '#server/queue/worker/start-jobs.ts';
import { createMailSender } from '#server/mail/mail-sender.ts';
import { toSerial } from '#shared/codecs/serial-date.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { signedInUser } from '#test/support/users.ts';
import { until } from '#test/support/until.ts';
import { POSITIONS } from '../../../scripts/samples/fx-exposure.ts';
import { publishSamples, SAMPLES_FOLDER } from './publish-samples.ts';
import { publishWorkflow } from './publish-workflow.ts';

type User = Awaited<ReturnType<typeof signedInUser>>;

const log = pino({ level: 'silent' });
/** Five workbooks are read and calculated, possibly on a slow machine. */
const TEST_TIMEOUT_MS = 240_000;
let app: TestApp;
let executor: WorkbookExecutor;
let stops: (() => Promise<void>)[];
let admin: User;
let colleague: User;
let ChecklistId: number;
/** Keys of versions whose runs fail. */
const broken = new Set<string>();

beforeAll(async () => {
  executor = createWorkbookExecutor({ threads: 1 });
  const run: WorkbookExecutor['run'] = async (request) =>
    broken.has(request.versionKey) ? { status: 'Failed', outputs: [], files: [] } : executor.run(request);
  const breaking = Object.create(executor, { run: { value: run } }) as WorkbookExecutor;
  app = await testApp({ executor: breaking });
  const { database, connections, signals, fileStore } = app;
  await ensureSchemas(database, []);
  admin = await signedInUser(app, ['sk.EditActivity', 'sk.EditChecklist', 'sk.RunActivity', 'sk.ViewRuns']);
  await database.knex('Users').where({ UserId: admin.UserId }).update({ UserName: 'admin', UserNameKey: 'admin' });
  colleague = await signedInUser(app, ['sk.RunActivity']);
  const settings = loadConfig({});
  const steps = createRunSteps({
    database,
    mail: createMailSender(settings),
    mailDomains: [],
    pdf: null,
    connections,
    folders: app.folders,
    findHolder: async (UserId) => ({ UserId, IsUserAdmin: false }),
    findStartable: app.findStartable,
  });
  const job = { database, versions: app.versions, files: fileStore, executor: breaking, steps, log };
  const stopJobs = startJobs({ ...job, isLicensed: async () => true }, signals, settings, { hasNotifications: false });
  stops = [stopJobs, app.workflowEngine.start(null)];
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await executor.close();
  await app.close();
});

async function call(method: 'GET' | 'POST', url: string, user: User, payload?: object) {
  const answer = await app.http.inject({ method, url: `/api/${url}`, headers: user.headers, payload });
  const body = answer.json();
  if (answer.statusCode !== 200) throw new Error(`${url}: ${JSON.stringify(body)}`);
  return body.result;
}

const status = (runId: number, user = colleague) => call('GET', `checklists/status/workflow/${runId}`, user);
const ended = (runId: number) =>
  until(`run ${runId} ends`, async () => {
    const found = await status(runId);
    return found.Checklist.EndTime === null ? undefined : found;
  });
const stands = ({ ActivityRuns }: { ActivityRuns: { StepKey: string; Status: string }[] }) =>
  Object.fromEntries(ActivityRuns.map(({ StepKey, Status }) => [StepKey, Status]));

async function upload(name: string, ActivityParameterId: number): Promise<object> {
  const { key, contentLength, sha256 } = await app.fileStore.put(await readFile(join(SAMPLES_FOLDER, 'files', name)));
  const FileId = newFileId();
  const file = { FileId, StoreKey: key, ContentLength: contentLength, Sha256: sha256, FileName: name };
  const row = { ...file, Purpose: 'upload', UserId: colleague.UserId, ActivityParameterId };
  await app.database.knex('StoredFiles').insert(row);
  return { ArrayIndex: 0, FileId, FileName: name };
}

/** Uses the examples that come with the samples. */
async function inputs(): Promise<object[]> {
  const index = JSON.parse(await readFile(join(SAMPLES_FOLDER, 'index.json'), 'utf8')) as {
    examples: { inputs: Record<string, unknown> }[];
  }[];
  const examples = Object.assign({}, ...index.map(({ examples: [first] }) => first?.inputs)) as Record<string, unknown>;
  const day = (date: Date): number =>
    toSerial({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() })!;
  const values: Record<string, unknown> = {
    ...examples,
    'Loan Amount': examples['Amount'],
    'Report Date': 46_326,
    'Allowance Rate': 0.5,
    Positions: POSITIONS.map(([entity, type, currency, due, amount]) => [
      entity,
      type,
      currency,
      day(due),
      amount,
      null,
      null,
    ]),
  };
  const { Inputs } = await call('GET', `checklists/details/${ChecklistId}`, colleague);
  return Promise.all(
    Inputs.map(async ({ InputName, InputId }: { InputName: string; InputId: number }) => {
      const files = (values[InputName] as { files?: string[] } | undefined)?.files;
      const value = files ? await upload(files[0]!, InputId) : { Value: JSON.stringify(values[InputName] ?? null) };
      return { ChecklistInputName: InputName, ActivityParameterId: InputId, ...value };
    }),
  );
}

test(
  'it is made once, of the sample activities, and can be run by those who may run these',
  async () => {
    const { database } = app;
    const user = (await database.knex('Users').where({ UserId: admin.UserId }).first()) as Parameters<
      typeof personOf
    >[0];
    const person = { ...personOf(user), IsUserAdmin: true };
    expect(await publishSamples({ database, publishing: app.publishing, files: app.fileStore, log }, person)).toContain(
      'Month-end report',
    );
    const deps = { database, workflowImport: app.workflowImport, log };
    const made = await publishWorkflow(deps, person);
    expect(made).toEqual(expect.any(Number));
    ChecklistId = made!;
    expect(await publishWorkflow(deps, person)).toBeNull();
    const { Faults, Graph } = await call('GET', `workflows/details/${ChecklistId}`, admin);
    expect(Faults).toEqual([]);
    expect(new Set(Graph.Steps.flatMap(({ ActivityId }: { ActivityId?: number }) => ActivityId ?? [])).size).toBe(5);
    expect(await call('GET', `checklists/details/${ChecklistId}`, colleague)).toMatchObject({
      Name: 'Monthly close',
      Schema: 'Samples',
      Group: 'Finance',
      CanRun: true,
    });
  },
  TEST_TIMEOUT_MS,
);

test(
  'if its third activity fails, it resumes there once that is fixed, and is approved by somebody else',
  async () => {
    const { knex } = app.database;
    const fx = await knex('Activities').where({ Name: 'FX exposure report' }).first('Id');
    broken.add(`${fx.Id}/1`);
    const WorkflowId = ChecklistId;
    const { Id } = await call('POST', 'checklists/start', colleague, {
      ChecklistId,
      WorkflowId,
      Inputs: await inputs(),
    });
    const failed = await ended(Id);
    expect(stands(failed)).toMatchObject({ invoices: 'SucceededWarn', exposure: 'Failed', report: 'Cancelled' });
    expect(failed.Checklist).toMatchObject({ Status: 'Failed', CanResume: true, NewerVersions: [] });

    // Simulates a new version of the workbook.
    const first = await knex('ActivityVersions').where({ ActivityId: fx.Id, Version: 1 }).first();
    await knex('ActivityVersions').insert({ ...first, Version: 2 });
    await knex('Activities').where({ Id: fx.Id }).update({ Version: 2 });
    expect((await status(Id)).Checklist.NewerVersions).toEqual(['FX exposure report']);
    const resumed = await call('POST', `checklists/resume/${Id}`, colleague, { LatestVersions: true });
    const waiting = await until('it waits for an approval', async () => {
      const found = await status(resumed.Id);
      const step = found.ActivityRuns.find(({ StepKey }: { StepKey: string }) => StepKey === 'approve');
      return step.Status === 'Started' && step.Approval ? step : undefined;
    });
    expect(waiting.Approval).toMatchObject({ Outcome: 'Open' });
    const decided = await call('POST', `approvals/decide/${waiting.Approval.Id}`, admin, {
      Approved: true,
      Comment: 'Looked at',
    });
    expect(decided).toEqual({ Outcome: 'Approved' });

    const done = await ended(resumed.Id);
    expect(done.Checklist).toMatchObject({ Status: 'SucceededWarn', ResumeOf: Id, HasFiles: true });
    expect(stands(done)).toMatchObject({ invoices: 'SucceededWarn', exposure: 'Succeeded', report: 'Succeeded' });
    const reused = done.ActivityRuns.find(({ StepKey }: { StepKey: string }) => StepKey === 'invoices');
    expect(reused).toMatchObject({ Id: null, KeptRunId: expect.any(Number) });

    const report = done.ActivityRuns.find(({ StepKey }: { StepKey: string }) => StepKey === 'report');
    const run = await call('GET', `activities/status/${report.Id}?activity=true`, colleague);
    const output = (name: string): unknown =>
      JSON.parse(run.Outputs.find(({ Name }: { Name: string }) => Name === name).Value);
    const passedRows = await knex('RunOutputs')
      .where({ ActivityRunId: reused.KeptRunId })
      .whereNotNull('Rows')
      .first('Rows');
    expect(output('Open Items Found')).toBe(passedRows.Rows);

    const token = await call('GET', `workflows/downloadFiles/${resumed.Id}`, colleague);
    expect(token).not.toContain('<PARTIAL>');
    const file = await app.http.inject({ url: `/api/files/download/${token}` });
    const folders = [...file.rawPayload.toString('latin1').matchAll(/0\d [A-Za-z ]+\//g)].map(([name]) => name);
    expect(new Set(folders).size).toBe(5);
  },
  TEST_TIMEOUT_MS,
);
