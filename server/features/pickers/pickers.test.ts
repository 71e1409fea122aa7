/** Tests pickers with a real database, from the workbook to the responses. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createConnections } from '#server/connections/connections.ts';
import type { ResultValue } from '#server/connections/types.ts';
import { createWorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import type { Activity, PickerPage, PickerQuery } from '#shared/contract/activities.ts';
import type { WorkbookProblem } from '#shared/contract/fidelity.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { buildWorkbook, type CellSpec, type SheetSpec } from '#test/support/build-workbook.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { multipart } from '#test/support/portal.ts';
import { signedInUser } from '#test/support/users.ts';
import { describeQuery, missingValues } from './database-picker.ts';

let shop: TestDatabase;
let app: TestApp;
let stop: () => Promise<void>;
let editor: Awaited<ReturnType<typeof signedInUser>>;
let stranger: typeof editor;

beforeAll(async () => {
  shop = await testDatabase({ migrated: false, isPostgres: true });
  await shop.knex.raw('create table customers (name text primary key, country text, since date, no int, region text)');
  // Customer 0001 … Customer 1000, every fourth in each country. The region of every third customer is null.
  await shop.knex.raw(
    `insert into customers select 'Customer ' || to_char(n, 'FM0000'), (array['AT','CH','DE','FR'])[n % 4 + 1],
     date '2020-01-01' + n, n, (array['North', null, 'South'])[n % 3 + 1] from generate_series(1, 1000) n`,
  );
  const executor = createWorkbookExecutor({ threads: 1, formThreads: 1 });
  const connections = {
    Shop: { url: shop.url },
    Secret: { url: shop.url },
    Away: { url: 'postgres://nobody@127.0.0.1:9/none' },
  };
  app = await testApp({ executor, settings: { connections } });
  await app.database.knex('Schemas').insert({ Name: 'Shop', DisplayName: 'Shop', Order: 1 });
  editor = await signedInUser(app, ['sk.RunActivity', 'sk.CreateActivity', 'sk.EditActivity']);
  stranger = await signedInUser(app, ['sk.RunActivity']);
  for (const value of ['Shop', 'Away']) {
    const grant = { UserId: editor.UserId, RightName: 'sk.UseConnection', Access: 1 } as const;
    await app.rights.grantToUser(app.database.knex, { ...grant, key: { column: 'Name', value } });
  }
  stop = async () => {
    await app.close();
    await executor.close();
    await shop.drop();
  };
});
afterAll(() => stop());

const COLUMNS = ['Name', 'Range', 'CellUsages', 'Picker', 'PickerSource'];

/** Single-cell inputs in B1, B2, …; a row contains Name, CellUsages, Picker, PickerSource. */
function workbook(rows: string[][], sales: SheetSpec[] = []) {
  const cells: Record<string, CellSpec> = {};
  for (const [x, name] of COLUMNS.entries()) cells[`${'ABCDE'[x]}1`] = name;
  for (const [y, [name, ...rest]] of rows.entries()) {
    const said = [name!, `S!B${y + 1}`, ...rest];
    for (const [x, cell] of said.entries()) if (cell !== '') cells[`${'ABCDE'[x]}${y + 2}`] = cell;
  }
  const portal = { name: 'PortalInputs', ref: `A1:E${rows.length + 1}`, columns: COLUMNS };
  return buildWorkbook({
    sheets: [{ name: 'S', cells: { A1: 1 } }, { name: 'Portal', cells, tables: [portal] }, ...sales],
    names: { out_Total: 'S!$A$1' },
  });
}

const post = async (url: string, payload: object, by = editor) => {
  const answer = await app.http.inject({ method: 'POST', url: `/api/activities/${url}`, headers: by.headers, payload });
  return { status: answer.statusCode, body: answer.json() };
};

