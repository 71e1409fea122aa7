/** Forms, presets and samples on a real database and the real executor. */
import excelJs from 'exceljs';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '#server/config/load-config.ts';
import { createWorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { UpdateUiResult } from '#shared/contract/forms.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { ActivityRun, RunState, StartResult } from '#shared/contract/runs.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { buildWorkbook, type SheetSpec, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { multipart } from '#test/support/portal.ts';
import { until } from '#test/support/until.ts';
import { signedInUser } from '#test/support/users.ts';

let app: TestApp;
let stop: () => Promise<void>;
let editor: Awaited<ReturnType<typeof signedInUser>>;
let runner: typeof editor;

beforeAll(async () => {
  const executor = createWorkbookExecutor({ threads: 1, formThreads: 1 });
  app = await testApp({ executor });
  await app.database.knex('Schemas').insert({ Name: 'Forms', DisplayName: 'Forms', Order: 1 });
  editor = await signedInUser(app, ['sk.RunActivity', 'sk.CreateActivity', 'sk.EditActivity']);
  runner = await signedInUser(app, ['sk.RunActivity']);
  const log = pino({ level: 'silent' });
  const isLicensed = async () => true;
  const context = {
    database: app.database,
    versions: app.portal.versions,
    files: app.fileStore,
    executor,
    log,
    isLicensed,
  };
  const stopJobs = startJobs(context, app.signals, { ...loadConfig({}), workerThreads: 1 }, { told: false });
  stop = async () => {
    await stopJobs();
    await app.close();
    await executor.close();
  };
});
afterAll(() => stop());

const call = async (method: 'GET' | 'POST', url: string, payload?: object, headers = runner.headers) => {
  const answer = await app.http.inject({ method, url: `/api/activities/${url}`, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
};

async function publish(spec: WorkbookSpec, Name: string, Id = 0): Promise<Activity> {
  const fields = { Id: String(Id), Schema: 'Forms', Name, ChangeDescription: Id === 0 ? '' : 'changed' };
  const { headers, payload } = multipart(fields, [{ name: 'Book.xlsx', content: await buildWorkbook(spec) }]);
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/activities/create',
    headers: { ...headers, ...editor.headers },
    payload,
  });
  expect(answer.json()).toMatchObject({ Version: Id === 0 ? 1 : 2 });
  return details(answer.json<{ Id: number }>().Id);
}

const details = async (id: number): Promise<Activity> => (await call('GET', `details/${id}`)).body.result;

const inputOf = ({ Inputs }: Activity, name: string): Input => Inputs.find(({ Name }) => Name === name)!;

const value = (activity: Activity, name: string, given: unknown) => ({
  ActivityParameterId: inputOf(activity, name).Id,
  Value: JSON.stringify(given),
});

const portalTable = (name: string, rows: (string | number | boolean)[][]): SheetSpec => {
  const letters = 'ABCDEFGH';
  const cells: SheetSpec['cells'] = {};
  for (const [y, row] of rows.entries()) for (const [x, cell] of row.entries()) cells[`${letters[x]}${y + 1}`] = cell;
  const ref = `A1:${letters[rows[0]!.length - 1]}${rows.length}`;
  return { name: 'Portal', cells, tables: [{ name, ref, columns: rows[0]!.map(String) }] };
};

const ORDER: WorkbookSpec = {
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

const ask = async (activity: Activity, body: object, headers = runner.headers) =>
  call(
    'POST',
    'updateui',
    { ActivityId: activity.Id, ActivityVersion: activity.Version, UniqueId: null, Inputs: [], ...body },
    headers,
  );

describe('updateui', () => {
  test('answers suggestions, lists and immediate outputs for what was typed', async () => {
    const activity = await publish(ORDER, 'Order');
    const first = await ask(activity, { Inputs: [value(activity, 'Quantity', 4)], ChangedInputIndex: 0 });
    const { UniqueId, ...result } = first.body.result as UpdateUiResult;
    expect(result).toMatchObject({
      Inputs: [{ ActivityParameterId: inputOf(activity, 'Price').Id, ColumnIndex: null, Value: '8' }],
      InputPickerValues: [{ ActivityParameterId: inputOf(activity, 'Branch').Id, ColumnIndex: 0, Items: ['North 4'] }],
      StoredFileNames: [],
      Outputs: [{ Name: 'Sum', Value: '12' }],
    });
    const again = await ask(activity, { UniqueId, Inputs: [value(activity, 'Quantity', 5)] });
    expect(again.body.result).toMatchObject({ UniqueId, Outputs: [{ Value: '15' }] });
    // A form of the same name is another person's own.
    const theirs = await ask(activity, { UniqueId }, editor.headers);
    expect(theirs.body.result.Outputs[0].Value).toBe('30');
  });

  test('refuses what no form sends', async () => {
    const activity = await publish(ORDER, 'Refused');
    expect((await ask(activity, { ChangedInputIndex: 9 })).status).toBe(400);
    const table = (length: number) => ask(activity, { Inputs: [value(activity, 'Quantity', Array(length).fill(1))] });
    const [short, long] = [await table(1), await table(1_000_001)];
    expect([short.status, long.status]).toEqual([400, 400]);
    expect(long.body.modelState).toEqual(short.body.modelState);
    expect((await ask(activity, { ActivityVersion: 7 })).status).toBe(404);
    const stranger = await signedInUser(app);
    expect((await ask(activity, {}, stranger.headers)).status).toBe(403);
  });

  test('and a start agree on what a calculated list allows', async () => {
    const activity = await publish(ORDER, 'Strict');
    const start = (branch: string) =>
      call('POST', 'start', {
        ActivityId: activity.Id,
        ActivityVersion: 1,
        UniqueId: null,
        Inputs: [value(activity, 'Quantity', 3), value(activity, 'Branch', branch), value(activity, 'Paid', true)],
      });
    expect((await start('North 10')).body.modelState).toEqual({ Branch: ['Please choose a valid value.'] });
    expect((await start('North 3')).status).toBe(200);
  });
});

const save = (activity: Activity, presets: Record<string, unknown>, headers = editor.headers) =>
  call(
    'POST',
    'updatepresetvals',
    Object.entries(presets).map(([name, given]) => ({
      Id: inputOf(activity, name).Id,
      ActivityId: activity.Id,
      PresetValue: given === null ? null : JSON.stringify(given),
    })),
    headers,
  );

describe('preset values', () => {
  test('are parsed, cleared where empty, and answered', async () => {
    const activity = await publish(ORDER, 'Presets');
    const saved = await save(activity, { Quantity: '12.5', Paid: 'false' });
    expect(saved.status).toBe(200);
    const kept = (saved.body.result as Input[]).map(({ Name, PresetValue }) => [Name, PresetValue]);
    expect(kept).toEqual([
      ['Quantity', '12.5'],
      ['Price', null],
      ['Branch', null],
      ['Paid', 'false'],
    ]);
    await save(activity, { Quantity: '' });
    expect(inputOf(await details(activity.Id), 'Quantity').PresetValue).toBeNull();
  });

  test('that are invalid are named, and nothing is saved', async () => {
    const activity = await publish(ORDER, 'Invalid');
    const answer = await save(activity, { Quantity: 'many', Paid: 'perhaps', Price: 3 });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      message: 'Invalid preset values for Quantity, Paid',
      modelState: { Quantity: ['Value must be a number'], Paid: ['Please choose a valid value.'] },
    });
    expect(inputOf(await details(activity.Id), 'Price').PresetValue).toBeNull();
  });

  test('are the editor’s to save', async () => {
    const activity = await publish(ORDER, 'Mine');
    expect((await save(activity, { Quantity: 1 }, runner.headers)).status).toBe(403);
  });

  test('go into runs and forms, whatever the form sends', async () => {
    const activity = await publish(ORDER, 'Runs');
    await save(activity, { Quantity: 100 });
    const form = await ask(activity, { Inputs: [value(activity, 'Quantity', 1)] });
    expect(form.body.result.Outputs[0].Value).toBe('300');
    const started = await call('POST', 'start', {
      ActivityId: activity.Id,
      ActivityVersion: 1,
      UniqueId: null,
      Inputs: [value(activity, 'Quantity', 1), value(activity, 'Branch', 'North 100')],
    });
    const { Id } = started.body.result as StartResult;
    await until('the run has ended', async () => {
      const state = (await call('POST', `status/${Id}`, [])).body.result as RunState;
      return state.Status === 'Succeeded';
    });
    const run = (await call('GET', `status/${Id}?activity=true`)).body.result as ActivityRun;
    expect(run.Outputs.find(({ Name }) => Name === 'Sum')!.Value).toBe('300');
    expect(run.Inputs.find(({ Name }) => Name === 'Quantity')).toMatchObject({
      Value: '100',
      HasPresetValue: true,
      UseDefault: false,
    });
  });

  test('stay over versions, and say where they no longer fit', async () => {
    const activity = await publish(ORDER, 'Versions');
    await save(activity, { Quantity: 100 });
    const changed = structuredClone(ORDER);
    changed.sheets[0]!.validations!.push({ ref: 'A1', type: 'list', formula1: '"5,6"' });
    const next = await publish(changed, 'Versions', activity.Id);
    const input = inputOf(next, 'Quantity');
    expect(input).toMatchObject({
      PresetValue: '100',
      PresetValueError: 'The preset value does not fit this version: Please choose a valid value.',
    });
    const started = await call('POST', 'start', {
      ActivityId: activity.Id,
      ActivityVersion: 2,
      UniqueId: null,
      Inputs: [value(next, 'Branch', 'North 5')],
    });
    expect(started.body.modelState['Quantity']).toEqual([input.PresetValueError]);
  });
});

