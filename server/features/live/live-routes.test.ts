import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRunSignals } from '#server/queue/run-signals.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { until } from '#test/support/until.ts';
import { createUser, signedInUser, signIn } from '#test/support/users.ts';

let app: TestApp;
let address: string;
let ActivityId: number;
let owner: Awaited<ReturnType<typeof signedInUser>>;

beforeAll(async () => {
  app = await testApp();
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  address = `http://127.0.0.1:${(app.http.addresses() as AddressInfo[])[0]!.port}`;
  owner = await signedInUser(app, ['sk.RunActivity']);
  ActivityId = await insertActivity(app.database.knex, { UserId: owner.UserId });
});
afterAll(() => app.close());

/** Opens a stream and collects what arrives as text. */
async function open(query: string, headers: { authorization: string } = owner.headers) {
  const cut = new AbortController();
  const answer = await fetch(`${address}/api/events${query}`, { headers, signal: cut.signal });
  const stream = { status: answer.status, type: answer.headers.get('content-type'), text: '', ended: false, cut };
  void read(answer, stream);
  return stream;
}
async function read(answer: Response, stream: { text: string; ended: boolean }): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of answer.body!) stream.text += decoder.decode(chunk as Uint8Array, { stream: true });
  } catch {
    // The test closed the connection.
  }
  stream.ended = true;
}
type Stream = Awaited<ReturnType<typeof open>>;
const said = (stream: Stream, text: string | RegExp) =>
  until(`the stream says ${String(text)}`, async () =>
    typeof text === 'string' ? stream.text.includes(text) : text.test(stream.text),
  );
const ended = (stream: Stream) => until('the stream ends', async () => stream.ended);
const run = (more: object = {}) =>
  insertRun(app.database.knex, { ActivityId, UserId: owner.UserId, Status: 'Started', ...more });
const finish = (Id: number, Status: string) =>
  app.database.knex('ActivityRuns').where({ Id }).update({ Status, EndTime: new Date() });

test('a run is published as it is, then each change of status, progress and log, until its end', async () => {
  const { knex } = app.database;
  const Id = await run();
  const stream = await open(`?runs=${Id}`);
  expect(stream).toMatchObject({ status: 200, type: 'text/event-stream' });
  await said(stream, `event: run\ndata: {"Id":${Id},"State":{"Status":"Started"`);
  await knex('ActivityRuns').where({ Id }).update({ Phase: 'Calculating', Share: 0.5 });
  await said(stream, '"Progress":{"Phase":"Calculating","Share":0.5}');
  await knex('RunLogEntries').insert({ ActivityRunId: Id, StatusCode: 1, Category: 1, Message: 'Half\nway' });
  await said(stream, '"Message":"Half\\nway"');
  await finish(Id, 'Failed');
  await said(stream, '"Status":"Failed"');
  await knex('RunLogEntries').insert({ ActivityRunId: Id, StatusCode: 1, Category: 1, Message: 'afterwards' });
  const other = await run();
  const watcher = await open(`?runs=${other}`);
  await said(watcher, '"Status":"Started"');
  await knex('ActivityRuns').where({ Id: other }).update({ Phase: 'Later' });
  await said(watcher, '"Phase":"Later"');
  expect(stream.text).not.toContain('afterwards');
  for (const each of [stream, watcher]) each.cut.abort();
});

test('nothing is published about a run that a person may not see, that does not exist, or that they may no longer see', async () => {
  const { knex } = app.database;
  const mine = await run();
  const stranger = await signedInUser(app, ['sk.RunActivity']);
  const theirs = await insertRun(knex, { ActivityId, UserId: stranger.UserId, Status: 'Started' });
  const stream = await open(`?runs=${mine},${theirs},999999999`, stranger.headers);
  await said(stream, `"Id":${theirs},`);
  await knex('ActivityRuns').where({ Id: mine }).update({ Phase: 'Secret' });
  await knex('ActivityRuns').where({ Id: theirs }).update({ Phase: 'Own' });
  await said(stream, '"Phase":"Own"');
  await knex('Grants')
    .where({ Grantee: String(stranger.UserId) })
    .delete();
  await knex('ActivityRuns').where({ Id: theirs }).update({ Phase: 'Hidden' });
  const watcher = await open(`?runs=${mine}`);
  await said(watcher, '"Phase":"Secret"');
  await finish(mine, 'Succeeded');
  await said(watcher, '"Status":"Succeeded"');
  expect(stream.text).not.toContain('Secret');
  expect(stream.text).not.toContain('Hidden');
  expect(stream.text).not.toContain('999999999');
  for (const each of [stream, watcher]) each.cut.abort();
});

