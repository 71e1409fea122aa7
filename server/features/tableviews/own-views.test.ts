/** Tests, over HTTP, what people save for their use of table views. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_OWN_VIEWS, type OwnView, type TableValues, type ViewChoice } from '#shared/contract/tableviews.ts';
import { newViewColumn } from '#shared/rules/table-view-rules.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity } from '#test/support/runs.ts';
import { bearer, createUser, signedInUser, signIn } from '#test/support/users.ts';

type User = Awaited<ReturnType<typeof signedInUser>>;

let shop: TestDatabase;
let app: TestApp;
let editor: User;
let anna: User;
let bob: User;
let view: number;

const CHOICE: ViewChoice = {
  Filters: [{ ColumnName: 'customer', Operator: 'contains', Values: [`o'r"d[e]r;--`] }],
  Condition: 'id > 2',
  Sort: [{ ColumnName: 'amount', Descending: true }],
  Columns: ['id', 'amount'],
};

beforeAll(async () => {
  shop = await testDatabase({ migrated: false, isPostgres: true });
  await shop.knex.raw('create table orders (id int primary key, customer text, amount numeric(12,2))');
  await shop.knex.raw(`insert into orders select n, 'Customer ' || n % 3, n * 10 from generate_series(1, 9) n`);
  app = await testApp({ settings: { connections: { Shop: { url: shop.url } } } });
  const seeing = ['sk.UseConnection', 'sk.ViewTable'] as const;
  editor = await signedInUser(app, ['sk.ManageTableViews', ...seeing]);
  [anna, bob] = [await signedInUser(app, [...seeing]), await signedInUser(app, [...seeing])];
  view = await makeView('Orders');
});
afterAll(async () => {
  await app.close();
  await shop.drop();
});

async function call(method: 'GET' | 'POST', url: string, by: User, payload?: object) {
  const sent = payload ? { payload } : {};
  const answer = await app.http.inject({ method, url: `/api/tableviews/${url}`, headers: by.headers, ...sent });
  return { status: answer.statusCode, body: answer.json() };
}

async function makeView(ViewName: string): Promise<number> {
  const { Items } = (await call('GET', 'columns/public.orders', editor)).body.result;
  const ViewInfo = JSON.stringify({ Columns: Items.map(newViewColumn) });
  const made = { ConnectionName: 'Shop', TableName: 'public.orders', ViewName, ViewInfo };
  return (await call('POST', 'create', editor, made)).body.result.Id;
}

const save = (by: User, Name: string, Choice: ViewChoice = CHOICE, OwnViewId: number | null = null, of = view) =>
  call('POST', `own/save/${of}`, by, { OwnViewId, Name, Choice });
const idOf = async (saved: ReturnType<typeof save>): Promise<number> => (await saved).body.result.Id;
const list = async (by: User, of = view): Promise<OwnView[]> => (await call('GET', `own/${of}`, by)).body.result.Items;
const names = async (by: User, of = view): Promise<string[]> => (await list(by, of)).map(({ Name }) => Name);

describe('a personal view', () => {
  it('is kept with its filters, condition, order and columns, changed, renamed and deleted', async () => {
    const id = await idOf(save(anna, '  Large ones '));
    expect(await list(anna)).toEqual([{ Id: id, Name: 'Large ones', Choice: CHOICE }]);
    expect(await idOf(save(anna, 'Largest', { Filters: [] }, id))).toBe(id);
    expect(await list(anna)).toEqual([{ Id: id, Name: 'Largest', Choice: { Filters: [] } }]);
    expect((await call('POST', `own/rename/${id}`, anna, { Name: 'Largest of all' })).status).toBe(200);
    await save(anna, 'a second one');
    expect(await names(anna)).toEqual(['a second one', 'Largest of all']);
    for (const { Id } of await list(anna)) await call('POST', `own/delete/${Id}`, anna);
    expect(await list(anna)).toEqual([]);
    expect((await call('GET', `details/${view}`, anna)).status).toBe(200);
  });

  it('is of one person alone, and of one view', async () => {
    const id = await idOf(save(anna, 'Mine'));
    expect(await list(bob)).toEqual([]);
    expect(await list(editor)).toEqual([]);
    for (const by of [bob, editor]) {
      expect((await save(by, 'Stolen', CHOICE, id)).status).toBe(404);
      expect((await call('POST', `own/rename/${id}`, by, { Name: 'Stolen' })).status).toBe(404);
      expect((await call('POST', `own/delete/${id}`, by)).status).toBe(404);
    }
    const other = await makeView('Other');
    expect(await names(anna, other)).toEqual([]);
    expect((await save(anna, 'Moved', CHOICE, id, other)).status).toBe(404);
    expect(await names(anna)).toEqual(['Mine']);
    expect((await save(bob, 'Mine')).status).toBe(200);
    await call('POST', `own/delete/${id}`, anna);
    expect(await names(bob)).toEqual(['Mine']);
  });

  it('has a unique name, ignoring case, of at most 60 characters', async () => {
    await save(anna, 'Überfällig');
    const taken = await save(anna, 'ÜBERFÄLLIG');
    expect([taken.status, taken.body.modelState]).toEqual([400, { Name: ['You already have a view with this name'] }]);
    const id = await idOf(save(anna, 'x'.repeat(60)));
    expect((await call('POST', `own/rename/${id}`, anna, { Name: 'überfällig' })).status).toBe(400);
    expect((await save(anna, 'x'.repeat(61))).body.message).toBe('Name must not exceed 60 characters');
    expect((await save(anna, '   ')).body.message).toBe('Name must be provided');
    expect(await names(anna)).toEqual(['x'.repeat(60), 'Überfällig']);
  });

  it('is one of 50, and holds what a call may ask and nothing else', async () => {
    const crowded = await makeView('Crowded');
    for (let n = 0; n < MAX_OWN_VIEWS; n++) await save(bob, `View ${n}`, {}, null, crowded);
    const last = await save(bob, 'One more', {}, null, crowded);
    expect([last.status, last.body.message]).toEqual([
      400,
      'You can save at most 50 of your own views per table view: delete one first',
    ]);
    expect(await names(bob, crowded)).toHaveLength(MAX_OWN_VIEWS);
    expect((await save(anna, 'Page', { After: ['1'] } as ViewChoice)).status).toBe(400);
    const Filters = Array.from({ length: 30 }, () => ({
      ColumnName: 'id',
      Operator: 'in' as const,
      Values: ['y'.repeat(4000)],
    }));
    expect((await save(anna, 'Long', { Filters })).body.message).toContain('more than 100,000 characters');
  });

  it('is deleted with the view, and is hidden from users who may no longer see that', async () => {
    const gone = await makeView('Gone');
    const id = await idOf(save(anna, 'Mine', CHOICE, null, gone));
    const key = { UserId: anna.UserId, RightName: 'sk.ViewTable' } as const;
    await app.rights.grantToUser(app.database.knex, { ...key, Access: -1 });
    expect((await call('GET', `own/${gone}`, anna)).status).toBe(403);
    await app.rights.grantToUser(app.database.knex, { ...key, Access: 1 });
    const table = { ...key, key: { column: 'Table', value: 'Shop: public.orders' } };
    await app.rights.grantToUser(app.database.knex, { ...table, Access: -1 });
    expect((await call('GET', `own/${gone}`, anna)).status).not.toBe(200);
    expect((await call('POST', `own/delete/${id}`, anna)).status).not.toBe(200);
    await app.rights.grantToUser(app.database.knex, { ...table, Access: 1 });
    expect(await names(anna, gone)).toEqual(['Mine']);
    await call('POST', `delete/${gone}`, editor);
    expect(await app.database.knex('OwnTableViews').where({ Id: id })).toEqual([]);
  });
});

it('personal views are deleted with their person, also where runs keep the name', async () => {
  const carol = await signedInUser(app, ['sk.UseConnection', 'sk.ViewTable', 'sk.RunActivity']);
  await save(carol, 'Mine');
  const { knex } = app.database;
  await insertActivity(knex, { UserId: carol.UserId });
  const administrator = await createUser(app, { isUserAdmin: true });
  const headers = bearer(await signIn(app, administrator));
  const url = `/api/users/delete/${carol.UserId}`;
  expect((await app.http.inject({ method: 'POST', url, headers })).statusCode).toBe(200);
  expect(await knex('Users').where({ UserId: carol.UserId })).toHaveLength(1);
  expect(await knex('OwnTableViews').where({ UserId: carol.UserId })).toEqual([]);
});

it('columns that are chosen are shown and exported alone, and others still filter and sort', async () => {
  const criteria = {
    Columns: ['amount', 'id'],
    Filters: [{ ColumnName: 'customer', Operator: 'equals', Values: ['Customer 2'] }],
  };
  const sorted = { ...criteria, Sort: [{ ColumnName: 'customer', Descending: false }] };
  const page = (await call('POST', `values/${view}`, anna, sorted)).body.result as TableValues;
  expect(page.Columns.map(({ ColumnName }) => ColumnName)).toEqual(['id', 'amount']);
  expect(page.Rows).toEqual([
    ['2', '20.00'],
    ['5', '50.00'],
    ['8', '80.00'],
  ]);
  const token = (await call('POST', `export/${view}/csv`, anna, criteria)).body.result as string;
  const file = await app.http.inject({ url: `/api/files/download/${token}`, headers: anna.headers });
  expect(file.body.trimEnd().split('\r\n')).toEqual(['\uFEFFid,amount', '2,20.00', '5,50.00', '8,80.00']);
  expect((await call('POST', `values/${view}`, anna, { Columns: ['none'] })).body.message).toBe(
    'The view has no column none',
  );
});