let names = 0;
async function upload(content: Promise<Buffer>, by = editor) {
  names += 1;
  const fields = { Id: '0', Schema: 'Shop', Name: `Pickers ${names}`, ChangeDescription: '' };
  const { headers, payload } = multipart(fields, [{ name: 'Book.xlsx', content: await content }]);
  const url = '/api/activities/create';
  const answer = await app.http.inject({ method: 'POST', url, headers: { ...headers, ...by.headers }, payload });
  return answer.json<{ Id: number; Faults?: { Sheet: string; Cell: string; Message: string }[] }>();
}

async function publish(rows: string[][], sales: SheetSpec[] = []): Promise<Activity> {
  const { Id, Faults } = await upload(workbook(rows, sales));
  expect(Faults).toBeUndefined();
  const answer = await app.http.inject({ url: `/api/activities/details/${Id}`, headers: editor.headers });
  return answer.json<{ result: Activity }>().result;
}

const inputOf = ({ Inputs }: Activity, name: string): Input => Inputs.find(({ Name }) => Name === name)!;

async function pick(activity: Activity, name: string, query: PickerQuery): Promise<PickerPage> {
  const { status, body } = await post(`picker/${activity.Id}/${inputOf(activity, name).Id}/0`, query);
  expect(body, JSON.stringify(body)).toHaveProperty('result');
  expect(status).toBe(200);
  return body.result;
}

const values = ({ Items }: PickerPage): string[] => Items.map(({ Value }) => Value);
const customer = (n: number): string => `Customer ${String(n).padStart(4, '0')}`;