test('a watcher of all runs learns that one has changed, without details and only if they may see it', async () => {
  const stranger = await signedInUser(app, ['sk.RunActivity']);
  const watcher = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns']);
  const [all, hidden, unasked] = await Promise.all([
    open('?all=true', watcher.headers),
    open('?all=true', stranger.headers),
    open('', watcher.headers),
  ]);
  for (const stream of [all, hidden, unasked]) await said(stream, 'event: notifications');
  const Id = await run();
  await finish(Id, 'Failed');
  app.signals.changed(Id);
  await said(all, 'event: runs\ndata: {}');
  const theirs = await insertRun(app.database.knex, { ActivityId, UserId: stranger.UserId, Status: 'Succeeded' });
  const before = hidden.text;
  app.signals.changed(theirs);
  await said(hidden, 'event: runs\ndata: {}');
  expect(before).not.toContain('event: runs');
  expect(unasked.text).not.toContain('event: runs');
  for (const stream of [all, hidden, unasked]) stream.cut.abort();
});

test('another process publishes an end at once, with its notifications', async () => {
  const elsewhere = createRunSignals(app.database, pino({ level: 'silent' }));
  await app.signals.open();
  const stream = await open('');
  await said(stream, 'event: notifications\ndata: {"Count":');
  const before = /"Count":(\d+)/.exec(stream.text)![1]!;
  const Id = await run();
  await finish(Id, 'InternalError');
  elsewhere.changed(Id);
  await said(stream, `data: {"Count":${Number(before) + 1}}`);
  stream.cut.abort();
  await elsewhere.close();
  await app.signals.close();
});

test('a stream ends with its session, and does not keep it in use', async () => {
  const { knex } = app.database;
  const user = await createUser(app, { rights: ['sk.RunActivity'] });
  const authorization = `Bearer ${await signIn(app, user)}`;
  const Id = await insertRun(knex, { ActivityId, UserId: user.UserId, Status: 'Started' });
  const stream = await open(`?runs=${Id}`, { authorization });
  await said(stream, '"Status":"Started"');
  const [session] = await knex('Sessions').where({ UserId: user.UserId });
  const longAgo = new Date(Date.now() - 120_000);
  await knex('Sessions').where({ UserId: user.UserId }).update({ LastUsedTime: longAgo });
  await knex('ActivityRuns').where({ Id }).update({ Phase: 'Still there' });
  await said(stream, 'Still there');
  expect(await knex('Sessions').where({ UserId: user.UserId }).first('LastUsedTime')).toEqual({
    LastUsedTime: longAgo,
  });
  await app.sessions.end({ ...user, SessionId: session.SessionId } as never);
  await knex('ActivityRuns').where({ Id }).update({ Phase: 'After the end' });
  await ended(stream);
  expect(stream.text).not.toContain('After the end');
});

test('a token that was replaced ends the stream, not the session', async () => {
  const { knex } = app.database;
  const user = await createUser(app, { rights: ['sk.RunActivity'] });
  const token = await signIn(app, user);
  const Id = await insertRun(knex, { ActivityId, UserId: user.UserId, Status: 'Started' });
  const stream = await open(`?runs=${Id}`, { authorization: `Bearer ${token}` });
  await said(stream, '"Status":"Started"');
  await knex('AccessTokens')
    .whereIn('SessionId', knex('Sessions').where({ UserId: user.UserId }).select('SessionId'))
    .update({ ReplacedTime: new Date(Date.now() - 60_000) });
  await knex('ActivityRuns').where({ Id }).update({ Phase: 'Later' });
  await ended(stream);
  expect(await knex('Sessions').where({ UserId: user.UserId }).first('EndedTime')).toEqual({ EndedTime: null });
});