const DEALS: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 'Deal',
        B1: 'Amount',
        C1: 'Tax',
        A2: '=cmd',
        B2: -5,
        C2: { formula: 'B2*0.2', value: -1 },
        E1: 'Day',
        F1: 'Payer',
        E2: { value: 46000, style: 1 },
        F2: 'Someone',
        H1: 'x',
      },
      tables: [
        { name: 'Deals', ref: 'A1:C2', columns: ['Deal', 'Amount', { name: 'Tax', formula: 'B2*0.2' }] },
        { name: 'Payments', ref: 'E1:F2', columns: ['Day', 'Payer'] },
      ],
    },
    portalTable('PortalInputs', [
      ['Name', 'SampleFile'],
      ['Bank File', 'bank.csv'],
    ]),
    {
      ...portalTable('PortalSteps', [
        ['Action', 'Input', 'Table', 'DateFormat', 'Delimiter'],
        ['Import', 'Bank File', 'Payments', 'dd/mm/yyyy', ';'],
      ]),
      name: 'Steps',
    },
  ],
  names: { in_Deals: 'Deals', in_Bank_File: 'S!$H$1', out_Day: 'S!$E$2' },
  formats: ['dd/mm/yyyy'],
};

/** All tables of the Portal sheet stand on one sheet. */
function oneSheet(spec: WorkbookSpec): WorkbookSpec {
  const [first, inputs, steps] = spec.sheets as [SheetSpec, SheetSpec, SheetSpec];
  const cells = { ...inputs.cells };
  for (const [at, cell] of Object.entries(steps.cells!)) {
    cells[`${at[0]}${Number(at.slice(1)) + 10}`] = cell;
  }
  const table = { ...steps.tables![0]!, ref: 'A11:E12' };
  return { ...spec, sheets: [first, { ...inputs, cells, tables: [...inputs.tables!, table] }] };
}