describe('a database picker', () => {
  it('is described on the form, without its query', async () => {
    const activity = await publish([
      ['Country', 'Text', '', ''],
      ['Customer', 'Text', 'Database', 'shop: select name from customers where country = @country'],
      ['Any', 'Text', 'Database', '*Shop: select name from customers'],
    ]);
    expect(inputOf(activity, 'Customer').Info.Pickers).toEqual([
      { Type: 'Database', PreventOtherValues: true, OtherInputs: ['Country'] },
    ]);
    expect(inputOf(activity, 'Any').Info.Pickers).toEqual([
      { Type: 'Database', PreventOtherValues: false, OtherInputs: [] },
    ]);
    expect(JSON.stringify(activity)).not.toContain('select');
  });

  it('gives inputs without any other kind the kind of its query’s values, and says so', async () => {
    const source = (columns: string): string => `Shop: select ${columns} from customers`;
    const activity = await publish([
      ['Number', '', 'Database', source('no')],
      ['Since', '', 'Database', source('since')],
      ['Active', '', 'Database', source('no > 5 as active')],
      ['Customer', '', 'Database', source('name, region')],
      ['Said', 'Text', 'Database', source('no')],
    ]);
    const kinds = activity.Inputs.map(({ Name, Info }) => [Name, ...Info.CellUsages]);
    expect(Object.fromEntries(kinds)).toEqual({
      Number: 'Number',
      Since: 'Date',
      Active: 'Boolean',
      Customer: 'Text',
      Said: 'Text',
    });
    const url = `/api/activities/fidelity/${activity.Id}/1`;
    const { result } = (await app.http.inject({ url, headers: editor.headers })).json();
    const because = (name: string, kind: string, what: string): string =>
      `The input '${name}' is treated as a ${kind}, because the query of its picker returns ${what}.`;
    expect(result.Findings.map(({ Cell, Message }: WorkbookProblem) => [Cell, Message])).toEqual([
      ['E2', because('Number', 'Number', 'numbers')],
      ['E3', because('Since', 'Date', 'dates')],
      ['E4', because('Active', 'Boolean', 'TRUE and FALSE')],
      ['E5', because('Customer', 'Text', 'texts')],
    ]);
  });

  it('is paged both ways', async () => {
    const activity = await publish([['Customer', 'Text', 'Database', 'Shop: select name from customers']]);
    const first = await pick(activity, 'Customer', {});
    expect(values(first)).toEqual(Array.from({ length: 20 }, (_, at) => customer(at + 1)));
    expect([first.HasMore, first.HasMorePrecedingItems]).toEqual([true, false]);
    const next = await pick(activity, 'Customer', { Last: customer(20), FetchNext: true });
    expect(values(next)[0]).toBe(customer(21));
    expect([next.HasMore, next.HasMorePrecedingItems]).toEqual([true, true]);
    const back = await pick(activity, 'Customer', { First: customer(31), FetchPrevious: true });
    expect(values(back)).toEqual(Array.from({ length: 20 }, (_, at) => customer(at + 11)));
    expect([back.HasMore, back.HasMorePrecedingItems]).toEqual([true, true]);
    const start = await pick(activity, 'Customer', { First: customer(3), FetchPrevious: true });
    expect([values(start), start.HasMorePrecedingItems]).toEqual([[customer(1), customer(2)], false]);
    const end = await pick(activity, 'Customer', { Last: customer(999), FetchNext: true });
    expect([values(end), end.HasMore]).toEqual([[customer(1000)], false]);
    expect(values(await pick(activity, 'Customer', { All: true }))).toHaveLength(1000);
  });

  it('searches in any case, the value itself first, and takes wildcards as letters', async () => {
    await shop.knex('customers').insert([{ name: '0001' }, { name: '100% Müller' }]);
    const activity = await publish([['Customer', 'Text', 'Database', 'Shop: select name from customers']]);
    expect(values(await pick(activity, 'Customer', { Value: 'CUSTOMER 000' }))).toHaveLength(9);
    const found = await pick(activity, 'Customer', { Value: '0001' });
    expect(values(found)).toEqual(['0001', customer(1)]);
    const exact = await pick(activity, 'Customer', { Value: customer(1000) });
    expect(values(exact)).toEqual([customer(1000)]);
    expect(values(await pick(activity, 'Customer', { Value: '0% MÜL' }))).toEqual(['100% Müller']);
    expect(values(await pick(activity, 'Customer', { Value: '%' }))).toEqual(['100% Müller']);
    await shop.knex('customers').whereIn('name', ['0001', '100% Müller']).delete();
  });

  it('binds the values of other inputs', async () => {
    const activity = await publish([
      ['Country', 'Text', '', ''],
      ['From', 'Date', '', ''],
      ['Customer', 'Text', 'Database', 'Shop: select name from customers where country = @Country and since >= @From'],
    ]);
    const given = (country: string, from: number) => [
      { ActivityParameterId: inputOf(activity, 'Country').Id, Value: JSON.stringify(country) },
      { ActivityParameterId: inputOf(activity, 'From').Id, Value: JSON.stringify(from) },
    ];
    // 43831 is 2020-01-01.
    const page = await pick(activity, 'Customer', { OtherInputValues: given('CH', 43831 + 997) });
    expect(values(page)).toEqual([customer(997)]);
    expect(values(await pick(activity, 'Customer', { OtherInputValues: given("' or 1=1 --", 43831) }))).toEqual([]);
    expect(values(await pick(activity, 'Customer', {}))).toEqual([]);
  });

  it('orders groups before values and pages through them', async () => {
    const activity = await publish([['Customer', 'Text', 'Database', 'Shop: select name, region from customers']]);
    const items: PickerPage['Items'] = [];
    let page = await pick(activity, 'Customer', {});
    for (let pages = 1; ; pages++) {
      items.push(...page.Items);
      if (!page.HasMore) {
        expect(pages).toBe(50);
        break;
      }
      const last = items.at(-1)!;
      // A client without support for groups sends only the value.
      const group = pages % 2 === 0 ? { LastGroup: last.Group ?? '' } : {};
      page = await pick(activity, 'Customer', { Last: last.Value, FetchNext: true, ...group });
    }
    const key = ({ Group, Value }: (typeof items)[number]): string => `${Group} ${Value}`;
    expect(items.map(key)).toEqual(items.map(key).toSorted());
    expect(new Set(items.map(({ Value }) => Value)).size).toBe(1000);
    expect(new Set(items.map(({ Group }) => Group))).toEqual(new Set(['', 'North', 'South']));
  });

  it('offers numbers and days as a form takes them', async () => {
    const activity = await publish([
      ['No', 'Number', 'Database', 'Shop: select no from customers where no > 990'],
      ['Since', 'Date', 'Database', 'Shop: select since from customers'],
    ]);
    expect(values(await pick(activity, 'No', { Last: '991', FetchNext: true }))[0]).toBe('992');
    expect(values(await pick(activity, 'Since', { Last: '43832', FetchNext: true }))[0]).toBe('43833');
    expect(values(await pick(activity, 'No', { Value: 'x' }))).toEqual([]);
    // Values that no int can hold are not sent to the database.
    expect(values(await pick(activity, 'No', { Value: '99.5' }))).toEqual([]);
    expect(values(await pick(activity, 'No', { Value: '99999999999' }))).toEqual([]);
    expect(values(await pick(activity, 'No', { Value: '991' }))).toEqual(['991']);
  });

  it('needs the right to its connection', async () => {
    const activity = await publish([['Customer', 'Text', 'Database', 'Shop: select name from customers']]);
    const answer = await post(`picker/${activity.Id}/${inputOf(activity, 'Customer').Id}/0`, {}, stranger);
    expect([answer.status, answer.body.message]).toEqual([403, "You may not use the connection 'Shop'"]);
  });

  it('says when it no longer works, and works again', async () => {
    const activity = await publish([['Customer', 'Text', 'Database', 'Shop: select name from customers']]);
    const url = `picker/${activity.Id}/${inputOf(activity, 'Customer').Id}/0`;
    await shop.knex.raw('alter table customers rename to clients');
    const { status, body } = await post(url, {});
    expect(status).toBe(409);
    expect(body.message).toContain('the query of this picker does not work');
    expect(JSON.stringify(body)).not.toContain('customers');
    await shop.knex.raw('alter table clients rename to customers');
    expect((await post(url, {})).status).toBe(200);
  });
});