test('a person has ten streams at most; one that is closed makes room', async () => {
  const user = await signedInUser(app, ['sk.RunActivity']);
  const streams = await Promise.all(Array.from({ length: 10 }, () => open('', user.headers)));
  expect(streams.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect((await open('', user.headers)).status).toBe(429);
  streams[0]!.cut.abort();
  await until('there is room again', async () => {
    const stream = await open('', user.headers);
    streams.push(stream);
    return stream.status === 200;
  });
  for (const stream of streams) stream.cut.abort();
});

test('what is no list of runs is refused, and so is who is not signed in', async () => {
  expect((await open('?runs=1;2')).status).toBe(400);
  expect((await open(`?runs=${Array(21).fill('1').join(',')}`)).status).toBe(400);
  expect((await open('', { authorization: 'Bearer nobody' })).status).toBe(401);
});

test('streams end when the server stops', async () => {
  const other = await testApp();
  await other.http.listen({ port: 0, host: '127.0.0.1' });
  const [bound] = other.http.addresses() as AddressInfo[];
  const { headers } = await signedInUser(other);
  const answer = await fetch(`http://127.0.0.1:${bound!.port}/api/events`, { headers });
  const stream = { text: '', ended: false };
  void read(answer, stream);
  await until('it has begun', async () => stream.text.includes('notifications'));
  await other.close();
  await until('it has ended', async () => stream.ended);
});

test('a run of a checklist is published to those who may see it whenever one of its steps changes', async () => {
  const { knex } = app.database;
  const [checklist] = await knex('Checklists')
    .insert({ Name: 'Close', Schema: 'Test', UserId: owner.UserId })
    .returning('Id');
  await knex('ChecklistActivities').insert({ ChecklistId: checklist.Id, Position: 0, ActivityId });
  const [plan] = await knex('ChecklistPlans').insert({ Hash: 'live', Plan: '{}' }).returning('Id');
  const workflowRun = {
    ChecklistId: checklist.Id,
    PlanId: plan.Id,
    UserId: owner.UserId,
    Status: 'Started',
    Inputs: '[]',
  };
  const [row] = await knex('ChecklistRuns').insert(workflowRun).returning('Id');
  const Id: number = row.Id;
  const step = await run({ Status: 'QueuedInSeq', ChecklistRunId: Id, StepKey: 'a' });
  const other = await signedInUser(app, ['sk.RunActivity']);
  const [stream, hidden] = [await open(`?chains=${Id}`), await open(`?chains=${Id}`, other.headers)];
  const countEvents = () => stream.text.split(`event: chain\ndata: {"Id":${Id},"Status":"Started"}`).length - 1;
  await until('the stream tells of it', async () => countEvents() === 1);
  await knex('ActivityRuns').where({ Id: step }).update({ Status: 'Started' });
  await until('the stream tells of its step', async () => countEvents() === 2);
  await finish(step, 'Succeeded');
  await until('the stream tells of the end of its step', async () => countEvents() === 3);
  await knex('ChecklistRuns').where({ Id }).update({ Status: 'Succeeded', EndTime: new Date() });
  await said(stream, `event: chain\ndata: {"Id":${Id},"Status":"Succeeded"}`);
  await said(hidden, 'event: notifications');
  expect(hidden.text).not.toContain('event: chain');
  for (const one of [stream, hidden]) one.cut.abort();
});

test('the newest version of an activity is sent when the stream starts and when one is published, only to those who see it', async () => {
  const { knex } = app.database;
  const Id = await insertActivity(knex, { UserId: owner.UserId });
  const other = await signedInUser(app, []);
  const [stream, hidden] = [await open(`?activities=${Id},999999999`), await open(`?activities=${Id}`, other.headers)];
  await said(stream, `event: version\ndata: {"Id":${Id},"Version":1}`);
  await knex('Activities').where({ Id }).update({ Version: 2 });
  await said(stream, `event: version\ndata: {"Id":${Id},"Version":2}`);
  await said(hidden, 'event: notifications');
  await knex('Activities').where({ Id }).update({ IsActive: false, Version: 3 });
  const watcher = await insertActivity(knex, { UserId: owner.UserId });
  const second = await open(`?activities=${watcher}`);
  await said(second, `{"Id":${watcher},"Version":1}`);
  expect(stream.text).not.toContain('"Version":3');
  expect(stream.text).not.toContain('999999999');
  expect(hidden.text).not.toContain('event: version');
  expect((await open('?activities=x')).status).toBe(400);
  for (const one of [stream, hidden, second]) one.cut.abort();
});

test('announces that an own run has ended, also if the bell does not', async () => {
  const other = await signedInUser(app, ['sk.RunActivity']);
  const [stream, stranger] = [await open(''), await open('', other.headers)];
  for (const each of [stream, stranger]) await said(each, 'event: notifications');
  const Id = await run();
  await finish(Id, 'Succeeded');
  app.signals.changed(Id);
  await said(stream, 'event: ended\ndata: {}');
  expect(stranger.text).not.toContain('event: ended');
  for (const each of [stream, stranger]) each.cut.abort();
});
