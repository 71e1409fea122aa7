/**
 * A form with a database picker over a million rows: the first page, the next and the previous page from the middle,
 * and a search. Each is a call over HTTP, measured alternately with the bare SQL statement on the same database.
 */
import type { Client } from 'pg';
import type { Activity, PickerPage, PickerQuery } from '#shared/contract/activities.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { compare, print } from './measure.ts';
import type { BenchPortal } from './portal.ts';
import { withShop } from './shop.ts';

const ROWS = 1_000_000;
const ROUNDS = 40;

const nameOf = (n: number): string => `Customer ${String(n).padStart(7, '0')}`;
const MIDDLE = nameOf(ROWS / 2);

const COLUMNS = ['Name', 'CellUsages', 'Picker', 'PickerSource'];
const SOURCE = 'Shop: select name from customers where no > @Least';

function workbook(): Promise<Buffer> {
  const rows = [COLUMNS, ['Customer', 'Text', 'Database', SOURCE]];
  const cells = Object.fromEntries(rows.flatMap((row, y) => row.map((text, x) => [`${'ABCD'[x]}${y + 1}`, text])));
  return buildWorkbook({
    sheets: [
      { name: 'S', cells: { A1: 0, C1: 1 } },
      { name: 'Portal', cells, tables: [{ name: 'PortalInputs', ref: 'A1:D2', columns: COLUMNS }] },
    ],
    names: { in_Least: 'S!$A$1', in_Customer: 'S!$A$2', out_One: 'S!$C$1' },
  });
}

async function fill(client: Client): Promise<void> {
  await client.query('create table customers (no int primary key, name text not null unique)');
  await client.query(
    `insert into customers select n, 'Customer ' || to_char(n, 'FM0000000') from generate_series(1, ${ROWS}) n`,
  );
  await client.query('vacuum analyze customers');
}

const SELECT = 'select distinct name from customers where no > $1 and';

/** The requests, and for each the statement that returns the same rows without the portal. */
const QUESTIONS: { title: string; query: PickerQuery; sql: string; values: unknown[] }[] = [
  { title: 'first page', query: {}, sql: `${SELECT} name is not null order by name limit 21`, values: [] },
  {
    title: 'next page, from the middle',
    query: { Last: MIDDLE, FetchNext: true },
    sql: `${SELECT} name > $2 order by name limit 21`,
    values: [MIDDLE],
  },
  {
    title: 'page before, from the middle',
    query: { First: MIDDLE, FetchPrevious: true },
    sql: `${SELECT} name < $2 order by name desc limit 21`,
    values: [MIDDLE],
  },
  {
    title: 'search that finds many',
    query: { Value: '77' },
    sql: `${SELECT} name ilike $2 order by name limit 21`,
    values: ['%77%'],
  },
  {
    title: 'search that finds one',
    query: { Value: nameOf(ROWS - 1).slice(9) },
    sql: `${SELECT} name ilike $2 order by name limit 21`,
    values: [`%${nameOf(ROWS - 1).slice(9)}%`],
  },
];

async function measure(portal: BenchPortal, client: Client): Promise<void> {
  const fields = { Id: '0', Schema: 'General', SingleRun: 'false', Name: 'Million' };
  const { Id } = await portal.upload(fields, 'million.xlsx', await workbook());
  const { Inputs } = await portal.call<Activity>('GET', `/api/activities/details/${Id}`);
  const idOf = (name: string): number => Inputs.find(({ Name }) => Name === name)!.Id;
  const OtherInputValues = [{ ActivityParameterId: idOf('Least'), Value: '0' }];
  const url = `/api/activities/picker/${Id}/${idOf('Customer')}/0`;
  for (const { title, query, sql, values } of QUESTIONS) {
    const ask = (): Promise<PickerPage> => portal.call('POST', url, { ...query, OtherInputValues });
    const bare = (): Promise<unknown> => client.query(sql, [0, ...values]);
    const { Items } = await ask();
    if (Items.length === 0) throw new Error(`${title}: no values`);
    const rounds = title.includes('one') ? 8 : ROUNDS;
    const result = await compare(`picker over ${ROWS.toLocaleString('en')} rows: ${title}`, {
      ours: ask,
      peer: bare,
      target: 0,
      rounds,
    });
    print({ ...result, target: null });
  }
}

export const benchPickers = (): Promise<void> => withShop(fill, measure);
