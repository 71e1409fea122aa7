/** Tests which runs a tile shows, and in which order. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Tile, TileData } from '#shared/contract/dashboards.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION, insertActivity, insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

const POSITION = { Title: '', X: 0, Y: 0, W: 4, H: 4 };

let app: TestApp;
let owner: Awaited<ReturnType<typeof signedInUser>>;
let ActivityId: number;
let total: number;
let table: number;

beforeAll(async () => {
  app = await testApp();
  owner = await signedInUser(app, ['sk.EditActivity', 'sk.RunActivity', 'sk.ViewRuns']);
});
afterAll(() => app.close());
beforeEach(async () => {
  const { knex } = app.database;
  const rows = output('Rows', { RangeType: 'RangeWithColumnHeaders', ColumnHeaderValues: ['Day', 'Amount'] });
  const definition = { ...EMPTY_DEFINITION, outputs: [output('Total'), rows] };
  ActivityId = await insertActivity(knex, { UserId: owner.UserId, definition });
  const parameters = (await knex('ActivityParameters').where({ ActivityId }).orderBy('Id').pluck('Id')) as number[];
  [total, table] = parameters as [number, number];
});

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 5, 10, minute));

async function run(value: number | null, EndTime: Date | null, Status = 'Succeeded'): Promise<number> {
  const { knex } = app.database;
  const ActivityRunId = await insertRun(knex, { ActivityId, UserId: owner.UserId, Status, EndTime });
  if (value !== null) {
    await knex('RunOutputs').insert([
      { ActivityRunId, ActivityParameterId: total, Value: JSON.stringify(value) },
      { ActivityRunId, ActivityParameterId: table, Value: JSON.stringify([[1, value]]), Rows: 1 },
    ]);
  }
  return ActivityRunId;
}

async function shown<K extends TileData['Kind']>(kind: K, tile: object): Promise<Extract<TileData, { Kind: K }>> {
  const Tiles = [{ ...POSITION, Id: 'a', ActivityId, ...tile } as Tile];
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/dashboards/preview',
    headers: owner.headers,
    payload: { Tiles },
  });
  const [data] = answer.json().result as TileData[];
  expect(data).toMatchObject({ Kind: kind });
  return data as Extract<TileData, { Kind: K }>;
}

test('runs stand in the order in which they ended, whatever their numbers, and the last value is of that which ended last', async () => {
  const retried = await run(3, at(9));
  const first = await run(1, at(1));
  const second = await run(2, at(2));
  const value = await shown('Values', { Kind: 'Value', OutputId: total, Runs: 10 });
  expect(value.Points).toEqual([
    { Id: first, Time: at(1).toISOString(), Value: 1 },
    { Id: second, Time: at(2).toISOString(), Value: 2 },
    { Id: retried, Time: at(9).toISOString(), Value: 3 },
  ]);
  expect(value.Value).toBe('3');
  const plot = await shown('Values', { Kind: 'Plot', OutputId: total, Runs: 2 });
  expect(plot.Points.map(({ Id }) => Id)).toEqual([second, retried]);
  const rows = await shown('Values', { Kind: 'Table', OutputId: table });
  expect([rows.Points.map(({ Id }) => Id), rows.Value]).toEqual([[retried], '[[1,3]]']);
});

test('runs that wait or run are no outcomes', async () => {
  const ended = [await run(null, at(1), 'Failed'), await run(1, at(2))];
  for (const Status of ['Queued', 'QueuedInSeq', 'PickedUp', 'Started']) await run(null, null, Status);
  const { Runs } = await shown('Outcomes', { Kind: 'Outcomes', ChecklistId: null, Scheduled: false, Runs: 3 });
  expect(Runs.map(({ Id }) => Id)).toEqual(ended);
});
