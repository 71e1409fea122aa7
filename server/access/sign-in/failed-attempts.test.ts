import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCodeAttempts } from '#server/features/second-factor/code-attempts.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { isOtherMakersServer, STALE_OUTPUT } from '#test/support/sql-server.ts';
import { createFailedAttempts, deleteOldAttempts } from './failed-attempts.ts';
import { createSignInDelays } from './sign-in-delays.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Creates a separate server on the same database; `slept` lists how long its attempts had to wait. */
function server() {
  const slept: number[] = [];
  const sleep = async (ms: number): Promise<void> => void slept.push(ms);
  const attempts = createFailedAttempts(database);
  const delays = createSignInDelays(attempts, { clock: { now: () => 0, sleep }, signInsPerMinute: 120 });
  return { slept, attempts, delays, codes: createCodeAttempts(attempts, { sleep }) };
}

const moveBack = (seconds: number) =>
  database.knex('FailedAttempts').update({ LastTime: database.dialect.nowPlus(database.knex, -seconds) });

/** Each attempt comes from a new address, unless one is given. */
let addresses = 0;
const guess = ({ delays }: ReturnType<typeof server>, account: string, address = `10.0.0.${++addresses}`) =>
  delays
    .serialize({ account, address, device: null, isKnownAddress: false }, async () => null)
    .catch((error: { status: number }) => error.status);

test('of guesses made at once at three servers as many are judged as at one, each in its turn', async () => {
  const servers = [server(), server(), server()];
  const began = performance.now();
  const answers = await Promise.all(servers.flatMap((one) => Array.from({ length: 24 }, () => guess(one, 'anna'))));
  // The time that a slow database takes counts as waiting. Every eight seconds of it, one more guess is judged.
  const elapsed = performance.now() - began;
  const more = Math.floor(elapsed / 8000);
  const judged = answers.filter((answer) => answer === null).length;
  expect(judged).toBeGreaterThanOrEqual(13);
  expect(judged).toBeLessThanOrEqual(13 + more);
  expect(answers.filter((answer) => answer === 429)).toHaveLength(72 - judged);
  const waits = servers.flatMap(({ slept }) => slept).sort((a, b) => a - b);
  expect(waits.length).toBeGreaterThanOrEqual(3 - more);
  expect(waits.length).toBeLessThanOrEqual(3 + more);
  for (const [index, wait] of waits.entries()) {
    expect(wait).toBeLessThanOrEqual(8000 * (index + 1));
    expect(wait).toBeGreaterThanOrEqual(8000 * (index + 1) - elapsed - 20);
  }
  // Another account is not slowed down.
  expect(await guess(servers[0]!, 'bert')).toBeNull();
  expect(servers.flatMap(({ slept }) => slept)).toHaveLength(waits.length);
});

test('what failed at one server slows down at another, and a success at either ends it for both', async () => {
  const [one, two] = [server(), server()];
  for (let failure = 0; failure < 2; failure++) await guess(one, 'emma', '10.3.0.1');
  const beforeThird = performance.now();
  for (let failure = 2; failure < 4; failure++) await guess(one, 'emma', '10.3.0.1');
  one.slept.length = 0;
  const known = { account: 'emma', address: '10.3.0.1', device: null, isKnownAddress: true };
  expect(await two.delays.serialize(known, async () => 'in')).toBe('in');
  // The fourth attempt is due 0.25 s after the third, and the next one 0.5 s later. The time that a slow database has
  // taken since then counts as waiting.
  const elapsed = performance.now() - beforeThird;
  const [wait = 0, ...others] = two.slept;
  expect(wait).toBeLessThanOrEqual(750);
  expect(wait).toBeGreaterThanOrEqual(Math.max(0, 750 - elapsed - 20));
  expect(others).toEqual([]);
  expect(await one.delays.serialize(known, async () => 'in')).toBe('in');
  expect(one.slept).toEqual([]);
});

test('codes tried at several servers at once are all counted, and the right one forgets them', async (context) => {
  context.skip(await isOtherMakersServer(database.knex), STALE_OUTPUT);
  const servers = [server(), server(), server()];
  const wrong = async (): Promise<boolean> => false;
  await Promise.all(servers.flatMap(({ codes }) => [1, 2, 3].map(() => codes.check('bert', wrong))));
  expect(servers.flatMap(({ slept }) => slept).sort((a, b) => a - b)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000]);
  await servers[0]!.codes.check('bert', async () => true);
  expect(await servers[1]!.attempts.add('code bert', 3600)).toBe(1);
});

test('failures are forgotten by the clock of the database, begin again at one, and are deleted in the end', async () => {
  const { attempts } = server();
  await attempts.add('carl', 900);
  expect(await attempts.add('carl', 900)).toBe(2);
  await moveBack(901);
  expect(await attempts.add('carl', 900)).toBe(1);
  await moveBack(25 * 3600);
  await attempts.add('dora', 900);
  await deleteOldAttempts(database, new AbortController().signal);
  expect(await database.knex('FailedAttempts').pluck('KeyHash')).toHaveLength(1);
});

test('nothing that was typed can be read in the table', async () => {
  await guess(server(), 'my secret password in the wrong field', '10.0.0.7');
  expect(JSON.stringify(await database.knex('FailedAttempts'))).not.toMatch(/secret|10\.0\.0\.7/);
});
