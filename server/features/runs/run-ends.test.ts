/** Tests programs that start a run and wait for its end in one call. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createRunEnds, type RunEnds } from './run-ends.ts';
import { pino } from 'pino';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { test as base } from '#test/support/fixtures/run-portal.ts';
import { insertRun } from '#test/support/runs.ts';
import { until } from '#test/support/until.ts';

const log = pino({ level: 'silent' });
const stays = new AbortController().signal;
/** Signals without subscribers. */
const silent = { onChanged: () => () => {}, onEnded: () => () => {}, known: () => undefined };

const test = base.extend('runs', { scope: 'file', auto: true }, async ({ portal }) => {
  const waiting = (seconds: number) => ({ ...portal.owner.headers, prefer: `wait=${seconds}` });

  const pendingRun = () =>
    insertRun(portal.app.database.knex, {
      ActivityId: portal.ActivityId,
      UserId: portal.owner.UserId,
      Status: 'Started',
    });

  const endRun = (Id: number) =>
    portal.app.database.knex('ActivityRuns').where({ Id }).update({ Status: 'Succeeded', EndTime: new Date() });
  portal.executor.onRun = async () => ({ ...SUCCESS, outputs: [{ Name: 'Total', Value: '10', Rows: null }] });
  return { waiting, pendingRun, endRun };
});

test('a start that prefers to wait is answered with the outputs of the run', async ({ portal, runs: { waiting } }) => {
  const { status, body } = await portal.start({ Inputs: [portal.amount(5)] }, waiting(30));
  expect([status, body.result.Status]).toEqual([200, 'Succeeded']);
  expect(body.result.EndTime).not.toBeNull();
  expect(body.result.Outputs[0]).toMatchObject({ Name: 'Total', Value: '10' });
});

test('the answer is that of the end, without a question to the database; where there is a log, with the log', async ({
  portal,
  runs: { waiting },
}) => {
  const { knex } = portal.app.database;
  const read: string[] = [];
  const onQuery = ({ sql }: { sql: string }): void => {
    if (/^select .* from .(RunOutputs|RunLogEntries)./.test(sql)) read.push(sql);
  };
  knex.on('query', onQuery);
  const { result } = (await portal.start({ Inputs: [portal.amount(5)] }, waiting(30))).body;
  knex.off('query', onQuery);
  // SQL Server does not report the time of the end with the end. A response more than a second after the start also
  // needs queries.
  const took = Date.parse(result.EndTime) - Date.now();
  if (portal.app.database.dialect.name === 'pg' && took > -500) expect(read).toEqual([]);
  const { Status, EndTime, LogEntries, Outputs } = (await portal.post(`status/${result.Id}`, [])).body.result;
  expect(result).toEqual({ Id: result.Id, Status, EndTime, LogEntries, Outputs });
  expect(Outputs[0]).toMatchObject({ Name: 'Total', Value: '10' });
  const usual = portal.executor.onRun;
  portal.executor.onRun = async (request) => {
    request.onLog({ Message: 'Counted', StatusCode: 0, Category: 0 });
    return { ...SUCCESS, outputs: [{ Name: 'Total', Value: '11', Rows: null }] };
  };
  const logged = (await portal.start({ Inputs: [portal.amount(6)] }, waiting(30))).body.result;
  portal.executor.onRun = usual;
  expect(logged.LogEntries).toMatchObject([{ Message: 'Counted' }]);
  expect(logged.Outputs[0]).toMatchObject({ Value: '11' });
});

test('a start of before that is repeated is answered by what may be seen of its run now', async ({
  portal,
  runs: { waiting },
}) => {
  const UniqueId = randomUUID();
  const first = (await portal.start({ Inputs: [portal.amount(7)], UniqueId }, waiting(30))).body.result;
  const again = (await portal.start({ Inputs: [portal.amount(7)], UniqueId }, waiting(30))).body.result;
  expect(again).toEqual(first);
  const { knex } = portal.app.database;
  await knex('RunOutputs').where({ ActivityRunId: first.Id }).whereNotNull('Value').update({ Value: '12' });
  const later = (await portal.start({ Inputs: [portal.amount(7)], UniqueId }, waiting(30))).body.result;
  expect(later.Outputs[0]).toMatchObject({ Name: 'Total', Value: '12' });
});

test('one that does not is answered as before', async ({ portal }) => {
  const { body } = await portal.start({ Inputs: [portal.amount(5)] });
  expect(Object.keys(body.result)).toEqual(['Id', 'Status', 'EndTime', 'LogEntries']);
  await portal.ended(body.result.Id);
});

test('what takes longer than the caller waits is answered with 202, and waited for again by its number', async ({
  portal,
  runs: { waiting },
}) => {
  const go = portal.holdRuns();
  const { status, body } = await portal.start({ Inputs: [portal.amount(5)] }, waiting(0));
  expect([status, body.result.EndTime]).toEqual([202, null]);
  const early = await portal.post(`status/${body.result.Id}`, [], waiting(0));
  expect([early.status, early.body.result.EndTime]).toEqual([200, null]);
  const later = portal.post(`status/${body.result.Id}`, [], waiting(30));
  go();
  expect((await later).body.result).toMatchObject({ Status: 'Succeeded', EndTime: expect.any(String) });
});

