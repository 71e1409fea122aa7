import { ESCAPED_WILDCARDS, isOtherMakersServer } from '#test/support/sql-server.ts';
import { inRows } from '#server/db/in-rows.ts';
import excelJs from 'exceljs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { HistorySearch } from '#shared/contract/run-history.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { createFakeExecutor } from '#test/support/fake-executor.ts';
import { input, output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION, insertActivity, insertRun, insertUser } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

let app: TestApp;
let ActivityId: number;
let ids: Record<string, number>;
let watcher: Awaited<ReturnType<typeof signedInUser>>;
let own: typeof watcher;
const runs: Record<string, number> = {};

const definition: ActivityDefinition = {
  ...EMPTY_DEFINITION,
  inputs: [input('Amount'), input('Colour', { CellUsages: ['Text'] }), input('File', { CellUsages: ['FilePath'] })],
  outputs: [output('Total'), output('Table', { RangeType: 'RangeWithColumnHeaders' })],
};

beforeAll(async () => {
  app = await testApp({ executor: createFakeExecutor() });
  const { knex } = app.database;
  watcher = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns']);
  own = await signedInUser(app, ['sk.RunActivity']);
  const ada = await insertUser(knex, { UserName: 'Lovelace' });
  ActivityId = await insertActivity(knex, { UserId: watcher.UserId, Name: 'Prices', definition });
  const rows = await knex('ActivityParameters').where({ ActivityId }).select('Id', 'Name');
  ids = Object.fromEntries(rows.map(({ Id, Name }) => [Name, Id]));
  const insert = async (name: string, run: object, values: Record<string, unknown>, total: number) => {
    const times = { QueueTime: new Date('2026-03-05T10:00:00Z'), EndTime: new Date('2026-03-05T10:00:09Z') };
    runs[name] = await insertRun(knex, { ActivityId, UserId: watcher.UserId, Status: 'Succeeded', ...times, ...run });
    const ActivityRunId = runs[name];
    for (const [parameter, value] of Object.entries(values)) {
      const stored = parameter === 'File' ? { FileName: String(value) } : { Value: JSON.stringify(value) };
      await knex('RunInputs').insert({ ActivityRunId, ActivityParameterId: ids[parameter], ...stored });
    }
    await knex('RunOutputs').insert([
      { ActivityRunId, ActivityParameterId: ids['Total'], Value: String(total) },
      { ActivityRunId, ActivityParameterId: ids['Table'], Value: '[[1],[2]]', Rows: 2 },
    ]);
  };
  const early = { QueueTime: new Date('2026-02-01T08:00:00Z') };
  await insert('first', { ...early, Status: 'Failed' }, { Amount: 5, Colour: 'Dark "Red"' }, 1.5);
  await insert('second', { UserId: ada }, { Amount: 12.5, Colour: 'dark blue' }, -3);
  await insert('third', {}, { Amount: 1e21, Colour: '12', File: 'Prices May.xlsx' }, 40);
  await insert('fourth', { UserId: own.UserId }, { Amount: 5, Colour: '%', File: '=1+1' }, 7e-7);
});
afterAll(() => app.close());

