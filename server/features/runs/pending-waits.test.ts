/** Tests until when pending runs wait: for answers of people, and for retries of schedules. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity, insertRun, insertUser } from '#test/support/runs.ts';
import type { ActivityScopes } from '#server/access/activity-scopes.ts';
import { listAnswerTimes, listPendingRetries } from './pending-waits.ts';

let database: TestDatabase;
let UserId: number;
let ActivityId: number;

beforeAll(async () => {
  database = await testDatabase();
  UserId = await insertUser(database.knex);
  ActivityId = await insertActivity(database.knex, { UserId, Name: 'Prices' });
});
afterAll(() => database.drop());

const every = { kind: 'every' } as const;
const nothing = { kind: 'nothing' } as const;
const ALL: ActivityScopes = { run: every, edit: every, viewRuns: every };
const OWN: ActivityScopes = { run: every, edit: nothing, viewRuns: nothing };
const EndTime = new Date('2026-03-05T03:00:00Z');

async function failScheduled(Status: string, scheduled: object): Promise<number> {
  const Id = await insertRun(database.knex, { ActivityId, UserId, Status, EndTime });
  const row = { ActivityId, UserId, SlotTime: EndTime, Attempt: 0, RetryCount: 2, RetryInterval: 30 };
  await database.knex('ScheduledRuns').insert({ ActivityRunId: Id, ...row, ...scheduled });
  return Id;
}

test('a failed run waits for the next attempt of its schedule, until no attempt is left', async () => {
  const RunId = await failScheduled('Failed', {});
  await failScheduled('Failed', { Attempt: 2 });
  await failScheduled('Failed', { SettledTime: EndTime });
  await failScheduled('Succeeded', {});
  await failScheduled('Cancelled', {});
  expect(await listPendingRetries(database.knex, ALL, UserId, 10)).toEqual([
    {
      Kind: 'Activity',
      RunId,
      Schema: 'Test',
      Name: 'Prices',
      UserFullName: expect.any(String),
      Time: '2026-03-05T03:30:00.000Z',
      Attempt: 1,
      RetryCount: 2,
    },
  ]);
  expect(await listPendingRetries(database.knex, OWN, UserId, 10)).toHaveLength(1);
  expect(await listPendingRetries(database.knex, OWN, await insertUser(database.knex), 10)).toEqual([]);
});

test('a run waits for an answer until its latest open question expires', async () => {
  const [asking, answered] = [
    await insertRun(database.knex, { ActivityId, UserId, Status: 'Started' }),
    await insertRun(database.knex, { ActivityId, UserId, Status: 'Started' }),
  ];
  const ExpiryTime = new Date(Math.floor(Date.now() / 1000) * 1000 + 60_000);
  const prompt = { Type: 'Text' as const, PublicKey: 'key', ExpiryTime };
  await database.knex('RunPrompts').insert([
    { ...prompt, PromptKey: 'a', ActivityRunId: asking },
    { ...prompt, PromptKey: 'b', ActivityRunId: answered, AnswerTime: new Date() },
    { ...prompt, PromptKey: 'c', ActivityRunId: answered, ClosedTime: new Date() },
    { ...prompt, PromptKey: 'd', ActivityRunId: answered, ExpiryTime: new Date(Date.now() - 60_000) },
  ]);
  expect(await listAnswerTimes(database.knex, [asking, answered])).toEqual(new Map([[asking, ExpiryTime]]));
});
