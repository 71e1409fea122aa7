/** Notifications about runs, with a real server; the clock does not wait, and notifications are collected. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { notifications, succeededRuns } from '#shared/contract/notifications.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { createUser, signIn, type TestUser } from '#test/support/users.ts';
import type { Clock, Files } from './ports.ts';
import type { RunMessagesWanted } from './preferences.ts';
import { watchRunNotifications, type RunNotifications } from './run-notifications.ts';

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
let storedFiles: Map<string, string>;
let shown: { title: string; body: string; onClick: () => void }[];
let opened: string[];
let isPageInView: boolean;
let isFull: boolean;
let reached: string[];
let wanted: RunMessagesWanted;
let started: RunNotifications[];
/** Responses to new requests wait for this gate; null if they do not wait. */
let gate: PromiseWithResolvers<void> | null;
/** Paths of the responses that have arrived. */
let answered: string[];
/** Response of a proxy that answers in place of the server; null if there is none. */
let proxy: (() => Response) | null;
/** Cuts the current connections. */
let cut: AbortController;
beforeEach(async () => {
  user = await createUser(app, { rights: ['sk.RunActivity'] });
  token = await signIn(app, user);
  [storedFiles, shown, opened, isPageInView, isFull, wanted, started] = [
    new Map(),
    [],
    [],
    false,
    false,
    'problems',
    [],
  ];
  reached = [];
  [gate, answered] = [null, []];
  [proxy, cut] = [null, new AbortController()];
});
afterEach(() => started.forEach((one) => one.stop()));

const files: Files = {
  read: async (name) => storedFiles.get(name) ?? null,
  write: async (name, text) => {
    if (isFull) throw new Error('disk full');
    storedFiles.set(name, text);
  },
  remove: async (name) => void storedFiles.delete(name),
};
/** Retries run almost immediately; the silence timeout never fires. */
const clock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds === 37_500 ? 60_000 : 20);
    return () => clearTimeout(timer);
  },
};

function watch(): RunNotifications {
  const one = watchRunNotifications({
    net: {
      fetch: async (url, { body, ...init }) => {
        const closed = gate;
        const signal = AbortSignal.any([cut.signal, ...(init.signal ? [init.signal] : [])]);
        const response = proxy?.() ?? (await fetch(url, { ...init, body: body as BodyInit, signal }));
        answered.push(new URL(url).pathname);
        // The choices are asked before the messages, which the tests hold back.
        if (!url.includes('/api/notificationSettings/')) await closed?.promise;
        return response;
      },
    },
    clock,
    files,
    address,
    file: 'news.json',
    log: () => undefined,
    notifier: { show: (message) => void shown.push(message) },
    token: () => token,
    onContact: (by) => void reached.push(by),
    isInView: () => isPageInView,
    runMessages: () => wanted,
    open: (path) => void opened.push(path),
  });
  started.push(one);
  return one;
}

/** A run that has just ended, as reported by its worker. */
async function ended(Status: string): Promise<number> {
  const run = { ActivityId, UserId: user.UserId, Status, EndTime: new Date() };
  const Id = await insertRun(app.database.knex, run);
  app.signals.changed(Id);
  return Id;
}
const failed = (): Promise<number> => ended('Failed');
const storedIds = (): string[] => (JSON.parse(storedFiles.get('news.json') ?? '{"ids":[]}') as { ids: string[] }).ids;
const untilStored = (runId: number) =>
  expect.poll(() => storedIds().some((id) => id.startsWith(`${runId}/`))).toBe(true);

/** Watches what follows. A run that fails before the first question is no news; one that fails after it would be. */
async function watchFromNow(): Promise<RunNotifications> {
  const old = await failed();
  const one = watch();
  await untilStored(old);
  return one;
}

test('what existed at the first sign-in is not announced; what comes later is announced once, and a click opens it', async () => {
  const old = await failed();
  watch();
  await untilStored(old);
  const run = await failed();
  await expect.poll(() => shown.map(({ title }) => title)).toEqual(['Nightly']);
  shown[0]!.onClick();
  expect(opened).toEqual([`/activities/runstatus/${run}/`]);
});

test('what came while the program was closed is announced at its next start, once', async () => {
  const old = await failed();
  const first = watch();
  await untilStored(old);
  first.stop();
  const missed = await failed();
  const second = watch();
  await expect.poll(() => shown).toHaveLength(1);
  await untilStored(missed);
  second.stop();
  watch();
  const last = await failed();
  await expect.poll(() => shown).toHaveLength(2);
  expect(storedIds().map((id) => Number(id.split('/')[0]))).toEqual([last, missed, old]);
});

test('each heartbeat of the stream counts as a response to the session, though no page makes calls', async () => {
  await watchFromNow();
  const before = reached.length;
  expect(new Set(reached)).toEqual(new Set([token]));
  await untilStored(await failed());
  expect(reached.length).toBeGreaterThan(before);
});

