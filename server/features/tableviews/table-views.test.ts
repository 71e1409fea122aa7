/** Tests views of tables over HTTP: who sees, creates and changes them. */
import { describe, expect } from 'vitest';
import { test as it } from '#test/support/fixtures/table-view-portal.ts';
import { signedInUser } from '#test/support/users.ts';

describe('a table view', () => {
  it('is created from the catalog, and listed for those who may see its table', async ({ portal }) => {
    const tables = (await portal.get('/tables')).body.result;
    expect(tables.Items).toContainEqual({ ConnectionName: 'Shop', TableName: 'public.big_orders' });
    const { Items } = (await portal.get('/columns/public.orders')).body.result;
    expect(Items.slice(0, 3)).toEqual([
      { ColumnName: 'id', DataType: 'bigint' },
      { ColumnName: 'customer', DataType: 'text' },
      { ColumnName: 'amount', DataType: 'numeric(30,4)' },
    ]);
    const item = { Id: portal.ordersView, ConnectionName: 'Shop', TableName: 'public.orders', ViewName: 'All orders' };
    expect((await portal.get('', portal.viewer)).body.result.Items).toEqual([item]);
    expect((await portal.get(`/details/${portal.ordersView}`, portal.viewer)).body.result).toMatchObject(item);
  });

  it('does not exist for users without a right to its table or its connection', async ({ portal }) => {
    const bigOrders = await portal.create('public.big_orders', 'Big');
    for (const url of [`/values/${bigOrders}`, `/count/${bigOrders}`, `/export/${bigOrders}/csv`])
      expect([url, (await portal.post(url, {}, portal.viewer)).status]).toEqual([url, 404]);
    expect((await portal.get(`/details/${bigOrders}`, portal.viewer)).status).toBe(404);
    expect((await portal.get('', portal.viewer)).body.result.Items).toHaveLength(1);

    const withoutConnection = await signedInUser(portal.app, ['sk.ViewTable']);
    expect((await portal.get('', withoutConnection)).body.result.Items).toEqual([]);
    expect((await portal.post(`/values/${portal.ordersView}`, {}, withoutConnection)).status).toBe(404);
    const nobody = await signedInUser(portal.app);
    expect((await portal.get('', nobody)).status).toBe(403);
    expect((await portal.post(`/values/${portal.ordersView}`, {}, nobody)).status).toBe(403);
  });

  it('is made and changed only by those who manage views, of tables that they may see', async ({ portal }) => {
    const Id = portal.ordersView;
    const ViewInfo = JSON.stringify({ Columns: await portal.columnsOf('public.orders') });
    const body = { ConnectionName: 'Shop', TableName: 'public.orders', ViewName: 'Mine', ViewInfo };
    expect((await portal.post('/create', body, portal.viewer)).status).toBe(403);
    expect((await portal.post('/update', { Id, ViewInfo }, portal.viewer)).status).toBe(403);
    expect((await portal.get('/tables', portal.viewer)).status).toBe(403);
    const manager = await signedInUser(portal.app, ['sk.ManageTableViews']);
    expect((await portal.post('/create', body, manager)).status).toBe(404);
    expect((await portal.post('/update', { Id, ViewInfo }, manager)).status).toBe(404);
    expect((await portal.get('/columns/public.orders', manager)).status).toBe(404);
    expect((await portal.get('/tables', manager)).body.result.Items).toEqual([]);
  });

  it('keeps the columns that somebody else has saved, unless they are overwritten on purpose', async ({ portal }) => {
    const Id = await portal.create('public.orders', 'Edited twice');
    const [first] = await portal.columnsOf('public.orders');
    const info = (DisplayName: string) => JSON.stringify({ Columns: [{ ...first, DisplayName }] });
    const read = async () => (await portal.get(`/details/${Id}`)).body.result;
    const { Revision } = await read();
    expect((await portal.post('/update', { Id, ViewInfo: info('Theirs'), Revision })).status).toBe(200);
    const late = await portal.post('/update', { Id, ViewInfo: info('Mine'), Revision });
    expect([late.status, late.body.OtherEdit.Revision]).toEqual([409, Revision + 1]);
    expect((await read()).ViewInfo).toContain('Theirs');
    expect((await portal.post('/update', { ...(await read()), ViewInfo: info('Mine') })).status).toBe(200);
    expect((await read()).ViewInfo).toContain('Mine');
  });

  it('has a name of 30 characters, which is its own on the table, and columns of the table alone', async ({
    portal,
  }) => {
    const Columns = await portal.columnsOf('public.orders');
    const body = { ConnectionName: 'Shop', TableName: 'public.orders', ViewName: 'x'.repeat(40) };
    const ViewInfo = JSON.stringify({ Columns });
    const made = (await portal.post('/create', { ...body, ViewInfo })).body.result.Id;
    expect((await portal.get(`/details/${made}`)).body.result.ViewName).toBe('x'.repeat(30));
    const refuse = async (more: object) => (await portal.post('/create', { ...body, ViewInfo, ...more })).body.message;
    expect(await refuse({})).toBe('The table already has a view with this name');
    expect(await refuse({ ViewName: '  ' })).toBe('View name must be provided');
    expect(await refuse({ TableName: 'public.none' })).toBe("There is no table 'public.none'");
    expect(await refuse({ ViewInfo: '{' })).toBe('ViewInfo is not valid JSON');
    const invented = { ...Columns[0]!, ColumnName: 'secret' };
    expect(await refuse({ ViewInfo: JSON.stringify({ Columns: [invented] }) })).toBe('The table has no column secret');
    const none = Columns.map((column) => ({ ...column, Selected: false }));
    expect(await refuse({ ViewInfo: JSON.stringify({ Columns: none }) })).toBe('Select at least one column');
    const info = JSON.stringify({ Columns: [{ ...Columns[0]!, DisplayName: 'Number' }] });
    expect((await portal.post('/update', { Id: made, ViewInfo: info })).status).toBe(200);
    expect((await portal.page({}, made, portal.editor)).Columns).toMatchObject([
      { ColumnName: 'id', DisplayName: 'Number' },
    ]);
  });

  it('is made and changed by bodies that hold a table view whole, of the only connection where none is named', async ({
    portal,
  }) => {
    const ViewInfo = JSON.stringify({ Columns: await portal.columnsOf('public.orders') });
    const body = { Id: 0, TableName: 'public.orders', ViewName: 'Whole', ViewInfo };
    const made = (await portal.post('/create', body)).body.result.Id;
    const details = (await portal.get(`/details/${made}`)).body.result;
    expect(details).toMatchObject({ ConnectionName: 'Shop', ViewName: 'Whole' });
    expect((await portal.post('/update', { ...details, ViewName: 'Another' })).status).toBe(200);
    expect((await portal.get(`/details/${made}`)).body.result).toEqual({ ...details, Revision: 1 });
    expect((await portal.post('/update', { ...details, Colour: 'red' })).status).toBe(400);
    const ofBoth = await signedInUser(portal.app, ['sk.ManageTableViews', 'sk.ViewTable', 'sk.UseConnection']);
    expect((await portal.post('/create', body, ofBoth)).body.message).toBe(
      "Specify the connection of 'public.orders': you can use several",
    );
  });

  it('reports an unreachable database without hiding the others', async ({ portal }) => {
    await portal.give(portal.editor, 'sk.UseConnection', 'Name', 'Away');
    const { Items, Messages } = (await portal.get('/tables')).body.result;
    expect(Items).toContainEqual({ ConnectionName: 'Shop', TableName: 'public.orders' });
    expect(Messages).toEqual(["The database of the connection 'Away' cannot be reached"]);
    expect((await portal.get('/columns/public.orders')).body.message).toContain('you can use several');
  });
});

it('a table of long name is covered by its connection, and a right names the others', async ({ portal }) => {
  const admin = await signedInUser(portal.app, ['sk.ManageRights']);
  const answer = await portal.app.http.inject({ url: '/api/rights/sk.ViewTable/Table', headers: admin.headers });
  expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('Shop: public.orders')]);
});
