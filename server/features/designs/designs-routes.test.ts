/** Tests opening workbooks to mark their cells, and the results of the marks. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Design, DesignPart, Mark } from '#shared/contract/designs.ts';
import { isRightName, RIGHTS } from '#shared/contract/rights.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { LOAN, mark, MARKS, startDesignPortal, type DesignPortal } from '#test/support/design-portal.ts';
import { signedInUser } from '#test/support/users.ts';

let portal: DesignPortal;
let call: DesignPortal['call'];
let send: DesignPortal['send'];
let open: DesignPortal['open'];
let save: DesignPortal['save'];
let app: DesignPortal['app'];
beforeAll(async () => {
  portal = await startDesignPortal();
  ({ call, send, open, save, app } = portal);
});
afterAll(() => portal.close());

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

describe('the rights that an input can require', () => {
  const CUSTOM = ['Finance.Rates', 'Merger.Lists', 'Merger.Prices'];
  /** Returns the custom rights that a design lists for its author. */
  async function listedFor(user: Awaited<ReturnType<typeof signedInUser>>) {
    const { Id } = await send('/api/designs/open', { Schema: 'Finance' }, await buildWorkbook(LOAN), user);
    const { Rights = [], HasAllRights } = (await call<Design>('GET', `/api/designs/${Id}`, undefined, user)).result;
    expect(Rights).toContainEqual({ Name: 'sk.EditActivity', Description: RIGHTS['sk.EditActivity'].Description });
    return { listed: Rights.filter(({ Name }) => !isRightName(Name)), HasAllRights };
  }
  beforeAll(async () => {
    await app.database.knex('Rights').insert(CUSTOM.map((Name) => ({ Name, Description: `About ${Name}` })));
  });

  test('are those that the author holds, if only for one schema, and those of the program', async () => {
    const user = await signedInUser(app, ['sk.CreateActivity']);
    expect(await listedFor(user)).toEqual({ listed: [], HasAllRights: false });
    const grantee = { GranteeKind: 'user', Grantee: String(user.UserId) };
    await app.database.knex('Grants').insert([
      { ...grantee, RightName: 'Finance.Rates', KeyColumnName: 'Schema', KeyColumnValue: 'Sales', Access: 1 },
      { ...grantee, RightName: 'Merger.Lists', KeyColumnName: '', KeyColumnValue: '', Access: -1 },
    ]);
    const held = [{ Name: 'Finance.Rates', Description: 'About Finance.Rates' }];
    expect(await listedFor(user)).toEqual({ listed: held, HasAllRights: false });
  });

  test.for(['sk.ManageRights', 'sk.ViewSecurityMatrix'] as const)('are all for people with %s', async (right) => {
    const { listed, HasAllRights } = await listedFor(await signedInUser(app, ['sk.CreateActivity', right]));
    expect(listed.map(({ Name }) => Name)).toEqual(CUSTOM);
    expect(HasAllRights).toBe(true);
  });
});

test('a fault in the settings of a mark is reported at its cells', async () => {
  const design = await open();
  const file = { ...mark('Input', 'Scan', 'A1:B2'), Options: { CellUsages: 'FilePath' } };
  const result = { ...mark('Output', 'Scan', 'B3'), Options: { CellUsages: 'Date,Date' } };
  const { Faults } = (await save(design, [file, result])).result.Found;
  expect(Faults.map(({ Sheet, Cell, Message }) => [Sheet, Cell, Message])).toEqual([
    ['Loan', 'A1:B2', "The file input 'Scan' is neither a cell nor a column."],
    ['Loan', 'B3', 'CellUsages has 2 values for 1 column.'],
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

test('the items of a list come with the form, unless they depend on other values', async () => {
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

test('marks that do not fit are reported at their cells, and are saved', async () => {
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
  ['a sheet that is not there', { ...MARKS[0]!, Sheet: 'Elsewhere' }, 'which does not exist in the workbook'],
  ['cells beyond a sheet', { ...MARKS[0]!, Range: 'ZZZ1' }, "The cells 'ZZZ1' of"],
  [
    'an option of the other role',
    { ...MARKS[2]!, Options: { Section: 'Loan' } },
    'does not support the option Section',
  ],
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

test('a file that is no workbook is refused with its problem, and nothing of it is stored', async () => {
  const count = async () => (await app.database.knex('StoredFiles').count({ n: '*' }))[0];
  const before = await count();
  const refused = await send('/api/designs/open', { Schema: 'Finance' }, Buffer.from('no workbook'));
  expect(refused).toMatchObject({ status: 422, Message: 'The workbook cannot be read: it has one problem' });
  expect(await send('/api/designs/open', { Schema: 'Finance' })).toMatchObject({
    status: 400,
    Message: 'File must be uploaded',
  });
  expect(await count()).toEqual(before);
});
