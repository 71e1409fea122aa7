import { buffer } from 'node:stream/consumers';
import excelJs from 'exceljs';
import { fromBufferPromise as openZip } from 'yauzl';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActivityDefinition } from '#server/executors/executor.ts';
import { createReaper } from '#server/jobs/reaper.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { createFakeExecutor, SUCCESS, untilAborted, type FakeExecutor } from '#test/support/fake-executor.ts';
import { input, multipart, output } from '#test/support/portal.ts';
import { queriesOf } from '#test/support/queries.ts';
import { EMPTY_DEFINITION, insertActivity, insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';
import { until } from '#test/support/until.ts';
import { loadConfig } from '#server/config/load-config.ts';

let app: TestApp;
let executor: FakeExecutor;
let stopJobs: () => Promise<void>;
let owner: Awaited<ReturnType<typeof signedInUser>>;
let stranger: typeof owner;
let watcher: typeof owner;
let ActivityId: number;
let ids: Record<string, number>;

const TABLE = {
  RangeType: 'RangeWithColumnHeaders' as const,
  ColumnHeaderValues: ['Day', 'Text', 'Rate'],
  Formats: ['dd/mm/yyyy', 'General', '0.00%'],
  CellUsages: ['Date' as const, 'Text' as const, 'Number' as const],
};
const definition: ActivityDefinition = {
  ...EMPTY_DEFINITION,
  inputs: [
    input('Amount'),
    input(
      'Colour',
      { CellUsages: ['Text'], Specifications: ['Optional'], Pickers: [{ Type: 'List', PreventOtherValues: true }] },
      [['red', 'blue']],
    ),
    input('File', { CellUsages: ['FilePath'], Blanks: [true], MaxSize: [10] }),
    input('Limited', { AllowDefaultValue: true }, [null], 'sk.PurgeRuns'),
  ],
  outputs: [output('Total'), output('Table', TABLE), output('Report', { CellUsages: ['FilePath'] })],
};

beforeAll(async () => {
  executor = createFakeExecutor();
  app = await testApp({ executor });
  owner = await signedInUser(app, ['sk.RunActivity']);
  stranger = await signedInUser(app, ['sk.RunActivity']);
  watcher = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns', 'sk.CancelAnyRun']);
  ActivityId = await publish();
  const rows = await app.database.knex('ActivityParameters').where({ ActivityId }).select('Id', 'Name');
  ids = Object.fromEntries(rows.map(({ Id, Name }) => [Name, Id]));
  const context = {
    database: app.database,
    versions: app.portal.versions,
    files: app.fileStore,
    executor,
    log: pino({ level: 'silent' }),
    isLicensed: async () => true,
  };
  stopJobs = startJobs(context, app.signals, { ...loadConfig({}), workerThreads: 3 }, { told: false });
});
afterAll(async () => {
  await stopJobs();
  await app.close();
});

async function publish(more: Partial<Parameters<typeof insertActivity>[1]> = {}): Promise<number> {
  const { knex } = app.database;
  const { key, contentLength, sha256 } = await app.fileStore.put(Buffer.from('workbook'));
  const FileId = key;
  await knex('StoredFiles').insert({
    FileId: FileId.slice(0, 43),
    StoreKey: key,
    FileName: 'a.xlsx',
    ContentLength: contentLength,
    Sha256: sha256,
    Purpose: 'version',
  });
  return insertActivity(knex, { UserId: owner.UserId, definition, FileId: FileId.slice(0, 43), ...more });
}

type Headers = { authorization: string };
const get = async (url: string, headers: Headers = owner.headers) => {
  const answer = await app.http.inject({ url: `/api/activities/${url}`, headers });
  return { status: answer.statusCode, body: answer.json() };
};
const post = async (url: string, payload?: object | null, headers: Headers = owner.headers) => {
  const answer = await app.http.inject({
    method: 'POST',
    url: `/api/activities/${url}`,
    headers,
    payload: payload ?? undefined,
  });
  return { status: answer.statusCode, body: answer.json() };
};
const amount = (value: unknown) => ({ ActivityParameterId: ids['Amount'], Value: JSON.stringify(value) });
let forms = 0;
const start = (more: Record<string, unknown> = {}, headers?: Headers) =>
  post('start', { ActivityId, ActivityVersion: 1, UniqueId: `form ${++forms}`, Inputs: [amount(5)], ...more }, headers);
const started = async (more?: Record<string, unknown>, headers?: Headers): Promise<number> =>
  (await start(more, headers)).body.result.Id;
const ended = (Id: number) =>
  until(`run ${Id} ends`, async () => {
    const { result } = (await get(`status/${Id}`, watcher.headers)).body;
    return result.EndTime === null ? undefined : result;
  });
const status = (Id: number, wanted: string) =>
  until(
    `run ${Id} is ${wanted}`,
    async () => (await get(`status/${Id}`, watcher.headers)).body.result.Status === wanted,
  );
/** Holds all runs until it is called. */
function holdRuns(): () => void {
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  executor.onRun = async (request) => {
    await Promise.race([held, untilAborted(request)]);
    return SUCCESS;
  };
  return () => {
    executor.onRun = async () => SUCCESS;
    release!();
  };
}

describe('a start', () => {
  test('runs the activity with the values sent, and the run tells them', async () => {
    let seen: unknown;
    executor.onRun = async (request) => {
      seen = request.inputs.map(({ Name, value }) => [Name, value]);
      request.onLog({ Message: 'done', StatusCode: 1, Category: 1 });
      return { ...SUCCESS, outputs: [{ Name: 'Total', Value: '10', Rows: null }] };
    };
    const answer = await start({ Inputs: [amount('12 %'), { ActivityParameterId: ids['Colour'], Value: '"red"' }] });
    expect(answer.body.result).toEqual({
      Id: expect.any(Number),
      Status: expect.stringMatching(/^(Queued|PickedUp)$/),
      EndTime: null,
      LogEntries: [],
    });
    const run = await ended(answer.body.result.Id);
    executor.onRun = async () => SUCCESS;
    expect(seen).toEqual([
      ['Amount', '0.12'],
      ['Colour', '"red"'],
      ['File', null],
      ['Limited', null],
    ]);
    expect(run).toMatchObject({ Status: 'Succeeded', UserFullName: expect.any(String), CanCancel: false });
    expect(run.Outputs[0]).toMatchObject({ Name: 'Total', Value: '10' });
    expect(run.LogEntries).toMatchObject([{ Message: 'done', displayMessage: 'done', StatusCode: 1, Category: 1 }]);
    expect(
      run.Inputs.map((i: { Name: string; Value: string; UseDefault: boolean }) => [i.Name, i.Value, i.UseDefault]),
    ).toEqual([
      ['Amount', '0.12', false],
      ['Colour', '"red"', false],
      ['File', null, false],
      ['Limited', null, true],
    ]);
  });

  test.each([
    ['a value that is missing', [], { Amount: ['Value must be provided'] }],
    ['a value that is no number', [{ Value: '"x"' }], { Amount: ['Value must be a number'] }],
    ['a shape that is not the input’s', [{ Value: '[1]' }], { Amount: [expect.any(String)] }],
    ['JSON that is none', [{ Value: '{' }], { Amount: [expect.any(String)] }],
  ])('with %s is refused with the messages by input', async (_, values, modelState) => {
    const Inputs = values.map((value) => ({ ActivityParameterId: ids['Amount'], ...value }));
    const answer = await start({ Inputs });
    expect(answer).toEqual({ status: 400, body: { message: 'Please correct the errors shown.', modelState } });
  });

  test('checks fixed lists, and refuses what belongs to no input', async () => {
    const Inputs = [
      amount(1),
      { ActivityParameterId: ids['Colour'], Value: '"green"' },
      { ActivityParameterId: 999_999, Value: '1' },
    ];
    expect((await start({ Inputs })).body.modelState).toEqual({
      Colour: ['Please choose a valid value.'],
      '': ['There is a value for an input that does not exist'],
    });
  });

  test('ignores the value of an input the person has no right to change', async () => {
    const Id = await started({ Inputs: [amount(1), { ActivityParameterId: ids['Limited'], Value: '7' }] });
    const run = await ended(Id);
    expect(run.Inputs.find((i: { Name: string }) => i.Name === 'Limited')).toMatchObject({
      Value: null,
      UseDefault: true,
    });
  });

  test('repeated with the same UniqueId is the same run, also at once', async () => {
    const body = { UniqueId: 'twice' };
    const answers = await Promise.all([start(body), start(body), start(body)]);
    const [first, ...others] = answers.map((answer) => answer.body.result.Id);
    expect(others).toEqual([first, first]);
    expect(await app.database.knex('RunInputs').where({ ActivityRunId: first })).toHaveLength(4);
    const another = await started({ UniqueId: 'twice' }, stranger.headers);
    expect(another).not.toBe(first);
    // The tests that follow count what is pending, and say what runs do.
    for (const Id of [first, another]) await ended(Id);
  });

  test('of what may not be seen, or of a version there is not, is 404', async () => {
    const outsider = await signedInUser(app, [{ right: 'sk.RunActivity', Id: ActivityId + 1000 }]);
    expect((await start({}, outsider.headers)).status).toBe(404);
    expect((await start({ ActivityVersion: 2 })).status).toBe(404);
  });

  test('stays with the version it names', async () => {
    let key = '';
    executor.onRun = async (request) => {
      key = request.versionKey;
      return SUCCESS;
    };
    const { knex } = app.database;
    const Id = await publish();
    const first = await knex('ActivityVersions').where({ ActivityId: Id }).first();
    await knex('ActivityVersions').insert({ ...first, Version: 2, Modified: new Date() });
    await knex('Activities').where({ Id }).update({ Version: 2 });
    const [amountId] = await knex('ActivityParameters').where({ ActivityId: Id, Name: 'Amount' }).pluck('Id');
    const Inputs = [{ ActivityParameterId: amountId, Value: '1' }];
    await ended(await started({ ActivityId: Id, ActivityVersion: 1, Inputs }));
    expect(key).toBe(`${Id}/1`);
    executor.onRun = async () => SUCCESS;
  });
});

describe('runs of an activity that prevents simultaneous ones', () => {
  test('wait for each other', async () => {
    const Id = await publish({ SingleRun: true });
    const [amountId] = await app.database
      .knex('ActivityParameters')
      .where({ ActivityId: Id, Name: 'Amount' })
      .pluck('Id');
    const Inputs = [{ ActivityParameterId: amountId, Value: '1' }];
    const release = holdRuns();
    const answers = await Promise.all([1, 2, 3].map(() => start({ ActivityId: Id, Inputs })));
    const statuses = answers.map((answer) => String(answer.body.result.Status)).toSorted((a, b) => a.localeCompare(b));
    expect(statuses).toEqual(['Queued', 'QueuedInSeq', 'QueuedInSeq']);
    release();
    for (const answer of answers) expect(await ended(answer.body.result.Id)).toMatchObject({ Status: 'Succeeded' });
    const runs = await app.database.knex('ActivityRuns').where({ ActivityId: Id }).orderBy('StartTime');
    for (const [i, run] of runs.slice(1).entries()) expect(run.StartTime >= runs[i].EndTime).toBe(true);
  });
});

describe('a run', () => {
  test('is there for its starter and for who may see others’ runs, and for nobody else', async () => {
    const Id = await started();
    await ended(Id);
    for (const path of [`status/${Id}`, `downloadFiles/${Id}`, `download/errorreport/${Id}`]) {
      expect((await get(path, stranger.headers)).body).toEqual({ message: 'There is no such run' });
    }
    for (const path of [`cancel/${Id}`, `retry/${Id}`]) {
      expect((await post(path, null, stranger.headers)).status).toBe(404);
    }
    expect((await post(`status/${Id}`, [], stranger.headers)).status).toBe(404);
    expect((await get(`status/${Id}`, watcher.headers)).status).toBe(200);
    const history = await post('runhistory', { ActivityId, ApproxRows: 20, PrevRunId: null }, stranger.headers);
    expect(history.body.result.Runs.map((run: { Id: number }) => run.Id)).not.toContain(Id);
  });

  test('tells its state while it runs', async () => {
    const release = holdRuns();
    const Id = await started();
    await status(Id, 'Started');
    const state = (await post(`status/${Id}`, [])).body.result;
    expect(state).toMatchObject({ Status: 'Started', EndTime: null, Outputs: [], ChildStatuses: {} });
    const pending = (await get('pendingruns')).body.result.Items;
    expect(pending).toMatchObject([{ Id, Status: 'Started', CanCancel: true, ChecklistName: null }]);
    expect((await get('pendingruns', stranger.headers)).body.result.Items).toEqual([]);
    release();
    await ended(Id);
    expect((await post(`status/${Id}`, [])).body.result.Outputs).toHaveLength(3);
  });
});

describe('cancelling', () => {
  test('stops a running run', async () => {
    const release = holdRuns();
    const Id = await started();
    await status(Id, 'Started');
    expect((await post(`cancel/${Id}`)).body.result).toEqual({ Message: 'The run was cancelled' });
    expect(await ended(Id)).toMatchObject({ Status: 'Cancelled' });
    release();
  });

  test('ends a waiting run at once, and what is ended stays as it is', async () => {
    const { knex } = app.database;
    const Id = await insertRun(knex, { ActivityId, UserId: owner.UserId, Status: 'QueuedInSeq' });
    const first = await insertRun(knex, {
      ActivityId,
      UserId: owner.UserId,
      Status: 'Started',
      LeaseUntil: new Date(Date.now() + 1e6),
    });
    expect((await post(`cancel/${Id}`)).status).toBe(200);
    expect((await get(`status/${Id}`)).body.result).toMatchObject({
      Status: 'Cancelled',
      LogEntries: [{ Message: 'The run was cancelled' }],
    });
    await knex('ActivityRuns').where({ Id: first }).update({ Status: 'Succeeded', EndTime: new Date() });
    expect(await post(`cancel/${first}`)).toEqual({ status: 409, body: { message: 'The run has ended already' } });
  });

  test('all ends those the person may cancel', async () => {
    const release = holdRuns();
    const mine = [await started(), await started()];
    const theirs = await started({}, stranger.headers);
    expect((await post('cancel/all')).body.result.Message).toBe('2 runs were cancelled');
    for (const Id of mine) expect(await ended(Id)).toMatchObject({ Status: 'Cancelled' });
    await status(theirs, 'Started');
    await post('cancel/all', null, watcher.headers);
    expect(await ended(theirs)).toMatchObject({ Status: 'Cancelled' });
    release();
  });
});

describe('a retry', () => {
  test('is a new run with the same version and inputs, one at a time', async () => {
    executor.onRun = async () => ({ ...SUCCESS, status: 'Failed' });
    const Id = await started({ Inputs: [amount(77)] });
    await ended(Id);
    const release = holdRuns();
    const answer = await post(`retry/${Id}`);
    const again = answer.body.result.Id;
    await status(again, 'Started');
    expect(await post(`retry/${Id}`)).toEqual({ status: 409, body: { message: 'The run is being retried already' } });
    expect((await post(`retry/${again}`)).status).toBe(409);
    release();
    const run = await ended(again);
    expect(run).toMatchObject({ Status: 'Succeeded', RetryOf: Id });
    expect(run.Inputs[0]).toMatchObject({ Name: 'Amount', Value: '77' });
    expect((await post(`retry/${again}`)).status).toBe(409);
  });
});

describe('the history', () => {
  test('comes newest first in pages, filtered, with at most three queries for a page', async () => {
    const { knex } = app.database;
    const Id = await publish();
    const user = { ActivityId: Id, UserId: owner.UserId };
    const [total] = await knex('ActivityParameters').where({ ActivityId: Id, Name: 'Total' }).pluck('Id');
    const [table] = await knex('ActivityParameters').where({ ActivityId: Id, Name: 'Table' }).pluck('Id');
    const runs: number[] = [];
    for (let i = 0; i < 7; i++) {
      const run = await insertRun(knex, { ...user, Status: i % 2 ? 'Failed' : 'Succeeded', EndTime: new Date() });
      await knex('RunOutputs').insert([
        { ActivityRunId: run, ActivityParameterId: total, Value: String(i) },
        { ActivityRunId: run, ActivityParameterId: table, Value: '[[1]]', Rows: 1 },
      ]);
      runs.push(run);
    }
    const page = async (query: object) =>
      (await post('runhistory', { ActivityId: Id, ApproxRows: 3, PrevRunId: null, ...query })).body.result;
    await page({});
    const { answer: first, queries } = await queriesOf(knex, () => page({}));
    const data = queries.filter((sql) => /ActivityRuns|Activities|RunOutputs/.test(sql));
    expect(data.length).toBeGreaterThan(0);
    expect(data.length).toBeLessThanOrEqual(3);
    const idsOf = (result: { Runs: { Id: number }[] }) => result.Runs.map((run) => run.Id);
    expect(idsOf(first)).toEqual(runs.slice(4).reverse());
    expect(first).toMatchObject({ HasMore: true, Activity: { Id, LastRunId: runs[6] } });
    expect(first.Runs[0].Outputs).toEqual([
      { ActivityParameterId: total, Value: '6', Rows: null, FileName: null },
      { ActivityParameterId: table, Value: null, Rows: 1, FileName: null },
    ]);
    expect(idsOf(await page({ PrevRunId: runs[4] }))).toEqual(runs.slice(1, 4).reverse());
    expect(await page({ PrevRunId: runs[1] })).toMatchObject({ HasMore: false, Runs: [{ Id: runs[0] }] });
    expect(idsOf(await page({ Statuses: ['Failed'] }))).toEqual([runs[5], runs[3], runs[1]]);
    expect(await page({ UserIds: [stranger.UserId] })).toMatchObject({ Runs: [], Activity: { LastRunId: runs[6] } });
    const all = (await post('runhistory', { ActivityId: null, ApproxRows: 2, PrevRunId: null })).body.result;
    expect(all).toMatchObject({ Activity: null, HasMore: true, Runs: [{ Id: runs[6] }, { Id: runs[5] }] });
  });
});

describe('files and tables of a run', () => {
  const download = async (token: string) => {
    const answer = await app.http.inject({ url: `/api/files/download/${token}` });
    expect(answer.statusCode).toBe(200);
    return { name: String(answer.headers['content-disposition']), bytes: answer.rawPayload };
  };
  const upload = async (content: string, name = 'in.csv') => {
    const body = multipart({ ActivityInputId: String(ids['File']), LinkId: '' }, [{ name, content }]);
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/files/upload',
      headers: { ...owner.headers, ...body.headers },
      payload: body.payload,
    });
    return { status: answer.statusCode, body: answer.json() };
  };

  test('an uploaded file reaches the run, and can be fetched back under its name', async () => {
    let read = '';
    executor.onRun = async (request) => {
      const [file] = request.inputs.find(({ Name }) => Name === 'File')!.files;
      read = `${file!.FileName}: ${Buffer.from(await file!.read()).toString()}`;
      return SUCCESS;
    };
    const { Items } = (await upload('a;b', '../Zürich?1.csv')).body;
    expect(Items).toEqual([{ Id: expect.any(String), Name: 'Zürich_1.csv' }]);
    const file = { ActivityParameterId: ids['File'], FileId: Items[0].Id, FileName: 'other.exe', ArrayIndex: 0 };
    const Id = await started({ Inputs: [amount(1), file] });
    await ended(Id);
    executor.onRun = async () => SUCCESS;
    expect(read).toBe('Zürich_1.csv: a;b');
    const token = (await get(`input/download/${Id}/${ids['File']}/0`)).body.result;
    const { name, bytes } = await download(token);
    expect(bytes.toString()).toBe('a;b');
    expect(name).toContain(`filename*=UTF-8''Z%C3%BCrich_1.csv`);
    // Whom an administrator forbids it sees the run, but does not get the file.
    const user = app.database.knex('Users').where('UserId', owner.UserId);
    await user.clone().update({ DisableInputDownload: true });
    expect((await get(`input/download/${Id}/${ids['File']}/0`)).status).toBe(403);
    expect((await get(`input/download/${Id}/${ids['File']}`)).status).toBe(403);
    await user.clone().update({ DisableInputDownload: false });
    // Nobody else can start with it.
    const theft = await start({ Inputs: [amount(1), file] }, stranger.headers);
    expect(theft.body.modelState).toEqual({ File: ['Please choose a file'] });
  });

  test('a file over the input’s limit is refused with the limit, and nothing stays', async () => {
    const before = await app.database.knex('StoredFiles').count({ n: '*' });
    expect(await upload('0123456789')).toMatchObject({ status: 200 });
    expect(await upload('01234567890')).toEqual({
      status: 413,
      body: { Message: 'Size of the input file exceeds the limit of 10 Bytes' },
    });
    const after = await app.database.knex('StoredFiles').count({ n: '*' });
    expect(Number(after[0]!.n)).toBe(Number(before[0]!.n) + 1);
  });

  test('an upload that is cut off is refused, and nothing stays', async () => {
    const whole = multipart({ ActivityInputId: String(ids['File']) }, [{ name: 'in.csv', content: 'a;b' }]);
    const before = await app.fileStore.list('', 1000);
    for (const bytes of [20, 90, whole.payload.length - 30]) {
      const answer = await app.http.inject({
        method: 'POST',
        url: '/api/files/upload',
        headers: { ...owner.headers, ...whole.headers },
        payload: whole.payload.subarray(0, bytes),
      });
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { Message: 'The request ends before its last part does' },
      ]);
    }
    expect(await app.fileStore.list('', 1000)).toEqual(before);
  });

  test('tables become workbooks in which no text is a formula', async () => {
    const Value = JSON.stringify([
      [46_000, '=1+1', 0.5],
      [46_001.5, '+cmd', null],
      [{ error: '#N/A' }, 'x', 1],
    ]);
    executor.onRun = async () => ({ ...SUCCESS, outputs: [{ Name: 'Table', Value, Rows: 3 }] });
    const Id = await started();
    await ended(Id);
    executor.onRun = async () => SUCCESS;
    const token = (await post(`outputdata/download/${Id}/${ids['Table']}`, { FilteredRowIndices: [2, 0] })).body.result;
    const { name, bytes } = await download(token);
    expect(name).toContain('Table.xlsx');
    const workbook = new excelJs.Workbook();
    await workbook.xlsx.load(bytes as never);
    const sheet = workbook.getWorksheet('Table')!;
    expect(sheet.getRow(1).values).toEqual([undefined, 'Day', 'Text', 'Rate']);
    expect(sheet.getRow(2).getCell(1).value).toEqual({ error: '#N/A' });
    const cell = sheet.getRow(3).getCell(2);
    expect([cell.value, cell.type]).toEqual(['=1+1', excelJs.ValueType.String]);
    expect(sheet.getRow(3).getCell(1).value).toEqual(new Date(Date.UTC(2025, 11, 9)));
    expect(sheet.getRow(3).getCell(3).numFmt).toBe('0.00%');
    expect(sheet.rowCount).toBe(3);
  });

  test('all files come as one .zip, marked when some are missing', async () => {
    executor.onRun = async () => ({
      ...SUCCESS,
      files: [
        { Name: null, FileName: 'a.xlsx', bytes: Buffer.from('calculated') },
        { Name: 'Report', FileName: 'A.xlsx', bytes: Buffer.from('report') },
      ],
    });
    const Id = await started();
    const run = await ended(Id);
    executor.onRun = async () => SUCCESS;
    expect(run.StoredFileNames).toEqual(['a.xlsx', 'A.xlsx']);
    const token = (await get(`downloadFiles/${Id}`)).body.result;
    expect(await unzip((await download(token)).bytes)).toEqual({ 'a.xlsx': 'calculated', 'A (2).xlsx': 'report' });
    const one = (await get(`output/download/${Id}/${ids['Report']}`)).body.result;
    expect((await download(one)).bytes.toString()).toBe('report');
    const rows = await app.database.knex('StoredFiles').where({ FileName: 'A.xlsx' });
    await app.fileStore.delete(rows[0].StoreKey);
    const partial = (await get(`downloadFiles/${Id}`)).body.result as string;
    expect(partial.startsWith('<PARTIAL>')).toBe(true);
    expect(await unzip((await download(partial.slice('<PARTIAL>'.length))).bytes)).toEqual({ 'a.xlsx': 'calculated' });
    expect(await get(`output/download/${Id}/${ids['Report']}`)).toEqual({
      status: 404,
      body: { message: 'Some files are missing.' },
    });
  });

  test('a token is stored as a hash and ends after two minutes', async () => {
    executor.onRun = async (request) => {
      request.onLog({ Message: 'bad', StatusCode: 5, Category: 3 });
      return { ...SUCCESS, status: 'Failed' };
    };
    const Id = await started();
    await ended(Id);
    executor.onRun = async () => SUCCESS;
    const token = (await get(`download/errorreport/${Id}`)).body.result as string;
    const workbook = new excelJs.Workbook();
    await workbook.xlsx.load((await download(token)).bytes as never);
    const row = workbook.getWorksheet('Log')!.getRow(2);
    expect([row.getCell(2).value, row.getCell(3).value, row.getCell(4).value]).toEqual([5, 'Error', 'bad']);
    const tokens = await app.database.knex('DownloadTokens');
    expect(tokens.some(({ TokenHash }) => TokenHash === token)).toBe(false);
    await app.database.knex('DownloadTokens').update({ ExpiryTime: new Date(Date.now() - 1) });
    expect((await app.http.inject({ url: `/api/files/download/${token}` })).statusCode).toBe(404);
  });
});

test('wakeup lets the workers look', async () => {
  expect(await post('wakeup')).toEqual({ status: 200, body: { result: null } });
  const reaper = createReaper(app.database, app.signals, { intervalMs: 1000, log: pino({ level: 'silent' }) });
  expect(await reaper.reap()).toEqual([]);
});

async function unzip(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await openZip(bytes);
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) {
    files[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString();
  }
  return files;
}
