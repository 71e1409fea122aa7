/** Workbooks that are marked in the browser, from the file to an activity that runs, with a real workbook executor. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkbookExecutor, type WorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { deleteOldDesigns } from '#server/features/designs/design-files.ts';
import { deleteUnneededFiles } from '#server/features/files/files-janitor.ts';
import { ensureSchemas } from '#server/features/schemas/schemas-service.ts';
import type { Design, DesignPart, Mark } from '#shared/contract/designs.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { multipart } from '#test/support/portal.ts';
import { signedInUser } from '#test/support/users.ts';

const LOAN: WorkbookSpec = {
  sheets: [
    {
      name: 'Loan',
      cells: {
        A1: 'Interest rate',
        B1: { value: 0.05, style: 1 },
        A2: 'Amount',
        B2: 1000,
        A3: 'Interest',
        B3: { formula: 'B1*B2', value: 50 },
      },
      merges: ['A5:B5'],
    },
    { name: 'Rates', state: 'hidden', cells: { A1: true } },
    { name: 'Secret', state: 'veryHidden', cells: { A1: 'nobody sees it in Excel' } },
  ],
  formats: ['0.0%'],
};

const mark = (Role: Mark['Role'], Name: string, Range: string, Options: Mark['Options'] = {}): Mark => ({
  Role,
  Name,
  Sheet: 'Loan',
  Range,
  Options,
});
const MARKS = [
  mark('Input', 'Interest rate (p.a.)', 'B1'),
  mark('Input', 'Amount', 'B2'),
  mark('Output', 'Interest', 'B3'),
];

let app: TestApp;
let executor: WorkbookExecutor;
type User = Awaited<ReturnType<typeof signedInUser>>;
let author: User;

beforeAll(async () => {
  executor = createWorkbookExecutor({ threads: 1, formThreads: 1 });
  app = await testApp({ executor });
  await ensureSchemas(app.database, ['Finance']);
  author = await signedInUser(app, ['sk.RunActivity', 'sk.CreateActivity', 'sk.EditActivity']);
});
afterAll(async () => {
  await app.close();
  await executor.close();
});

interface Answer<T> {
  status: number;
  result: T;
  message?: string;
}

async function call<T>(method: 'GET' | 'POST', url: string, body?: object, user = author): Promise<Answer<T>> {
  const answer = await app.http.inject({ method, url, headers: user.headers, ...(body ? { payload: body } : {}) });
  return { status: answer.statusCode, ...answer.json<Omit<Answer<T>, 'status'>>() };
}

async function send(url: string, fields: Record<string, string>, content?: Uint8Array, user = author) {
  const { headers, payload } = multipart(fields, content ? [{ name: 'Loan.xlsx', content }] : []);
  const answer = await app.http.inject({ method: 'POST', url, headers: { ...headers, ...user.headers }, payload });
  return { status: answer.statusCode, ...answer.json<{ Id: number; Version: number; Message: string }>() };
}

async function open(
  spec: WorkbookSpec = LOAN,
  fields: Record<string, string> = { Schema: 'Finance' },
): Promise<Design> {
  const { Id } = await send('/api/designs/open', fields, await buildWorkbook(spec));
  return (await call<Design>('GET', `/api/designs/${Id}`)).result;
}

const save = (design: Pick<Design, 'Id' | 'Revision'>, Marks: Mark[]) =>
  call<{
    Revision: number;
    Found: { Inputs: { Name: string; Items?: unknown }[]; Faults: { Sheet: string; Cell: string; Message: string }[] };
  }>('POST', `/api/designs/${design.Id}/marks`, { Revision: design.Revision, Marks });

test('a workbook is shown as in Excel, sheets that Excel hides from everybody apart', async () => {
  const design = await open();
  expect(
    design.Sheets.map(({ Name, IsHidden, Rows, Columns, Merges }) => [Name, IsHidden, Rows, Columns, Merges]),
  ).toEqual([
    ['Loan', false, 5, 2, [[4, 0, 4, 1]]],
    ['Rates', true, 1, 1, []],
  ]);
  const part = await call<DesignPart>('GET', `/api/designs/${design.Id}/sheets/0/0`);
  const rate = part.result.Rows[0]![1][1]!;
  expect(rate).toEqual([1, expect.any(Number), 0.05]);
  expect(design.Looks[rate[1]]!.Format).toBe('0.0%');
  expect(part.result.Rows[2]![1][1]).toEqual([1, expect.any(Number), 50, 1]);
  expect((await call('GET', `/api/designs/${design.Id}/sheets/2/0`)).status).toBe(404);
  expect(
    design.Proposals.filter(({ Preselected }) => Preselected).map(
      ({ Role, Name, Range }) => `${Role} ${Name} ${Range}`,
    ),
  ).toEqual(expect.arrayContaining(['Input Interest rate B1', 'Input Amount B2', 'Output Interest B3']));
});

test('marks are saved and checked, tried, published and run', async () => {
  const design = await open();
  const saved = await save(design, MARKS);
  expect(saved.result.Found.Inputs.map(({ Name }) => Name)).toEqual(['Interest rate (p.a.)', 'Amount']);
  expect(saved.result.Found.Faults).toEqual([]);

  const inputs = { Inputs: [{ Name: 'Amount', Value: '2000' }] };
  const tried = await call('POST', `/api/designs/${design.Id}/try`, inputs);
  expect(tried.result).toMatchObject({ HasSucceeded: true, Outputs: [{ Name: 'Interest', Value: '100' }] });

  const fields = { Id: '0', Schema: 'Finance', Name: 'Marked loan', DesignId: String(design.Id) };
  const published = await send('/api/activities/create', fields);
  expect(published).toMatchObject({ status: 200, Version: 1 });
  const details = await call<{ Inputs: { Name: string }[] }>('GET', `/api/activities/details/${published.Id}`);
  expect(details.result.Inputs.map(({ Name }) => Name)).toEqual(['Interest rate (p.a.)', 'Amount']);
  expect(await call('GET', `/api/designs/${design.Id}`)).toMatchObject({ status: 404 });

  // The version in use, with its marks, for the next one.
  const { Id } = await send('/api/designs/open', { Id: String(published.Id) });
  const next = (await call<Design>('GET', `/api/designs/${Id}`)).result;
  expect(next).toMatchObject({ ActivityId: published.Id, FileName: 'Loan.xlsx', Carried: null });
  expect(new Set(next.Marks)).toEqual(new Set(MARKS));
});

test('a fault in the settings of a mark is reported at its cells', async () => {
  const design = await open();
  const file = { ...mark('Input', 'Scan', 'A1:B2'), Options: { CellUsages: 'FilePath' } };
  const result = { ...mark('Output', 'Scan', 'B3'), Options: { CellUsages: 'Date,Date' } };
  const { Faults } = (await save(design, [file, result])).result.Found;
  expect(Faults.map(({ Sheet, Cell, Message }) => [Sheet, Cell, Message])).toEqual([
    ['Loan', 'A1:B2', "The file input 'Scan' is neither a cell nor a column."],
    ['Loan', 'B3', 'CellUsages has 2 values for 1 columns.'],
  ]);
});

test('a fault of a step beside the table of inputs stays where it is', async () => {
  const design = await open({
    sheets: [
      { name: 'S', cells: { A1: 5 } },
      {
        name: 'Portal',
        cells: {
          A1: 'Name',
          B1: 'Description',
          A2: 'Amount',
          B2: 'How much',
          D1: 'Step',
          E1: 'Action',
          D2: 'One',
          E2: 'Dance',
        },
        tables: [
          { name: 'PortalInputs', ref: 'A1:B2', columns: ['Name', 'Description'] },
          { name: 'PortalSteps', ref: 'D1:E2', columns: ['Step', 'Action'] },
        ],
      },
    ],
    names: { in_Amount: 'S!$A$1' },
  });
  const { Faults } = (await save(design, design.Marks)).result.Found;
  expect(Faults.map(({ Sheet, Cell }) => `${Sheet}!${Cell}`)).toEqual(['Portal!E2']);
});

test('the items of a list are told for the form, unless other values decide them', async () => {
  const design = await open({
    sheets: [{ name: 'S', cells: { A1: 'EUR', A2: 1, B1: 'x', C1: { formula: 'IF(A2=1,"x","y")', value: 'x' } } }],
  });
  const list = (name: string, range: string, PickerSource: string): Mark => ({
    ...mark('Input', name, range),
    Sheet: 'S',
    Options: { Picker: 'List', PickerSource },
  });
  const { Found } = (await save(design, [list('Currency', 'A1', '"EUR,USD"'), list('Kind', 'B1', 'S!C1')])).result;
  expect(Found.Faults).toEqual([]);
  expect(Found.Inputs.map(({ Items }) => Items)).toEqual([[['EUR', 'USD']], undefined]);
});

test('a design tells the region of its workbook, and is tried with the one that its activity will have', async () => {
  const cells = { A1: 1.5, B1: { formula: 'FIXED(A1,1)', value: null } };
  const marks = [mark('Input', 'Number', 'A1'), mark('Output', 'Text', 'B1')];
  const tried = async ({ Id }: Pick<Design, 'Id'>, wanted: object = {}): Promise<unknown> =>
    (await call('POST', `/api/designs/${Id}/try`, { Inputs: [], ...wanted })).result;
  const shows = (Value: string) =>
    expect.objectContaining({ Outputs: [expect.objectContaining({ Value: JSON.stringify(Value) })] }) as unknown;

  const design = await open({ sheets: [{ name: 'Loan', cells }] });
  expect(design.Region).toEqual({ Id: 'en-US', Source: 'None' });
  await save(design, marks);
  expect(await tried(design)).toEqual(shows('1.5'));
  expect(await tried(design, { Region: 'de-DE' })).toEqual(shows('1,5'));
  expect(await tried(design)).toEqual(shows('1.5'));
  expect(await call('POST', `/api/designs/${design.Id}/try`, { Inputs: [], Region: 'de-XX' })).toMatchObject({
    status: 400,
  });

  const fields = { Id: '0', Schema: 'Finance', Name: 'Numbers', DesignId: String(design.Id), Region: 'de-DE' };
  const { Id } = await send('/api/activities/create', fields);
  const next = await send('/api/designs/open', { Id: String(Id) });
  const again = (await call<Design>('GET', `/api/designs/${next.Id}`)).result;
  expect(again.Region).toEqual({ Id: 'de-DE', Source: 'Kept' });
  expect(await tried(again)).toEqual(shows('1,5'));

  const told = { ...cells, B1: { formula: 'FIXED(A1,1)', value: '1,5' } };
  const german = await open({ sheets: [{ name: 'Loan', cells: told }] });
  expect(german.Region).toMatchObject({ Source: 'Values' });
  await save(german, marks);
  expect(await tried(german)).toEqual(shows('1,5'));
  expect(await tried(german, { Region: 'en-US' })).toEqual(shows('1.5'));
});

test('marks that do not fit are told at their cells, and are saved all the same', async () => {
  const design = await open();
  const twice = [...MARKS, mark('Input', 'Again', 'B2')];
  const saved = await save(design, twice);
  expect(saved).toMatchObject({ status: 200, result: { Revision: 1 } });
  expect(saved.result.Found.Faults.map(({ Cell }) => Cell)).toContain('B2');
  expect((await call<Design>('GET', `/api/designs/${design.Id}`)).result.Marks).toEqual(twice);
  const tried = await call('POST', `/api/designs/${design.Id}/try`, { Inputs: [] });
  expect(tried).toMatchObject({ status: 422, message: expect.stringContaining('Again') });
  const fields = { Id: '0', Schema: 'Finance', Name: 'Twice', DesignId: String(design.Id) };
  expect(await send('/api/activities/create', fields)).toMatchObject({ status: 422 });
  expect((await call('GET', `/api/designs/${design.Id}`)).status).toBe(200);
});

test.for([
  ['a sheet that is not there', { ...MARKS[0]!, Sheet: 'Elsewhere' }, 'which the workbook does not have'],
  ['cells beyond a sheet', { ...MARKS[0]!, Range: 'ZZZ1' }, "'ZZZ1', which no sheet has"],
  ['an option of the other role', { ...MARKS[2]!, Options: { Section: 'Loan' } }, 'cannot have the option Section'],
  ['an unknown option', { ...MARKS[0]!, Options: { Colour: 'red' } }, 'Colour is not a known field'],
] as const)('marks with %s are refused, and nothing is saved', async ([, wrong, message]) => {
  const design = await open();
  const refused = await save(design, [wrong as Mark]);
  expect(refused.status).toBe(400);
  expect(refused.message).toContain(message);
  expect((await call<Design>('GET', `/api/designs/${design.Id}`)).result).toMatchObject({ Revision: 0, Marks: [] });
});

test('asking what the marks come to changes nothing', async () => {
  const design = await open();
  expect((await save(design, design.Marks)).result.Revision).toBe(0);
  expect((await call<Design>('GET', `/api/designs/${design.Id}`)).result.Revision).toBe(0);
});

test('of two windows the second is told that the marks were changed', async () => {
  const design = await open();
  expect((await save(design, MARKS)).status).toBe(200);
  expect(await save(design, [])).toMatchObject({ status: 409, message: expect.stringContaining('in another window') });
});

test('a design belongs to one person, and ends with the right to publish it', async () => {
  const design = await open();
  const other = await signedInUser(app, ['sk.CreateActivity']);
  for (const url of [
    `/api/designs/${design.Id}`,
    `/api/designs/${design.Id}/sheets/0/0`,
    `/api/designs/${design.Id}/download`,
  ])
    expect((await call('GET', url, undefined, other)).status).toBe(404);
  for (const [action, body] of [
    ['marks', { Revision: 0, Marks: [] }],
    ['try', { Inputs: [] }],
    ['delete', {}],
  ] as const)
    expect((await call('POST', `/api/designs/${design.Id}/${action}`, body, other)).status).toBe(404);
  const reader = await signedInUser(app, ['sk.RunActivity']);
  expect((await send('/api/designs/open', { Schema: 'Finance' }, await buildWorkbook(LOAN), reader)).status).toBe(403);
});

test('a workbook that comes with the program is opened by its name, and no other file is', async () => {
  const { Id } = await send('/api/designs/open', { Schema: 'Finance', Example: 'quote-calculator.xlsx' });
  const { FileName, Marks, Proposals } = (await call<Design>('GET', `/api/designs/${Id}`)).result;
  expect({ FileName, Marks }).toEqual({ FileName: 'quote-calculator.xlsx', Marks: [] });
  const preselected = Proposals.filter(({ Preselected }) => Preselected).map(({ Role, Range }) => `${Role} ${Range}`);
  expect(preselected).toEqual(expect.arrayContaining(['Input B5', 'Input B6', 'Input A9:C14', 'Output D19']));
  const refused = await send('/api/designs/open', { Schema: 'Finance', Example: '../index.json' });
  expect(refused).toMatchObject({ status: 404, Message: 'There is no such file' });
  const both = { Schema: 'Finance', Example: 'quote-calculator.xlsx' };
  expect(await send('/api/designs/open', both, await buildWorkbook(LOAN))).toMatchObject({ status: 400 });
});

test('what is no workbook is refused with its fault, and nothing of it stays', async () => {
  const count = async () => (await app.database.knex('StoredFiles').count({ n: '*' }))[0];
  const before = await count();
  const refused = await send('/api/designs/open', { Schema: 'Finance' }, Buffer.from('no workbook'));
  expect(refused).toMatchObject({ status: 422, Message: 'The workbook cannot be read: it has one fault' });
  expect(await send('/api/designs/open', { Schema: 'Finance' })).toMatchObject({
    status: 400,
    Message: 'File must be uploaded',
  });
  expect(await count()).toEqual(before);
});

test('designs are listed and deleted with their files; those that are left unfinished go in time', async () => {
  const { knex } = app.database;
  const design = await open();
  const old = await open();
  const list = await call<{ Items: { Id: number }[] }>('GET', '/api/designs');
  expect(list.result.Items.slice(0, 2).map(({ Id }) => Id)).toEqual([old.Id, design.Id]);
  const files = (await knex('WorkbookDesignParts').where('DesignId', design.Id).pluck('FileId')) as string[];
  expect((await call('POST', `/api/designs/${design.Id}/delete`, {})).status).toBe(200);
  expect(await knex('StoredFiles').whereIn('FileId', files)).toEqual([]);

  const signal = new AbortController().signal;
  const deps = { database: app.database, store: app.fileStore };
  expect(await deleteOldDesigns(deps, signal)).toBe(0);
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  await knex('WorkbookDesigns')
    .where('Id', old.Id)
    .update({ ModifiedTime: days(2) });
  expect(await deleteOldDesigns(deps, signal)).toBe(1);

  const touched = await open();
  await save(touched, MARKS);
  await knex('WorkbookDesigns')
    .where('Id', touched.Id)
    .update({ ModifiedTime: days(29) });
  expect(await deleteOldDesigns(deps, signal)).toBe(0);
  // A design that went with its person leaves its files to the janitor.
  await knex('WorkbookDesigns').where('Id', touched.Id).delete();
  await knex('StoredFiles')
    .where('Purpose', 'design')
    .update({ CreatedTime: days(1) });
  const before = Number((await knex('StoredFiles').where('Purpose', 'design').count({ n: '*' }))[0]!['n']);
  expect(await deleteUnneededFiles(app.database, app.fileStore, signal)).toBeGreaterThan(0);
  const after = Number((await knex('StoredFiles').where('Purpose', 'design').count({ n: '*' }))[0]!['n']);
  expect(after).toBeLessThan(before);
  expect(after).toBeGreaterThan(0);
});
