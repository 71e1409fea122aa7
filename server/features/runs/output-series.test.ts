/** Tests an output over all runs: one point per run or per period, and as a file. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inRows } from '#server/db/in-rows.ts';
import type { OutputSeries } from '#shared/contract/output-series.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION, insertActivity } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;
const DAY = 86_400_000;
const BEGIN = Date.UTC(2026, 0, 5);

let app: TestApp;
let owner: Signed;
let runner: Signed;

beforeAll(async () => {
  app = await testApp();
  owner = await signedInUser(app, ['sk.EditActivity', 'sk.RunActivity', 'sk.ViewRuns']);
  runner = await signedInUser(app, ['sk.RunActivity']);
});
afterAll(() => app.close());

/** Creates runs one day apart, each with its own number as the output. */
async function activityWith(
  runs: number,
  stepMs = DAY,
): Promise<{ ActivityId: number; OutputId: number; note: number }> {
  const { knex } = app.database;
  const outputs = [output('=Total', { Formats: ['0.0'] }), output('Note', { CellUsages: ['Text'] })];
  const ActivityId = await insertActivity(knex, { UserId: owner.UserId, definition: { ...EMPTY_DEFINITION, outputs } });
  const [OutputId, note] = (await knex('ActivityParameters').where({ ActivityId }).orderBy('Id').pluck('Id')) as [
    number,
    number,
  ];
  const made: { Id: number }[] = [];
  const rows = Array.from({ length: runs }, (_, index) => ({
    ActivityId,
    ActivityVersion: 1,
    UserId: index === 0 ? runner.UserId : owner.UserId,
    Status: index % 2 === 0 ? 'Succeeded' : 'SucceededWarn',
    MemoryCost: 0,
    SingleRun: false,
    QueueTime: new Date(BEGIN + index * stepMs),
  }));
  await inRows(knex, rows, async (part) => {
    made.push(...((await knex('ActivityRuns').insert(part).returning('Id')) as { Id: number }[]));
  });
  const values = made
    .map(({ Id }) => Id)
    .toSorted((a, b) => a - b)
    .map((ActivityRunId, index) => ({ ActivityRunId, ActivityParameterId: OutputId, Value: String(index + 0.5) }));
  await inRows(knex, values, (part) => knex('RunOutputs').insert(part));
  return { ActivityId, OutputId, note };
}

async function ask(path: string, by: Signed, ActivityId: number, OutputId: number, search: object = {}) {
  const payload = { Search: { ActivityId, ...search }, OutputId };
  const url = `/api/activities/runhistory/output${path}`;
  const answer = await app.http.inject({ method: 'POST', url, headers: by.headers, payload });
  return { status: answer.statusCode, body: answer.json() };
}

test('each run is a point, in the order of time, as far as the search and the rights go', async () => {
  const { ActivityId, OutputId, note } = await activityWith(4);
  const all: OutputSeries = (await ask('', owner, ActivityId, OutputId)).body.result;
  expect(all).toMatchObject({ OutputName: '=Total', Runs: 4, PeriodSeconds: null, Outputs: [{ Name: '=Total' }] });
  expect(all.Points.map(({ Value }) => Value)).toEqual([0.5, 1.5, 2.5, 3.5]);
  expect(all.Points[1]).toMatchObject({ Time: new Date(BEGIN + DAY).toISOString(), Least: 1.5, Most: 1.5, Runs: 1 });
  const values = async (by: Signed, search: object) =>
    (await ask('', by, ActivityId, OutputId, search)).body.result.Points.map(({ Value }: { Value: number }) => Value);
  expect(await values(owner, { Statuses: ['SucceededWarn'] })).toEqual([1.5, 3.5]);
  expect(await values(owner, { QueuedFrom: new Date(BEGIN + 2 * DAY).toISOString() })).toEqual([2.5, 3.5]);
  expect(await values(runner, {})).toEqual([0.5]);
  const stranger = await signedInUser(app);
  expect((await ask('', stranger, ActivityId, OutputId)).status).toBe(404);
  const text = await ask('', owner, ActivityId, note);
  expect([text.status, text.body.message]).toEqual([400, 'Only an output that is a number can be plotted over runs']);
});

test('runs are points in the order in which they ended, whatever their numbers', async () => {
  const { ActivityId, OutputId } = await activityWith(3);
  const { knex } = app.database;
  const [retried] = (await knex('ActivityRuns').where({ ActivityId }).orderBy('Id').pluck('Id')) as number[];
  const EndTime = new Date(BEGIN + 9 * DAY);
  await knex('ActivityRuns').where('Id', retried!).update({ EndTime });
  const { Points }: OutputSeries = (await ask('', owner, ActivityId, OutputId)).body.result;
  expect(Points.map(({ Value }) => Value)).toEqual([1.5, 2.5, 0.5]);
  expect(Points.at(-1)!.Time).toBe(EndTime.toISOString());
});

test('of more than 2,000 runs each period is a point, and none is lost', async () => {
  const { ActivityId, OutputId } = await activityWith(2001, 60_000);
  const { Points, PeriodSeconds, Runs }: OutputSeries = (await ask('', owner, ActivityId, OutputId)).body.result;
  expect([Runs, PeriodSeconds]).toEqual([2001, 900]);
  expect(Points.length).toBe(Math.ceil(2001 / 15));
  expect(Points[0]).toMatchObject({ Id: null, Value: 7.5, Least: 0.5, Most: 14.5, Runs: 15 });
  expect(Points.reduce((sum, point) => sum + point.Runs, 0)).toBe(2001);
});

test('the file has the newest first, and no name becomes a formula', async () => {
  const { ActivityId, OutputId } = await activityWith(2);
  const { Token, Rows, HasMore } = (await ask('/export', owner, ActivityId, OutputId)).body.result;
  expect([Rows, HasMore]).toEqual([2, false]);
  const file = await app.http.inject({ method: 'GET', url: `/api/files/download/${Token}` });
  const lines = file.body.replace('\uFEFF', '').trimEnd().split('\r\n');
  expect(lines[0]).toBe("Run,Run on (UTC),Status,Version,'=Total");
  expect(lines.slice(1).map((line) => line.split(',').slice(1).join(','))).toEqual([
    `${new Date(BEGIN + DAY).toISOString()},Succeeded with warnings,1,1.5`,
    `${new Date(BEGIN).toISOString()},Succeeded,1,0.5`,
  ]);
});
