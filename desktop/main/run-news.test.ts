/** News of runs with a real server behind them; the clock does not wait, and messages are collected. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { createUser, signIn, type TestUser } from '#test/support/users.ts';
import type { Clock, Files } from './ports.ts';
import { watchRunNews, type RunNews } from './run-news.ts';

let app: TestApp;
let address: string;
let ActivityId: number;
beforeAll(async () => {
  app = await testApp();
  address = `${await app.http.listen({ port: 0, host: '127.0.0.1' })}/`;
  const author = await createUser(app);
  ActivityId = await insertActivity(app.database.knex, { UserId: author.UserId, Name: 'Nightly' });
});
afterAll(() => app.close());

let user: TestUser;
let token: string | null;
let kept: Map<string, string>;
let shown: { title: string; body: string; onClick: () => void }[];
let opened: string[];
let looks: boolean;
let isFull: boolean;
let reached: string[];
let failedOnly: boolean;
let news: RunNews[];

beforeEach(async () => {
  user = await createUser(app, { rights: ['sk.RunActivity'] });
  token = await signIn(app, user);
  [kept, shown, opened, looks, isFull, failedOnly, news] = [new Map(), [], [], false, false, false, []];
  reached = [];
});
afterEach(() => news.forEach((one) => one.stop()));

const files: Files = {
  read: async (name) => kept.get(name) ?? null,
  write: async (name, text) => {
    if (isFull) throw new Error('disk full');
    kept.set(name, text);
  },
  remove: async (name) => void kept.delete(name),
};
/** Retries come at once; silence never does. */
const clock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds === 37_500 ? 60_000 : 20);
    return () => clearTimeout(timer);
  },
};

function watch(): RunNews {
  const one = watchRunNews({
    net: { fetch: (url, { body, ...init }) => fetch(url, { ...init, body: body as BodyInit }) },
    clock,
    files,
    address,
    file: 'news.json',
    log: () => undefined,
    notifier: { show: (message) => void shown.push(message) },
    token: () => token,
    onContact: (by) => void reached.push(by),
    isInView: () => looks,
    failedOnly: () => failedOnly,
    open: (path) => void opened.push(path),
  });
  news.push(one);
  return one;
}

/** A run that has ended just now, as its worker tells the server. */
async function ended(Status: string): Promise<number> {
  const run = { ActivityId, UserId: user.UserId, Status, EndTime: new Date() };
  const Id = await insertRun(app.database.knex, run);
  app.signals.changed(Id);
  return Id;
}
const failed = (): Promise<number> => ended('Failed');
const keptIds = (): string[] => (JSON.parse(kept.get('news.json') ?? '{"ids":[]}') as { ids: string[] }).ids;
const untilKept = (runId: number) => expect.poll(() => keptIds().some((id) => id.startsWith(`${runId}/`))).toBe(true);

test('what was there at the first sign-in is no news; what comes is told once, and a click leads to it', async () => {
  const old = await failed();
  watch();
  await untilKept(old);
  const run = await failed();
  await expect.poll(() => shown.map(({ title }) => title)).toEqual(['Nightly']);
  shown[0]!.onClick();
  expect(opened).toEqual([`/activities/runstatus/${run}/`]);
});

test('what came while the program was closed is told at its next start, and not again after that', async () => {
  const old = await failed();
  const first = watch();
  await untilKept(old);
  first.stop();
  const missed = await failed();
  const second = watch();
  await expect.poll(() => shown).toHaveLength(1);
  await untilKept(missed);
  second.stop();
  watch();
  const last = await failed();
  await expect.poll(() => shown).toHaveLength(2);
  expect(keptIds().map((id) => Number(id.split('/')[0]))).toEqual([last, missed, old]);
});

test('each sign of the stream counts as the server having answered the session, though no page asks for anything', async () => {
  watch();
  await untilKept(await failed());
  const before = reached.length;
  expect(new Set(reached)).toEqual(new Set([token]));
  await untilKept(await failed());
  expect(reached.length).toBeGreaterThan(before);
});

test('more than three are one message, and a run that is looked at is none', async () => {
  const old = await failed();
  const first = watch();
  await untilKept(old);
  first.stop();
  const missed = [await failed(), await failed(), await failed(), await failed()];
  watch();
  await expect.poll(() => shown.map(({ title, body }) => [title, body])).toEqual([['News of 4 runs', 'Nightly']]);
  shown[0]!.onClick();
  expect(opened).toEqual(['/activities/runhistory/']);
  await untilKept(missed[3]!);
  looks = true;
  await untilKept(await failed());
  expect(shown).toHaveLength(1);
});

test('a session that has ended is told of once, and the next sign-in goes on', async () => {
  const one = watch();
  await untilKept(await failed());
  await app.database.knex('Sessions').where({ UserId: user.UserId }).delete();
  await expect.poll(() => shown.map(({ title }) => title)).toEqual(['Signed out']);
  const missed = await failed();
  token = await signIn(app, user);
  one.wake();
  await untilKept(missed);
  expect(shown.map(({ title }) => title)).toEqual(['Signed out', 'Nightly']);
});

test('who signs out is told of nothing', async () => {
  watch();
  await untilKept(await failed());
  token = null;
  await app.database.knex('Sessions').where({ UserId: user.UserId }).delete();
  await failed();
  const begun = Date.now();
  await expect.poll(() => Date.now() - begun > 300).toBe(true);
  expect(shown).toEqual([]);
});

test('where nothing can be kept, nothing is told twice all the same', async () => {
  const old = await failed();
  watch();
  await untilKept(old);
  isFull = true;
  await failed();
  await expect.poll(() => shown).toHaveLength(1);
  await failed();
  await expect.poll(() => shown).toHaveLength(2);
});

test('who wants to hear of failed runs alone is not told of one that was cancelled, also not later', async () => {
  failedOnly = true;
  const old = await failed();
  watch();
  await untilKept(old);
  const warned = await ended('Cancelled');
  await untilKept(warned);
  failedOnly = false;
  const run = await failed();
  await expect.poll(() => shown.length).toBe(1);
  shown[0]!.onClick();
  expect(opened).toEqual([`/activities/runstatus/${run}/`]);
});
