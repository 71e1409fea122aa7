/** Comparing and restoring versions, with real workbooks. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkbookExecutor, type WorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { ensureSchemas } from '#server/features/schemas/schemas-service.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/headers.ts';
import type { VersionItem } from '#shared/contract/versions.ts';
import type { VersionChanges } from '#shared/contract/version-changes.ts';
import type { WorkflowGraphData, WorkflowStepData } from '#shared/contract/workflows.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { buildWorkbook, type SheetSpec, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { multipart } from '#test/support/portal.ts';
import { signedInUser } from '#test/support/users.ts';

let app: TestApp;
let executor: WorkbookExecutor;
let editor: Awaited<ReturnType<typeof signedInUser>>;
let Id: number;

const first: WorkbookSpec = {
  sheets: [
    { name: 'S', cells: { A1: 5, B1: { formula: 'A1*2', value: 10 }, B2: { formula: 'B1+1', value: 11 }, C1: 3 } },
  ],
  names: { in_Amount: 'S!$A$1', out_Total: 'S!$B$1' },
};
const second: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: 5, A2: 1, B1: { formula: 'A1*3', value: 15 }, B2: 7, C1: 4 } }],
  names: { in_Amount: 'S!$A$1', in_Factor: 'S!$A$2', out_Result: 'S!$B$1' },
};

beforeAll(async () => {
  executor = createWorkbookExecutor({ threads: 1, formThreads: 1 });
  app = await testApp({ executor });
  await ensureSchemas(app.database, ['Finance']);
  editor = await signedInUser(app, ['sk.RunActivity', 'sk.CreateActivity', 'sk.EditActivity', 'sk.EditChecklist']);
  Id = await upload(first, 0);
});
afterAll(async () => {
  await app.close();
  await executor.close();
});

async function upload(spec: WorkbookSpec, id: number, Name = 'Compared'): Promise<number> {
  const fields = { Id: String(id), Schema: 'Finance', Name, ChangeDescription: id === 0 ? '' : 'changed' };
  const { headers, payload } = multipart(fields, [{ name: 'Book.xlsx', content: await buildWorkbook(spec) }]);
  const url = '/api/activities/create';
  const answer = await app.http.inject({ method: 'POST', url, headers: { ...headers, ...editor.headers }, payload });
  return answer.json<{ Id: number }>().Id;
}

const changesOf = async (from: number, to: number, headers = editor.headers) => {
  const answer = await app.http.inject({ url: `/api/activities/versionchanges/${Id}/${from}/${to}`, headers });
  return { status: answer.statusCode, body: answer.json<{ result: VersionChanges; message: string }>() };
};
const rollBack = async (Version: number, ChangeDescription = '', headers = editor.headers) => {
  const url = `/api/activities/rollback/${Id}`;
  const answer = await app.http.inject({ method: 'POST', url, headers, payload: { Version, ChangeDescription } });
  return { status: answer.statusCode, body: answer.json<{ result: { Version: number }; message: string }>() };
};
const versions = async (): Promise<VersionItem[]> => {
  const answer = await app.http.inject({ url: `/api/activities/versions/${Id}`, headers: editor.headers });
  return answer.json<{ result: { Versions: VersionItem[] } }>().result.Versions;
};

test('a new version differs in inputs, outputs, formulas and constants, and says which presets do not fit', async () => {
  const { knex } = app.database;
  await knex('ActivityParameters').where({ ActivityId: Id, Name: 'Amount' }).update({ PresetValue: '"many"' });
  await upload(second, Id);
  const { body } = await changesOf(1, 2);
  const { result } = body;
  expect(result.Inputs).toEqual([{ Name: 'Factor', Change: 'Added', Fields: [] }]);
  expect(result.Outputs.map(({ Name, Change }) => [Name, Change])).toEqual([
    ['Result', 'Added'],
    ['Total', 'Removed'],
  ]);
  expect(result.Workbook?.Formulas.map(({ Cells, Before, After }) => [Cells, Before, After])).toEqual([
    ['B1', '=A1*2', '=A1*3'],
    ['B2', '=B1+1', '7'],
  ]);
  expect(result.Workbook?.Constants.map(({ Cells, Before, After }) => [Cells, Before, After])).toEqual([
    ['C1', '3', '4'],
    ['A2', '', '1'],
  ]);
  expect(result.Misfits).toEqual(["The preset value of 'Amount' cannot be used: Value must be a number"]);
  await knex('ActivityParameters').where({ ActivityId: Id, Name: 'Amount' }).update({ PresetValue: null });
  expect((await changesOf(2, 2)).body.result).toMatchObject({ Inputs: [], Outputs: [], Steps: [], Misfits: [] });
});

test('a new version says which schedules cannot start it', async () => {
  const scheduled = await upload(first, 0, 'Scheduled');
  const plan = {
    TimeZone: 'UTC',
    CalendarId: null,
    HolidayRule: 'Keep',
    RetryCount: 0,
    RetryInterval: 0,
    Overlap: 'Start',
    Missed: 'None',
    MissedMax: 1,
  };
  const Plan = { Kind: 'Daily', TimeOfDay: 0.25 };
  const schedule = async (Name: string, Value: string): Promise<void> => {
    const payload = {
      ...plan,
      Id: 0,
      OwnerId: scheduled,
      Name,
      Plan,
      Inputs: [{ Name: 'Amount', Value, RelativeDate: null }],
    };
    const { headers } = editor;
    const answer = await app.http.inject({ method: 'POST', url: '/api/activities/timetables', headers, payload });
    expect(answer.statusCode, answer.body).toBe(200);
  };
  await schedule('Mornings', '7');
  const incompatibilities = async (to: number): Promise<string[]> => {
    const url = `/api/activities/versionchanges/${scheduled}/1/${to}`;
    const answer = await app.http.inject({ url, headers: editor.headers });
    return answer.json<{ result: VersionChanges }>().result.Misfits;
  };
  expect(await incompatibilities(1)).toEqual([]);
  const renamed: WorkbookSpec = {
    sheets: [{ name: 'S', cells: { B1: { formula: 'A2*2', value: 0 } } }],
    names: { in_Rate: 'S!$A$2', out_Total: 'S!$B$1' },
  };
  await upload(renamed, scheduled, 'Scheduled');
  expect(await incompatibilities(2)).toEqual([
    "The schedule 'Mornings' cannot start the activity without a value for 'Rate'",
    "The schedule 'Mornings' cannot start the activity: it has no input 'Amount'",
  ]);
});

test('going back makes a new version of the old file, which runs as the old one did', async () => {
  const { body } = await rollBack(1, 'the factor was wrong');
  expect(body.result).toEqual({ Version: 3 });
  const [newest] = await versions();
  expect(newest).toMatchObject({ Version: 3, ChangeDescription: 'Rolled back to version 1: the factor was wrong' });
  const { result } = (await changesOf(1, 3)).body;
  expect(result.Workbook).toMatchObject({ FormulaCount: 0, ConstantCount: 0 });
  expect(await rollBack(3)).toMatchObject({ status: 409 });
  expect(await rollBack(9)).toMatchObject({ status: 404 });
});

test('a version whose file was purged is compared without it, and cannot be gone back to', async () => {
  await app.database.knex('ActivityVersions').where({ ActivityId: Id, Version: 1 }).update({ FileId: null });
  app.versions.forget(Id);
  const { result } = (await changesOf(1, 3)).body;
  expect(result.Workbook).toBeNull();
  const before = await app.database.knex('StoredFiles').count();
  expect(await rollBack(1)).toEqual({ status: 404, body: { message: 'This activity version file does not exist' } });
  expect(await app.database.knex('StoredFiles').count()).toEqual(before);
});

test('who may only run it sees no formulas, and cannot go back', async () => {
  const runner = await signedInUser(app, ['sk.RunActivity']);
  expect((await changesOf(2, 3, runner.headers)).status).toBe(403);
  expect((await rollBack(2, '', runner.headers)).status).toBe(403);
  const half = await signedInUser(app, ['sk.RunActivity', { right: 'sk.EditActivity', Schema: 'General' }]);
  expect((await changesOf(2, 3, half.headers)).status).toBe(403);
});

test('a new version says which linkages from it and to it do not fit, by what is missing and by what has changed its type', async () => {
  const { knex } = app.database;
  const book = (cells: SheetSpec['cells'], names: Record<string, string>): WorkbookSpec => ({
    sheets: [{ name: 'S', cells }],
    names,
  });
  const total = { A1: 1, B1: { formula: 'A1+1', value: 2 }, B2: { formula: 'A1+2', value: 3 } };
  const names = { in_Amount: 'S!$A$1', out_Total: 'S!$B$1', out_Rest: 'S!$B$2' };
  const middle = await upload(book(total, names), 0, 'Middle');
  const [ends, begins] = [await upload(book(total, names), 0, 'End'), await upload(book(total, names), 0, 'Begin')];
  const parameter = async (ActivityId: number, Name: string): Promise<number> =>
    ((await knex('ActivityParameters').where({ ActivityId, Name }).first('Id')) as { Id: number }).Id;
  const link = async (Name: string, from: number, to: number, output: string): Promise<void> => {
    const [source, target] = [await parameter(from, output), await parameter(to, 'Amount')];
    const LinkInfo = JSON.stringify([{ source, target, ReadOnly: [false] }]);
    await knex('ActivityLinks').insert({ Name, ActivityId: from, LinkedActivityId: to, LinkInfo });
  };
  await link('Onward', middle, ends, 'Total');
  await link('Remainder', middle, ends, 'Rest');
  await link('Into it', begins, middle, 'Total');
  const incompatibilities = async (from: number, to: number): Promise<string[]> => {
    const url = `/api/activities/versionchanges/${middle}/${from}/${to}`;
    const answer = await app.http.inject({ url, headers: editor.headers });
    return answer.json<{ result: VersionChanges }>().result.Misfits;
  };
  expect(await incompatibilities(1, 1)).toEqual([]);
  const texts = { A1: 'a', B1: { formula: 'A1&"b"', value: 'ab' } };
  await upload(book(texts, { in_Amount: 'S!$A$1', out_Total: 'S!$B$1' }), middle, 'Middle');
  expect(await incompatibilities(1, 2)).toEqual([
    "The linkage 'Onward' cannot be used: 'Total' cannot become 'Amount': they are of different types",
    "The linkage 'Remainder' uses an output that this version does not have",
    "The linkage 'Into it' cannot be used: 'Total' cannot become 'Amount': they are of different types",
  ]);
});

test('a new version says which checklists and workflows cannot be run with it', async () => {
  const { knex } = app.database;
  const giver = await upload(first, 0, 'Giver');
  const taker = await upload(first, 0, 'Taker');
  const post = async (path: string, payload: object): Promise<{ Id: number }> => {
    const answer = await app.http.inject({ method: 'POST', url: `/api/${path}`, headers: editor.headers, payload });
    expect(answer.json<{ message?: string }>().message).toBeUndefined();
    return answer.json<{ result: { Id: number } }>().result;
  };
  const inputs = (await knex('ActivityParameters')
    .whereIn('ActivityId', [giver, taker])
    .where({ Direction: 'input' })
    .select('Id')) as { Id: number }[];
  const make = (Name: string): Promise<{ Id: number }> =>
    post('checklists/create', {
      Id: 0,
      Name,
      Schema: 'Finance',
      Activities: [{ Id: giver }, { Id: taker }],
      Inputs: [{ InputName: 'Amount', ActivityInputs: inputs }],
    });
  await make('Close');
  const { Id: ChecklistId } = await make('Handed on');
  await post('workflows/create', { ChecklistId });
  const details = await app.http.inject({ url: `/api/workflows/details/${ChecklistId}`, headers: editor.headers });
  const { Graph } = details.json<{ result: { Graph: WorkflowGraphData } }>().result;
  const [give, take] = Graph.Steps as [WorkflowStepData, WorkflowStepData];
  const From = { Kind: 'Output', Step: give.Key, Name: 'Total' };
  const Steps = [give, { ...take, Inputs: [{ Input: 'Amount', From }] }];
  await post('workflows/update', { Id: ChecklistId, Version: 1, Graph: { ...Graph, Steps } });

  const incompatibilities = async (to: number): Promise<string[]> => {
    const url = `/api/activities/versionchanges/${giver}/1/${to}`;
    const answer = await app.http.inject({ url, headers: editor.headers });
    return answer.json<{ result: VersionChanges }>().result.Misfits;
  };
  expect(await incompatibilities(1)).toEqual([]);
  await upload(second, giver, 'Giver');
  expect(await incompatibilities(2)).toEqual([
    "The checklist 'Close' cannot be run: the input 'Factor' has not been mapped",
    // No entry about 'Factor': in a workflow, an input without a source uses the workbook's own value.
    "The workflow 'Handed on' cannot be run: Taker: 'Amount' uses 'Total', which 'Giver' does not return",
  ]);
});

test('a version that is gone back to keeps its own region', async () => {
  const publish = async (id: number, Region: string): Promise<number> => {
    const fields = {
      Id: String(id),
      Schema: 'Finance',
      Name: 'Region',
      ChangeDescription: id === 0 ? '' : 'x',
      Region,
    };
    const { headers, payload } = multipart(fields, [{ name: 'Book.xlsx', content: await buildWorkbook(first) }]);
    const url = '/api/activities/create';
    const answer = await app.http.inject({ method: 'POST', url, headers: { ...headers, ...editor.headers }, payload });
    return answer.json<{ Id: number }>().Id;
  };
  const own = await publish(0, 'en-GB');
  await publish(own, 'de-AT');
  const payload = { Version: 1, ChangeDescription: '' };
  const { headers } = editor;
  await app.http.inject({ method: 'POST', url: `/api/activities/rollback/${own}`, headers, payload });
  const details = await app.http.inject({ url: `/api/activities/details/${own}`, headers });
  expect(details.json<{ result: unknown }>().result).toMatchObject({
    Version: 3,
    WorkbookRegion: { Id: 'en-GB', Source: 'Kept' },
  });
  const home = await app.http.inject({ url: `/api/activities/home/${own}`, headers });
  expect(home.json<{ result: unknown }>().result).toMatchObject({ WorkbookRegion: { Id: 'en-GB', Source: 'Kept' } });
});

test('a roll back that is repeated, because its response was lost, makes one version', async () => {
  const own = await upload(first, 0, 'Rolled back');
  await upload(second, own, 'Rolled back');
  const roll = async (key: string, ChangeDescription: string): Promise<number> => {
    const headers = { ...editor.headers, [IDEMPOTENCY_KEY_HEADER]: key };
    const payload = { Version: 1, ChangeDescription };
    const url = `/api/activities/rollback/${own}`;
    const answer = await app.http.inject({ method: 'POST', url, headers, payload });
    return answer.json<{ result: { Version: number } }>().result.Version;
  };
  expect([await roll('one', 'wrong rate'), await roll('one', 'wrong rate')]).toEqual([3, 3]);
  await upload(second, own, 'Rolled back');
  expect(await roll('one', 'wrong rate')).toBe(3);
  expect(await roll('two', 'wrong rate')).toBe(5);
});
