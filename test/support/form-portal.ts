/**
 * The API with the real executor and a worker, for forms: an editor publishes workbooks, a runner fills in their forms.
 */
import { pino } from 'pino';
import { expect } from 'vitest';
import { loadConfig } from '#server/config/load-config.ts';
import { createWorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { startJobs } from '#server/queue/worker/start-jobs.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { testApp, type TestApp } from './app.ts';
import { buildWorkbook, type SheetSpec, type WorkbookSpec } from './build-workbook.ts';
import { multipart } from './portal.ts';
import { untilEnded } from './until.ts';
import { signedInUser } from './users.ts';

type SignedInUser = Awaited<ReturnType<typeof signedInUser>>;
type Headers = SignedInUser['headers'];

interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of all calls, which tests look into
  body: any;
}

export interface FormPortal {
  app: TestApp;
  editor: SignedInUser;
  runner: SignedInUser;
  /** Calls below /api/activities/, as the runner by default. */
  call: (method: 'GET' | 'POST', url: string, payload?: object, headers?: Headers) => Promise<Answer>;
  /** Creates an activity, or the second version of an existing one. */
  publish: (spec: WorkbookSpec, Name: string, Id?: number) => Promise<Activity>;
  details: (id: number) => Promise<Activity>;
  /** Waits for the end of a run of the runner. */
  ended: (runId: number) => Promise<ActivityRun>;
  /** Sends the values of a form being filled in, and returns the update. */
  ask: (activity: Activity, body: object, headers?: Headers) => Promise<Answer>;
  close: () => Promise<void>;
}

export async function startFormPortal(): Promise<FormPortal> {
  const executor = createWorkbookExecutor({ threads: 1, formThreads: 1 });
  const app = await testApp({ executor });
  await app.database.knex('Schemas').insert({ Name: 'Forms', DisplayName: 'Forms', Order: 1 });
  const editor = await signedInUser(app, ['sk.RunActivity', 'sk.CreateActivity', 'sk.EditActivity']);
  const runner = await signedInUser(app, ['sk.RunActivity']);
  const context = {
    database: app.database,
    versions: app.versions,
    files: app.fileStore,
    executor,
    log: pino({ level: 'silent' }),
    isLicensed: async () => true,
  };
  const stopJobs = startJobs(
    context,
    app.signals,
    { ...loadConfig({}), workerThreads: 1 },
    { hasNotifications: false },
  );
  const call: FormPortal['call'] = async (method, url, payload, headers = runner.headers) => {
    const answer = await app.http.inject({ method, url: `/api/activities/${url}`, headers, payload });
    return { status: answer.statusCode, body: answer.json() };
  };
  const details: FormPortal['details'] = async (id) => (await call('GET', `details/${id}`)).body.result;
  return {
    app,
    editor,
    runner,
    call,
    details,
    publish: async (spec, Name, Id = 0) => details(await publishAs(app, editor.headers, { spec, Name, Id })),
    ended: (runId) =>
      untilEnded(`run ${runId}`, async () => (await call('GET', `status/${runId}?activity=true`)).body.result),
    ask: (activity, body, headers) =>
      call(
        'POST',
        'updateui',
        { ActivityId: activity.Id, ActivityVersion: activity.Version, UniqueId: null, Inputs: [], ...body },
        headers,
      ),
    close: async () => {
      await stopJobs();
      await app.close();
      await executor.close();
    },
  };
}

async function publishAs(
  app: TestApp,
  editor: Headers,
  { spec, Name, Id }: { spec: WorkbookSpec; Name: string; Id: number },
): Promise<number> {
  const fields = { Id: String(Id), Schema: 'Forms', Name, ChangeDescription: Id === 0 ? '' : 'changed' };
  const { headers, payload } = multipart(fields, [{ name: 'Book.xlsx', content: await buildWorkbook(spec) }]);
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/activities/create',
    headers: { ...headers, ...editor },
    payload,
  });
  expect(answer.json()).toMatchObject({ Version: Id === 0 ? 1 : 2 });
  return answer.json<{ Id: number }>().Id;
}

export const inputOf = ({ Inputs }: Activity, name: string): Input => Inputs.find(({ Name }) => Name === name)!;

export const value = (activity: Activity, name: string, given: unknown) => ({
  ActivityParameterId: inputOf(activity, name).Id,
  Value: JSON.stringify(given),
});

export const portalTable = (name: string, rows: (string | number | boolean)[][]): SheetSpec => {
  const letters = 'ABCDEFGH';
  const cells: SheetSpec['cells'] = {};
  for (const [y, row] of rows.entries()) for (const [x, cell] of row.entries()) cells[`${letters[x]}${y + 1}`] = cell;
  const ref = `A1:${letters[rows[0]!.length - 1]}${rows.length}`;
  return { name: 'Portal', cells, tables: [{ name, ref, columns: rows[0]!.map(String) }] };
};

/** Suggestions, a list and an output that depend on the values entered. */
export const ORDER: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 10,
        A2: { formula: 'A1*2', value: 20 },
        A3: 'North 1',
        A4: true,
        B1: { formula: '"North "&A1', value: 'North 10' },
        B2: { formula: 'A1+A2', value: 30 },
      },
      validations: [{ ref: 'A3', type: 'list', formula1: '$B$1:$B$1' }],
    },
    portalTable('PortalOutputs', [
      ['Name', 'CalculateImmediately'],
      ['Sum', true],
    ]),
  ],
  names: { in_Quantity: 'S!$A$1', in_Price: 'S!$A$2', in_Branch: 'S!$A$3', in_Paid: 'S!$A$4', out_Sum: 'S!$B$2' },
};