test('what is refused is refused at once', async ({ portal, runs: { waiting } }) => {
  const { status, body } = await portal.start({ Inputs: [{ ActivityParameterId: 999_999, Value: '1' }] }, waiting(30));
  expect(status).toBe(400);
  expect(body.result).toBeUndefined();
});

test('nobody waits for the runs of others', async ({ portal, runs: { pendingRun, endRun } }) => {
  const Id = await pendingRun();
  const headers = { ...portal.stranger.headers, prefer: 'wait=30' };
  const refused = await portal.post(`status/${Id}`, [], headers);
  expect([403, 404]).toContain(refused.status);
  await endRun(Id);
});

test('the end is noticed where its signal is lost, by one query for all who wait', async ({
  portal,
  runs: { pendingRun },
}) => {
  const ends = createRunEnds({ database: portal.app.database, signals: silent, log });
  const runs = [await pendingRun(), await pendingRun(), await pendingRun()];
  let answered = 0;
  const count = (_: unknown, { sql }: { sql: string }) =>
    (answered += Number(/^select .Id. from .ActivityRuns. where .Id. in/.test(sql)));
  portal.app.database.knex.on('query-response', count);
  const began = performance.now();
  const all = runs.map((id) => ends.wait(1, id, 120, stays));
  // One query for the first run, and one for the runs that arrived while it was read.
  await expect.poll(() => answered).toBeGreaterThanOrEqual(2);
  await portal.app.database.knex('ActivityRuns').whereIn('Id', runs).update({ Status: 'Failed', EndTime: new Date() });
  expect(await Promise.all(all)).toEqual([true, true, true]);
  portal.app.database.knex.off('query-response', count);
  // One more query per second, however many calls wait.
  expect(answered).toBeGreaterThanOrEqual(3);
  expect(answered).toBeLessThanOrEqual(2 + Math.ceil((performance.now() - began) / 1000));
  ends.close();
});

test('the end is noticed where its signal is lost, although other runs change all the time', async ({
  portal,
  runs: { pendingRun, endRun },
}) => {
  const changed = Promise.withResolvers<(runIds: readonly number[]) => void>();
  const signals = {
    ...silent,
    onChanged: (listener: (runIds: readonly number[]) => void) => (changed.resolve(listener), () => {}),
  };
  const ends = createRunEnds({ database: portal.app.database, signals, log });
  const publish = await changed.promise;
  const Id = await pendingRun();
  const waiting = ends.wait(1, Id, 20, stays, { isNew: true });
  const others = setInterval(() => publish([Id + 1_000_000]), 50);
  await endRun(Id);
  expect(await waiting).toBe(true);
  clearInterval(others);
  ends.close();
});

test('the end of a run that a worker of this process carries out is waited for without a query', async ({ portal }) => {
  const { knex } = portal.app.database;
  let asked = 0;
  const count = ({ sql }: { sql: string }) =>
    (asked += Number(/^select .Id. from .ActivityRuns. where .Id. in/.test(sql)));
  knex.on('query', count);
  const go = portal.holdRuns();
  const { body } = await portal.start({ Inputs: [portal.amount(5)] });
  const { Id } = body.result;
  await until('a worker has it', () => portal.app.signals.known(Id) === 'here');
  const ends = createRunEnds({ ...portal.app, log });
  const began = performance.now();
  const early = ends.wait(1, Id, 30, stays);
  go();
  expect(await early).toBe(true);
  expect(await ends.wait(1, Id, 30, stays)).toBe(true);
  knex.off('query', count);
  ends.close();
  // It still polls every second, in case a notification was lost.
  expect(asked).toBeLessThanOrEqual(Math.floor((performance.now() - began) / 1000));
});

test('who breaks off, and a server that stops, wait no longer', async ({ portal, runs: { pendingRun, endRun } }) => {
  const ends = createRunEnds({ ...portal.app, log });
  const Id = await pendingRun();
  const gone = new AbortController();
  const one = ends.wait(1, Id, 3600, gone.signal);
  const other = ends.wait(1, Id, 3600, stays);
  gone.abort();
  expect(await one).toBe(false);
  ends.close();
  expect(await other).toBe(false);
  expect(await ends.wait(1, Id, 3600, stays)).toBe(false);
  await endRun(Id);
});

test('a hundred calls of one person may wait; others are not kept from it', async ({
  portal,
  runs: { pendingRun, endRun },
}) => {
  const ends: RunEnds = createRunEnds({ database: portal.app.database, signals: silent, log });
  const Id = await pendingRun();
  const many = Array.from({ length: 100 }, () => ends.wait(1, Id, 3600, stays));
  expect(await ends.wait(1, Id, 3600, stays)).toBeUndefined();
  const other = ends.wait(2, Id, 0, stays);
  expect(await other).toBe(false);
  ends.close();
  expect(new Set(await Promise.all(many))).toEqual(new Set([false]));
  await endRun(Id);
});
