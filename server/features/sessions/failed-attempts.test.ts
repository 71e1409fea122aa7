import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCodeAttempts } from '#server/features/second-factor/code-attempts.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { createFailedAttempts, deleteOldAttempts } from './failed-attempts.ts';
import { createSignInDelays } from './sign-in-delays.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** A server of its own on the same database: how long its attempts had to wait. */
function server() {
  const slept: number[] = [];
  const sleep = async (ms: number): Promise<void> => void slept.push(ms);
  const attempts = createFailedAttempts(database);
  const delays = createSignInDelays(attempts, { now: () => 0, sleep });
  return { slept, attempts, delays, codes: createCodeAttempts(attempts, { sleep }) };
}

const moveBack = (seconds: number) =>
  database.knex('FailedAttempts').update({ LastTime: database.dialect.nowPlus(database.knex, -seconds) });

test('what failed at one server slows down at another, and a success at either ends it for both', async () => {
  const [one, two] = [server(), server()];
  for (let failure = 0; failure < 4; failure++) await one.delays.failed('anna', '10.0.0.1');
  await two.delays.wait('anna', '10.9.9.9');
  expect(two.slept).toEqual([500]);
  await two.delays.succeeded('anna');
  await one.delays.wait('anna', '10.9.9.9');
  expect(one.slept).toEqual([]);
});

test('codes tried at several servers at once are all counted, and the right one forgets them', async () => {
  const servers = [server(), server(), server()];
  const wrong = async (): Promise<boolean> => false;
  await Promise.all(servers.flatMap(({ codes }) => [1, 2, 3].map(() => codes.check('bert', wrong))));
  expect(servers.flatMap(({ slept }) => slept).sort((a, b) => a - b)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000]);
  await servers[0]!.codes.check('bert', async () => true);
  expect(await servers[1]!.attempts.counts(['code bert'], 3600)).toEqual([0]);
});

test('failures are forgotten by the clock of the database, begin again at one, and are deleted in the end', async () => {
  const { attempts } = server();
  await attempts.add('carl', 900);
  expect(await attempts.add('carl', 900)).toBe(2);
  await moveBack(901);
  expect(await attempts.counts(['carl', 'nobody'], 900)).toEqual([0, 0]);
  expect(await attempts.counts(['carl'], 1000)).toEqual([2]);
  expect(await attempts.add('carl', 900)).toBe(1);
  await moveBack(25 * 3600);
  await attempts.add('dora', 900);
  await deleteOldAttempts(database, new AbortController().signal);
  expect(await database.knex('FailedAttempts').pluck('KeyHash')).toHaveLength(1);
});

test('nothing that was typed can be read in the table', async () => {
  await server().delays.failed('my secret password in the wrong field', '10.0.0.7');
  expect(JSON.stringify(await database.knex('FailedAttempts'))).not.toMatch(/secret|10\.0\.0\.7/);
});