describe('an upload', () => {
  it.each([
    ['Nowhere: select 1 as a', "there is no connection named 'Nowhere' on this server"],
    ['Secret: select name from customers', "you may not use the connection 'Secret'"],
    ['Away: select 1 as a', "the database of the connection 'Away' cannot be reached"],
    ['Shop: delete from customers', 'the query does not begin with SELECT or WITH'],
    ['Shop: select name from nothing', 'relation "nothing" does not exist'],
    ['Shop: select name from customers where country = @Land', 'there is no input for @Land'],
    ['Shop: select name from customers where name = @Customer', "@Customer is the picker's own input"],
    ['Shop: select * from customers', 'The query has 5 columns'],
    ['Shop: select 1', 'needs a unique name'],
  ])('refuses %s', async (source, message) => {
    const { Faults } = await upload(workbook([['Customer', 'Text', 'Database', source]]));
    expect(Faults).toHaveLength(1);
    expect(Faults![0]).toMatchObject({ Sheet: 'Portal', Cell: 'E2' });
    expect(Faults![0]!.Message.toLowerCase()).toContain(message.toLowerCase());
  });
});

describe('a start', () => {
  const start = (activity: Activity, given: Record<string, unknown>, by = editor) =>
    post(
      'start',
      {
        ActivityId: activity.Id,
        ActivityVersion: 1,
        UniqueId: null,
        Inputs: Object.entries(given).map(([name, value]) => ({
          ActivityParameterId: inputOf(activity, name).Id,
          Value: JSON.stringify(value),
        })),
      },
      by,
    );

  /** Returns those of the entered values that the query does not offer. */
  async function missing(query: string, entered: ResultValue[]): Promise<ResultValue[]> {
    const connections = createConnections({ Shop: { url: shop.url } }, { timeZone: 'UTC' });
    onTestFinished(() => connections.close());
    const { signal } = new AbortController();
    const connection = connections.get('Shop');
    const fragments = [{ text: query }];
    const columns = await describeQuery(connection, fragments, signal);
    return [...(await missingValues({ connection, fragments, ...columns, isExact: true }, entered, signal))];
  }

  it('takes what the database offers, and nothing else', async () => {
    const activity = await publish([
      ['Country', 'Text', '', ''],
      ['Customer', 'Text', 'Database', 'Shop: select name from customers where country = @Country'],
      ['Any', 'Text', 'Database', '*Shop: select name from customers'],
    ]);
    const good = { Country: 'CH', Customer: customer(1), Any: 'Somebody' };
    expect((await start(activity, good)).status).toBe(200);
    const wrong = await start(activity, { ...good, Country: 'DE' });
    expect([wrong.status, wrong.body]).toEqual([
      400,
      { message: 'Please correct the errors shown.', modelState: { Customer: ['Please choose a valid value.'] } },
    ]);
    expect((await start(activity, good, stranger)).status).toBe(403);
  });

  it('takes a text for the number, day or truth value that the database offers', async () => {
    const from = (column: string): string => `Shop: select ${column} from customers`;
    const activity = await publish([
      ['No', 'Text', 'Database', from('no')],
      ['Since', 'Text', 'Database', from('since')],
      ['Early', 'Text', 'Database', from('no < 5 as early')],
    ]);
    const offered = async (name: string) => values(await pick(activity, name, {}))[0]!;
    const given = { No: await offered('No'), Since: await offered('Since'), Early: await offered('Early') };
    expect(given).toEqual({ No: '1', Since: '43832', Early: 'FALSE' });
    expect((await start(activity, given)).status).toBe(200);
    const wrong = await start(activity, { No: '1.5', Since: '1', Early: 'maybe' });
    expect(Object.keys(wrong.body.modelState)).toEqual(['No', 'Since', 'Early']);
  });

  it.each([
    ['text', ['ABC'], ['abc', 'ABC'], ['abc']],
    ['text', ['ABC', 'abc'], ['abc', 'ABC', 'Abc'], ['Abc']],
    ['char(5)', ['AB'], ['AB', 'ab'], ['ab']],
    ['uuid', ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'], ['A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'], []],
    [
      'numeric',
      ['1.50', '9007199254740993'],
      ['1.5', '9007199254740993', '9007199254740992', 1.5],
      ['9007199254740992'],
    ],
    ['real', ['0.1'], [0.1, 0.2], [0.2]],
    ['boolean', ['true'], ['TRUE', true, 'FALSE'], ['FALSE']],
  ])('compares values as the database does: %s', async (type, there, entered, expected) => {
    const list = there.map((value) => `('${value}'::${type})`).join();
    expect(await missing(`select code from (values ${list}) as codes (code)`, entered)).toEqual(expected);
  });

  it('looks up more values than fit into one statement', async () => {
    const offered = Array.from({ length: 1000 }, (_, index) => customer(index + 1));
    const others = offered.map((name) => name.toLowerCase());
    expect(await missing('select name from customers', [...offered, ...others])).toEqual(others);
  });

  it('checks conditions by the columns of their table', async () => {
    const sales: SheetSpec = {
      name: 'Sales',
      cells: { A1: 'Region', B1: 'Amount', A2: 'North', B2: 12, A3: 'South', B3: 5 },
      tables: [{ name: 'Sales', ref: 'A1:B3', columns: ['Region', 'Amount'] }],
    };
    const activity = await publish([['Filter', 'Condition', 'Condition', 'Sales']], [sales]);
    expect(inputOf(activity, 'Filter').Info.Pickers[0]!.Columns).toEqual([
      { Name: 'Region', Kind: 'Text' },
      { Name: 'Amount', Kind: 'Number' },
    ]);
    expect(values(await pick(activity, 'Filter', {}))).toEqual(['Region', 'Amount']);
    expect(values(await pick(activity, 'Filter', { ColumnName: 'amount' }))).toEqual(['5', '12']);
    const messageOf = async (text: string) => (await start(activity, { Filter: text })).body.modelState?.Filter[0];
    expect(await messageOf("Region = 'North' AND NOT (Amount < 10)")).toBeUndefined();
    expect(await messageOf('')).toBeUndefined();
    expect(await messageOf('Region =')).toBe('Condition is invalid');
    expect(await messageOf('Price > 1')).toBe('Condition is invalid');
    expect(await messageOf('Region = Amount')).toBe('Not Supported');
  });
});