test('more than three become one message, and a run that is being viewed causes no message', async () => {
  const old = await failed();
  const first = watch();
  await untilStored(old);
  first.stop();
  const missed = [await failed(), await failed(), await failed(), await failed()];
  watch();
  await expect.poll(() => shown.map(({ title, body }) => [title, body])).toEqual([['Updates on 4 runs', 'Nightly']]);
  shown[0]!.onClick();
  expect(opened).toEqual(['/activities/runhistory/']);
  await untilStored(missed[3]!);
  isPageInView = true;
  await untilStored(await failed());
  expect(shown).toHaveLength(1);
});

test('an ended session is reported once, and the next sign-in continues', async () => {
  const one = await watchFromNow();
  await app.database.knex('Sessions').where({ UserId: user.UserId }).delete();
  await expect.poll(() => shown.map(({ title }) => title)).toEqual(['Signed out']);
  const missed = await failed();
  token = await signIn(app, user);
  one.wake();
  await untilStored(missed);
  expect(shown.map(({ title }) => title)).toEqual(['Signed out', 'Nightly']);
});

test('a 401 that a proxy sends is not the end of the session, which is followed again', async () => {
  await watchFromNow();
  let refusals = 0;
  proxy = () => ((refusals += 1), new Response('Sign in to the network', { status: 401 }));
  cut.abort();
  await expect.poll(() => refusals).toBeGreaterThan(1);
  [proxy, cut] = [null, new AbortController()];
  await untilStored(await failed());
  expect(shown.map(({ title }) => title)).toEqual(['Nightly']);
});

test('messages that the server answers after a sign-out wait for the next sign-in', async () => {
  const one = await watchFromNow();
  // Before the run is there: what is asked already must not tell of it.
  [gate, answered] = [Promise.withResolvers(), []];
  const missed = await insertRun(app.database.knex, {
    ActivityId,
    UserId: user.UserId,
    Status: 'Failed',
    EndTime: new Date(),
  });
  app.signals.changed(missed);
  await expect.poll(() => answered).toContain(notifications.path);
  token = null;
  await app.database.knex('Sessions').where({ UserId: user.UserId }).delete();
  gate.resolve();
  gate = null;
  // The two calls are in flight together, so this one may have been answered before the sign-out.
  await expect.poll(() => answered).toContain(succeededRuns.path);
  const next = await signIn(app, user);
  expect(shown).toEqual([]);
  token = next;
  one.wake();
  await untilStored(missed);
  expect(shown).toHaveLength(1);
});

test('where nothing can be stored, still nothing is reported twice', async () => {
  const old = await failed();
  watch();
  await untilStored(old);
  isFull = true;
  await failed();
  await expect.poll(() => shown).toHaveLength(1);
  await failed();
  await expect.poll(() => shown).toHaveLength(2);
});

/** A run that has just succeeded. @param seconds seconds since it was started */
async function succeeded(seconds: number, more: object = {}): Promise<number> {
  const now = Date.now();
  const times = { QueueTime: new Date(now - seconds * 1000), EndTime: new Date(now) };
  const Id = await insertRun(app.database.knex, {
    ActivityId,
    UserId: user.UserId,
    Status: 'Succeeded',
    ...times,
    ...more,
  });
  app.signals.changed(Id);
  return Id;
}
const untilKnown = (runId: number) => expect.poll(() => storedIds()).toContain(`Activity ${runId}`);

test.each<[RunMessagesWanted, string[]]>([
  ['all', ['short', 'long', 'failed']],
  ['long', ['long', 'failed']],
  ['problems', ['failed']],
])('a user who wants messages of %s gets those, and is not notified of the others later', async (chosen, expected) => {
  wanted = chosen;
  await watchFromNow();
  await expect.poll(() => storedFiles.get('news.json') ?? '').toContain('succeededUntil');
  const names = new Map<string, string>();
  for (const [name, seconds] of [
    ['short', 5],
    ['long', 61],
  ] as const) {
    const run = await succeeded(seconds);
    names.set(`/activities/runstatus/${run}/`, name);
    await untilKnown(run);
  }
  const last = await failed();
  names.set(`/activities/runstatus/${last}/`, 'failed');
  await untilStored(last);
  wanted = 'all';
  await untilKnown(
    await succeeded(0, { ActivityId: await insertActivity(app.database.knex, { UserId: user.UserId }) }),
  );
  for (const { onClick } of shown) onClick();
  expect(opened.map((path) => names.get(path)).filter((name) => name !== undefined)).toEqual(expected);
});

test('runs that succeeded while the program was closed are announced at its next start, once', async () => {
  wanted = 'all';
  const first = await watchFromNow();
  await expect.poll(() => storedFiles.get('news.json') ?? '').toContain('succeededUntil');
  first.stop();
  const missed = await succeeded(5);
  const second = watch();
  await expect.poll(() => shown).toHaveLength(1);
  await untilKnown(missed);
  second.stop();
  watch();
  await untilStored(await failed());
  expect(shown.map(({ body }) => body)).toEqual(['The run was successful', 'The run failed']);
});

test('a cancelled run gives a message as a failed one does', async () => {
  await watchFromNow();
  await untilStored(await ended('Cancelled'));
  await untilStored(await failed());
  expect(shown.map(({ body }) => body)).toEqual(['The run was cancelled', 'The run failed']);
});
