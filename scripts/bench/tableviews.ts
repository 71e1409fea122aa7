/**
 * Measures a table view over ten million rows: the first rows, page 10,000, and a sort order and a filter that use an
 * index. Each is a call over HTTP, measured alternately with a bare route that returns the same rows. For comparison,
 * each is also measured with the bare statement on a separate connection without HTTP. Calls are made as the
 * administrator and as a user with rights to the table. Finally measures how long a statement runs after the browser
 * has left.
 */
import type { Client } from 'pg';
import type { FilterCriteria, TableValues } from '#shared/contract/tableviews.ts';
import { newViewColumn } from '#shared/rules/table-view-rules.ts';
import { startBareRoute } from './bare-route.ts';
import { compare, print } from './measure.ts';
import type { BenchPortal } from './portal.ts';
import { withShop } from './shop.ts';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 10_000_000);
const PAGE = 100;
const ROUNDS = 200;
/**
 * Number of warm-up calls until the code of both servers is compiled. Users normally meet a server that has run for at
 * least a minute.
 */
const WARM_UP = 200;
/** Key of the last row of page 9,999. */
const BEFORE_PAGE = Math.min(999_900, ROWS / 2);

async function fill(client: Client): Promise<void> {
  await client.query('create unlogged table sales (id bigint, customer text, amount numeric(12,2), day date)');
  await client.query(`insert into sales select n, 'Customer ' || (n::bigint * 7919) % 100000, (n % 100000) / 7.0, date '2020-01-01' + (n % 2000)::int
    from generate_series(1, ${ROWS}) n`);
  await client.query('alter table sales add primary key (id)');
  await client.query('create index on sales (customer, id)');
  await client.query('vacuum analyze sales');
}

const RIGHTS = [{ right: 'sk.ViewTable' }, { right: 'sk.UseConnection' }];

const COLUMNS = 'id::text, customer::text, amount::text, day::text';

const QUESTIONS: { title: string; criteria: FilterCriteria; sql: string }[] = [
  { title: 'first rows', criteria: {}, sql: `select ${COLUMNS} from sales order by sales.id limit ${PAGE + 1}` },
  {
    title: 'page 10,000',
    criteria: { After: [String(BEFORE_PAGE)] },
    sql: `select ${COLUMNS} from sales where id > ${BEFORE_PAGE} order by sales.id limit ${PAGE + 1}`,
  },
  {
    title: 'by an indexed column, downwards',
    criteria: {
      Sort: [
        { ColumnName: 'customer', Descending: true },
        { ColumnName: 'id', Descending: true },
      ],
    },
    sql: `select ${COLUMNS} from sales order by sales.customer desc, sales.id desc limit ${PAGE + 1}`,
  },
  {
    title: 'a page in the middle, by a column that may be null',
    criteria: { Sort: [{ ColumnName: 'customer', Descending: false }], After: ['Customer 50', '5'] },
    sql: `select ${COLUMNS} from sales where (customer, id) > ('Customer 50', 5) order by sales.customer, sales.id limit ${PAGE + 1}`,
  },
  {
    title: 'a filter that an index serves',
    criteria: { Filters: [{ ColumnName: 'customer', Operator: 'equals', Values: ['Customer 777'] }] },
    sql: `select ${COLUMNS} from sales where customer = 'Customer 777' order by sales.id limit ${PAGE + 1}`,
  },
];

async function makeView(portal: BenchPortal): Promise<number> {
  const { Items } = await portal.call<{ Items: { ColumnName: string; DataType: string }[] }>(
    'GET',
    '/api/tableviews/columns/public.sales?ConnectionName=Shop',
  );
  const body = {
    ConnectionName: 'Shop',
    TableName: 'public.sales',
    ViewName: 'Sales',
    ViewInfo: JSON.stringify({ Columns: Items.map(newViewColumn) }),
  };
  return (await portal.call<{ Id: number }>('POST', '/api/tableviews/create', body)).Id;
}

async function measure(portal: BenchPortal, client: Client, shopUrl: string): Promise<void> {
  const url = `/api/tableviews/values/${await makeView(portal)}`;
  const somebody = await portal.signInAs(...RIGHTS);
  const { Rows: _, ...answer } = await portal.call<TableValues>('POST', url, {});
  const rounds = { rounds: ROUNDS, warmUp: WARM_UP };
  const statements = QUESTIONS.map(({ sql }) => sql);
  const route = await startBareRoute(shopUrl, statements, answer);
  for (const [index, { title, criteria, sql }] of QUESTIONS.entries()) {
    const ask = (headers?: object): Promise<TableValues> => portal.call('POST', url, criteria, headers);
    const bare = (): Promise<void> => route.ask(index + 1, criteria);
    const { Rows } = await ask();
    if (Rows.length === 0) throw new Error(`${title}: no rows`);
    const name = `table view over ${ROWS.toLocaleString('en')} rows: ${title}`;
    print(await compare(`${name}, compared with a bare route`, { ours: ask, peer: bare, target: 2, ...rounds }));
    const bySomebody = { ours: () => ask(somebody), peer: bare, target: 2, ...rounds };
    print(await compare(`${name}, as a user with rights, compared with a bare route`, bySomebody));
    const beside = { ours: ask, peer: () => client.query(sql), target: null, ...rounds };
    print(await compare(`${name}, compared with only the statement`, beside));
  }
  await route.stop();
  await measureLeaving(portal, client, url);
}

/** A filter that reads the whole table, and a browser that leaves after half a second. */
async function measureLeaving(portal: BenchPortal, client: Client, url: string): Promise<void> {
  const leaving = new AbortController();
  const criteria: FilterCriteria = { Filters: [{ ColumnName: 'customer', Operator: 'contains', Values: ['nobody'] }] };
  const headers = { ...portal.headers, 'content-type': 'application/json' };
  const asked = fetch(`${portal.address}${url}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(criteria),
    signal: leaving.signal,
  }).catch(() => null);
  await new Promise((resolve) => void setTimeout(resolve, 500));
  leaving.abort();
  const left = performance.now();
  await asked;
  const isActive = `select 1 from pg_stat_activity where state = 'active' and query like 'fetch forward%'`;
  while ((await client.query(isActive)).rowCount) await new Promise((resolve) => void setTimeout(resolve, 5));
  console.log(
    `After a browser disconnected, its statement ran for another ${(performance.now() - left).toFixed(0)} ms\n`,
  );
}

export const benchTableViews = (): Promise<void> => withShop(fill, measure);
