import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;

let app: TestApp;
let runner: Signed;
let other: Signed;
let ActivityId: number;

beforeAll(async () => {
  app = await testApp();
  runner = await signedInUser(app, ['sk.RunActivity']);
  other = await signedInUser(app, ['sk.RunActivity']);
  ActivityId = await insertActivity(app.database.knex, { UserId: runner.UserId, Name: 'Rates' });
});
afterAll(() => app.close());

async function reasons(id: number, { headers }: Signed = runner): Promise<string[] | number> {
  const answer = await app.http.inject({ url: `/api/activities/waiting/${id}`, headers });
  return answer.statusCode === 200 ? answer.json().result.Reasons : answer.statusCode;
}
const run = (more: Record<string, unknown>): Promise<number> =>
  insertRun(app.database.knex, { ActivityId, UserId: runner.UserId, ...more });

test('a run that waits says what comes before it, without a name, and nobody learns it who may not see the run', async () => {
  const { knex, dialect } = app.database;
  await run({ UserId: other.UserId, Turn: 1 });
  await run({ Turn: 1 });
  const third = await run({ Turn: 2, RunsAtOnce: 1 });
  expect(await reasons(third, other)).toBe(404);
  expect(await reasons(third)).toEqual([
    'No server that executes runs is available.',
    '2 runs are ahead of it, 1 of them by the same user. Users take turns.',
  ]);
  await knex('Servers').insert({
    ServerId: 'one',
    Name: 'one',
    Version: '1',
    Role: 'both',
    StartedTime: dialect.now(knex),
    LastTime: dialect.now(knex),
    IsDraining: false,
    Threads: 1,
    BusyThreads: 1,
    MemoryMb: 1,
    Processors: 1,
    Pools: 'default',
  });
  const atWork = await run({ Status: 'Started', UserId: other.UserId, RunsAtOnce: 1 });
  expect(await reasons(third)).toEqual([
    '1 run of its activity is in progress, which is the limit.',
    '2 runs are ahead of it, 1 of them by the same user. Users take turns.',
  ]);
  await knex('ActivityRuns').whereIn('Id', [atWork]).update({ Status: 'Succeeded' });
  await knex('ActivityRuns').where('Id', '<', third).update({ Status: 'Succeeded' });
  expect(await reasons(third)).toEqual(['It is next, and starts as soon as a server has capacity.']);
  const single = await run({ Status: 'QueuedInSeq', SingleRun: true });
  expect(await reasons(single)).toEqual(['Its activity allows one run at a time, and 1 run is ahead of it.']);
  await knex('ActivityRuns').where('Id', third).update({ Status: 'Started' });
  expect(await reasons(third)).toEqual([]);
});