describe('a sample file', () => {
  const sample = async (path: string): Promise<{ name: string; bytes: Buffer }> => {
    const { body } = await call('GET', `downloadsample/input/${path}`);
    const answer = await app.http.inject(`/api/activities/downloadsample/token/${body.result}`);
    expect(answer.statusCode).toBe(200);
    return { name: String(answer.headers['content-disposition']), bytes: answer.rawPayload };
  };

  test('of a file that a step imports has its columns and an example, as the step reads them', async () => {
    const activity = await publish(oneSheet(DEALS), 'Samples');
    const input = inputOf(activity, 'Bank File');
    expect(input.Info.SampleFilePath).toBe('bank.csv');
    const { name, bytes } = await sample(String(input.Id));
    expect(name).toContain('filename="bank.csv"');
    expect(bytes.toString()).toBe('\uFEFFDay;Payer\n09/12/2025;Someone\n');
  });

  test('of a grid is a workbook with its columns, in which nothing becomes a formula', async () => {
    const activity = await publish(oneSheet(DEALS), 'Grid');
    const input = inputOf(activity, 'Deals');
    const { name, bytes } = await sample(`${input.Id}`);
    expect(name).toContain('filename="Deals.xlsx"');
    const workbook = new excelJs.Workbook();
    await workbook.xlsx.load(bytes as never);
    const sheet = workbook.worksheets[0]!;
    expect([1, 2].map((row) => [1, 2, 3].map((col) => sheet.getCell(row, col).value))).toEqual([
      ['Deal', 'Amount', 'Tax'],
      ['=cmd', -5, null],
    ]);
    expect((await sample(`${input.Id}/2`)).bytes.toString()).toContain("'=cmd,-5,");
  });

  test('is offered where there is one alone', async () => {
    const activity = await publish(ORDER, 'None');
    const answer = await call('GET', `downloadsample/input/${inputOf(activity, 'Quantity').Id}`);
    expect(answer).toMatchObject({ status: 404, body: { message: 'There is no sample file' } });
  });
});
