/**
 * A portal with a named connection to a database of orders, a user who creates views of its tables, and one who may see
 * only orders.
 */
import { expect } from 'vitest';
import type { FilterCriteria, TableValues, ViewColumn } from '#shared/contract/tableviews.ts';
import { newViewColumn } from '#shared/rules/table-view-rules.ts';
import { testApp } from './app.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { signedInUser } from './users.ts';

type User = Awaited<ReturnType<typeof signedInUser>>;

const AWAY = 'postgres://nobody@127.0.0.1:9/none';

async function makeOrders({ knex }: TestDatabase): Promise<void> {
  await knex.raw(`create table orders (id bigint primary key, customer text, amount numeric(30,4), day date,
    changed timestamp(6), paid boolean, note text not null default '')`);
  await knex.raw(`insert into orders select n, case when n % 10 = 0 then null else 'Customer ' || (n % 7) end, n * 1.25,
    case when n % 5 = 0 then null else date '2026-01-01' + (n % 40)::int end, timestamp '2026-01-05 10:00' + n * interval '1 minute',
    n % 2 = 0 from generate_series(1, 450) n`);
  await knex.raw(
    `insert into orders values (1000, 'O''Hara %_!', 12345678901234567890.1234, '2026-02-28', '2026-02-28 23:59:59.123456', null, '=1+1')`,
  );
  await knex.raw(`create view big_orders as select * from orders where id > 100`);
}

export async function startTableViewPortal() {
  const shop = await testDatabase({ migrated: false, isPostgres: true });
  await makeOrders(shop);
  const app = await testApp({
    settings: { connections: { Shop: { url: shop.url, maxRows: 1200 }, Away: { url: AWAY } } },
  });
  const editor = await signedInUser(app, ['sk.ManageTableViews']);
  const viewer = await signedInUser(app);

  const give = (user: User, RightName: 'sk.UseConnection' | 'sk.ViewTable', column: string, value: string) =>
    app.rights.grantToUser(app.database.knex, { UserId: user.UserId, RightName, Access: 1, key: { column, value } });

  async function call(method: 'GET' | 'POST', url: string, by: User, payload?: object) {
    const answer = await app.http.inject({
      method,
      url: `/api/tableviews${url}`,
      headers: by.headers,
      ...(payload ? { payload } : {}),
    });
    return { status: answer.statusCode, body: answer.json() };
  }
  const get = (url: string, by = editor) => call('GET', url, by);
  const post = (url: string, payload: object, by = editor) => call('POST', url, by, payload);

  async function columnsOf(table: string): Promise<ViewColumn[]> {
    const { body } = await get(`/columns/${encodeURIComponent(table)}?ConnectionName=shop`);
    return body.result.Items.map(newViewColumn);
  }

  async function create(TableName: string, ViewName: string, change = (columns: ViewColumn[]) => columns) {
    const ViewInfo = JSON.stringify({ Columns: change(await columnsOf(TableName)) });
    const { status, body } = await post('/create', { ConnectionName: 'Shop', TableName, ViewName, ViewInfo });
    expect([status, body.message]).toEqual([200, undefined]);
    return body.result.Id as number;
  }

  async function page(criteria: FilterCriteria, view = ordersView, by = viewer): Promise<TableValues> {
    const { status, body } = await post(`/values/${view}`, criteria, by);
    expect([status, body.message]).toEqual([200, undefined]);
    return body.result;
  }

  await give(editor, 'sk.UseConnection', 'Name', 'Shop');
  await give(editor, 'sk.ViewTable', 'Connection', 'Shop');
  await give(viewer, 'sk.UseConnection', 'Name', 'Shop');
  await give(viewer, 'sk.ViewTable', 'Table', 'Shop: public.orders');
  /** The view of all columns of the orders. */
  const ordersView = await create('public.orders', 'All orders');

  return {
    app,
    shop,
    editor,
    viewer,
    ordersView,
    give,
    get,
    post,
    columnsOf,
    create,
    page,
    close: async () => {
      await app.close();
      await shop.drop();
    },
  };
}