const post = async (url: string, payload: object, headers = watcher.headers) => {
  const answer = await app.http.inject({ method: 'POST', url: `/api/activities/${url}`, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
};
const found = async (search: Partial<HistorySearch>, headers?: typeof watcher.headers): Promise<string[]> => {
  const { body } = await post('runhistory', { ActivityId, ApproxRows: 20, PrevRunId: null, ...search }, headers);
  const names = new Map(Object.entries(runs).map(([name, id]) => [id, name]));
  return body.result.Runs.map(({ Id }: { Id: number }) => names.get(Id));
};
type Condition = NonNullable<HistorySearch['Values']>[number];
const where = (
  parameter: string,
  Operator: Condition['Operator'],
  Value?: Condition['Value'],
  more: Partial<Condition> = {},
) => ({
  Values: [
    {
      Direction: parameter === 'Total' ? 'output' : 'input',
      ActivityParameterId: ids[parameter]!,
      Operator,
      Value,
      ...more,
    } as Condition,
  ],
});

test('runs are found by status, by the name of who started them, and by their time', async () => {
  expect(await found({ Statuses: ['Failed'] })).toEqual(['first']);
  expect(await found({ RunBy: 'LOVE test' })).toEqual(['second']);
  expect(await found({ RunBy: 'lo%e' })).toEqual([]);
  expect(await found({ QueuedFrom: '2026-03-05T10:00:00Z' })).toEqual(['fourth', 'third', 'second']);
  expect(await found({ QueuedBefore: '2026-03-05T10:00:00Z' })).toEqual(['first']);
  expect(await found({ QueuedFrom: '2026-02-01T08:00:00Z', QueuedBefore: '2026-02-02T00:00:00Z' })).toEqual(['first']);
  expect(await found({ QueuedFrom: '2030-01-01T00:00:00Z' })).toEqual([]);
  expect(await found({ QueuedBefore: '2020-01-01T00:00:00Z' })).toEqual([]);
});

test('runs are found by their values: numbers by size, texts by their beginning, files by their name', async () => {
  expect(await found(where('Amount', '=', 5))).toEqual(['fourth', 'first']);
  expect(await found(where('Amount', '>', 5))).toEqual(['third', 'second']);
  expect(await found(where('Amount', '<=', 12.5))).toEqual(['fourth', 'second', 'first']);
  expect(await found(where('Total', '<', 0))).toEqual(['second']);
  expect(await found(where('Total', '=', 7e-7))).toEqual(['fourth']);
  expect(await found(where('Colour', 'begins', 'DARK'))).toEqual(['second', 'first']);
  expect(await found(where('Colour', 'begins', 'dark "r'))).toEqual(['first']);
  expect(await found(where('Colour', '=', 'Dark Blue'))).toEqual(['second']);
  expect(await found(where('Colour', '=', 'dark'))).toEqual([]);
  expect(await found(where('Colour', 'begins', '%'))).toEqual(['fourth']);
  expect(await found(where('File', 'begins', 'prices'))).toEqual(['third']);
  const both = { Values: [...where('Amount', '=', 5).Values, ...where('Total', '>', 1).Values] };
  expect(await found(both)).toEqual(['first']);
  expect(await found({ ...both, Statuses: ['Succeeded'] })).toEqual([]);
});

test('runs are found by a part of a text, by what a value is not, between two values, and by there being none', async (context) => {
  context.skip(await isOtherMakersServer(app.database.knex), ESCAPED_WILDCARDS);
  expect(await found(where('Colour', 'contains', 'BLUE'))).toEqual(['second']);
  expect(await found(where('Colour', 'contains', '"red"'))).toEqual(['first']);
  expect(await found(where('Colour', 'contains', '%'))).toEqual(['fourth']);
  expect(await found(where('Colour', 'contains', '_'))).toEqual([]);
  expect(await found(where('File', 'contains', 'may'))).toEqual(['third']);
  expect(await found(where('Colour', '<>', 'Dark Blue'))).toEqual(['fourth', 'third', 'first']);
  expect(await found(where('Amount', '<>', 5))).toEqual(['third', 'second']);
  expect(await found(where('Amount', 'between', 5, { To: 12.5 }))).toEqual(['fourth', 'second', 'first']);
  expect(await found(where('Total', 'between', -3, { To: 1 }))).toEqual(['fourth', 'second']);
  expect(await found(where('File', 'empty'))).toEqual(['second', 'first']);
  expect(await found(where('File', 'filled'))).toEqual(['fourth', 'third']);
  const several = [where('Amount', 'between', 1, { To: 9 }), where('Colour', '<>', '%'), where('File', 'empty')];
  expect(await found({ Values: several.flatMap(({ Values }) => Values) })).toEqual(['first']);
});

test('of days the time of the day does not count', async () => {
  const { knex } = app.database;
  const Id = await insertActivity(knex, { UserId: watcher.UserId, definition });
  const day = (await knex('ActivityParameters').where({ ActivityId: Id, Name: 'Total' }).first('Id')) as { Id: number };
  for (const value of [46023.9, 46024, 46024.7, 46025, null, '']) {
    const ActivityRunId = await insertRun(knex, { ActivityId: Id, UserId: watcher.UserId, Status: 'Succeeded' });
    await knex('RunOutputs').insert({ ActivityRunId, ActivityParameterId: day.Id, Value: JSON.stringify(value) });
  }
  const days = async (Operator: Condition['Operator'], Value?: number, To?: number): Promise<unknown[]> => {
    const condition = { Direction: 'output', ActivityParameterId: day.Id, Operator, Value, To };
    const Values = [Value === undefined ? condition : { ...condition, Days: true }];
    const { body } = await post('runhistory', { ActivityId: Id, ApproxRows: 50, PrevRunId: null, Values });
    return body.result.Runs.map(({ Outputs }: { Outputs: { Value: string }[] }) =>
      JSON.parse(Outputs[0]!.Value),
    ).toReversed();
  };
  expect(await days('=', 46024)).toEqual([46024, 46024.7]);
  expect(await days('<>', 46024)).toEqual([46023.9, 46025, null, '']);
  expect(await days('<', 46024)).toEqual([46023.9]);
  expect(await days('<=', 46024)).toEqual([46023.9, 46024, 46024.7]);
  expect(await days('>', 46024)).toEqual([46025]);
  expect(await days('>=', 46024)).toEqual([46024, 46024.7, 46025]);
  expect(await days('between', 46023, 46024)).toEqual([46023.9, 46024, 46024.7]);
  expect(await days('empty')).toEqual([null, '']);
  expect(await days('filled')).toEqual([46023.9, 46024, 46024.7, 46025]);
  // If the values have been purged, it is unknown whether they differed.
  await knex('ActivityRuns').where('ActivityId', Id).update({ OutputsPurgedTime: new Date() });
  expect([await days('<>', 46024), await days('empty')]).toEqual([[], []]);
});

test('a search does not show what the person may not see', async () => {
  expect(await found(where('Amount', '>=', 5), own.headers)).toEqual(['fourth']);
  expect(await found({ RunBy: 'Lovelace' }, own.headers)).toEqual([]);
  expect(await found({ ActivityId: null, QueuedFrom: '2026-03-01T00:00:00Z' }, own.headers)).toEqual(['fourth']);
  expect(await found({ ActivityId: null, QueuedBefore: '2026-03-01T00:00:00Z' })).toEqual(['first']);
});

test('what cannot be compared is refused', async () => {
  const page = { ApproxRows: 5, PrevRunId: null };
  const bad = [
    where('Amount', 'begins', 5),
    where('Amount', 'contains', 5),
    where('Colour', '<', 'a'),
    where('Colour', '>=', true),
    where('Amount', 'between', 5),
    where('Amount', 'between', 5, { To: 4 }),
    where('Amount', '<', 5, { To: 6 }),
    where('Amount', 'empty', 5),
    where('Amount', '='),
    where('Colour', '=', 'a', { Days: true }),
  ];
  for (const search of bad) {
    expect((await post('runhistory', { ActivityId, ...page, ...search })).status).toBe(400);
  }
  expect((await post('runhistory', { ActivityId: null, ...page, ...where('Amount', '=', 5) })).status).toBe(400);
});

test('search results are exported as a workbook, kinds of columns named in words, texts never as formulas', async () => {
  const answer = await post('runhistory/export', { ActivityId, ...where('Amount', '<', 100) });
  expect(answer.body.result).toMatchObject({ Rows: 3, HasMore: false });
  const file = await app.http.inject({ url: `/api/files/download/${answer.body.result.Token}` });
  expect(file.headers['content-disposition']).toContain('Prices history.xlsx');
  const workbook = new excelJs.Workbook();
  await workbook.xlsx.load(file.rawPayload as never);
  const rows = workbook.worksheets[0]!.getSheetValues().slice(1) as unknown[][];
  const text = rows.map((row) => row.slice(1).map((cell) => (cell instanceof Date ? cell.toISOString() : cell)));
  expect(text.slice(0, 3)).toEqual([
    [...Array<undefined>(5), 'Input', 'Input', 'Input', 'Output', 'Output'],
    ['Status', 'Run on (UTC)', 'Ended (UTC)', 'Run By', 'Version', 'Amount', 'Colour', 'File', 'Total', 'Table'],
    [
      'Succeeded',
      '2026-03-05T10:00:00.000Z',
      '2026-03-05T10:00:09.000Z',
      expect.any(String),
      1,
      5,
      '%',
      '=1+1',
      7e-7,
      '2 rows',
    ],
  ]);
  expect(text[4]).toContain('Dark "Red"');
  const mine = await post('runhistory/export', { ActivityId: null }, own.headers);
  expect(mine.body.result).toMatchObject({ Rows: 1, HasMore: false });
});

test('an export continues over pages, with each run once', async () => {
  const { knex } = app.database;
  const Id = await insertActivity(knex, { UserId: watcher.UserId });
  const run = { ActivityId: Id, ActivityVersion: 1, Status: 'Failed', UserId: own.UserId, MemoryCost: 0 };
  const runs = Array.from({ length: 450 }, () => run);
  await inRows(knex, runs, (part) => knex('ActivityRuns').insert(part));
  const { result } = (await post('runhistory/export', { ActivityId: Id })).body;
  expect(result.Rows).toBe(450);
  const file = await app.http.inject({ url: `/api/files/download/${result.Token}` });
  const workbook = new excelJs.Workbook();
  await workbook.xlsx.load(file.rawPayload as never);
  expect(workbook.worksheets[0]!.rowCount).toBe(452);
});
