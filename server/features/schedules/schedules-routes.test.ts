import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { input } from '#test/support/portal.ts';
import { EMPTY_DEFINITION, insertActivity } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;

let app: TestApp;
let editor: Signed;
let other: Signed;
let runner: Signed;
let ActivityId: number;

beforeAll(async () => {
  app = await testApp({ settings: { timeZone: 'Europe/Berlin' } });
  editor = await signedInUser(app, ['sk.RunActivity', 'sk.EditActivity']);
  other = await signedInUser(app, ['sk.RunActivity', 'sk.EditActivity']);
  runner = await signedInUser(app, ['sk.RunActivity']);
  ActivityId = await insertActivity(app.database.knex, { UserId: editor.UserId, Name: 'Nightly' });
});
afterAll(() => app.close());

const get = async (url: string, { headers }: Signed = editor) => {
  const answer = await app.http.inject({ url: `/api/activities/${url}`, headers });
  return { status: answer.statusCode, body: answer.json() };
};
const post = async (url: string, payload?: object, { headers }: Signed = editor) => {
  const answer = await app.http.inject({ method: 'POST', url: `/api/activities/${url}`, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
};
const PLAN = { ScheduleType: 'Daily', TimeOfDay: 0.25, RetryInterval: 5, RetryCount: 2 };
const save = (plan: object, user: Signed = editor, UserId = user.UserId, Id = ActivityId) =>
  post('schedule', { ActivityId: Id, UserId, Schedule: JSON.stringify(plan) }, user);

test('the details of an activity show its schedule and retention only to those who may edit it', async () => {
  const Id = await insertActivity(app.database.knex, { UserId: editor.UserId });
  const details = async (user: Signed) => (await get(`details/${Id}`, user)).body.result;
  expect(await details(editor)).toMatchObject({ Schedule: null, RunRetention: null });
  await save(PLAN, editor, editor.UserId, Id);
  const periods = { ActivityId: Id, RunRetention: 30, RunDataRetention: 20, RunInputsRetention: null };
  await post('runRetention', periods);
  const { Schedule, RunRetention } = await details(editor);
  expect(Schedule).toMatchObject({ ActivityId: Id, UserId: editor.UserId });
  expect(JSON.parse(Schedule.Schedule)).toEqual(PLAN);
  expect(RunRetention).toEqual(periods);
  expect(await details(runner)).toMatchObject({ Schedule: null, RunRetention: null });
});

describe('a schedule', () => {
  test('is set, read and deleted', async () => {
    expect((await get(`schedule/${ActivityId}`)).body.result).toEqual({
      ActivityId,
      ActivityName: 'Nightly',
      UserId: null,
      UserFullName: null,
      Schedule: null,
      NextTime: null,
      PausedTime: null,
      TimeZone: 'Europe/Berlin',
      CanSchedule: true,
      Further: { Count: 0, NextTime: null },
      Revision: 0,
    });
    const { result } = (await save(PLAN)).body;
    expect(result).toMatchObject({ UserId: editor.UserId, UserFullName: editor.UserName });
    expect(JSON.parse(result.Schedule)).toEqual(PLAN);
    expect(Date.parse(result.NextTime)).toBeGreaterThan(Date.now());
    expect((await get(`schedule/${ActivityId}`)).body.result).toEqual(result);
    expect((await post(`schedule/delete/${ActivityId}`)).status).toBe(200);
    expect((await get(`schedule/${ActivityId}`)).body.result.Schedule).toBeNull();
    expect((await post(`schedule/delete/${ActivityId}`)).status).toBe(404);
  });

  test('keeps rounded numbers, the time of day alone, and no interval without retries', async () => {
    const { result } = (await save({ ...PLAN, TimeOfDay: 46_000.5, RetryCount: 0.4, RetryInterval: 7.6 })).body;
    expect(JSON.parse(result.Schedule)).toEqual({
      ScheduleType: 'Daily',
      TimeOfDay: 0.5,
      RetryCount: 0,
      RetryInterval: 0,
    });
  });

  test('reads numbers that come as their texts', async () => {
    const texts = { ...PLAN, TimeOfDay: '0.5', RetryCount: ' 1.6 ', RetryInterval: '7.6' };
    const { result } = (await save(texts)).body;
    expect(JSON.parse(result.Schedule)).toEqual({ ...PLAN, TimeOfDay: 0.5, RetryCount: 2, RetryInterval: 8 });
  });

  test.each([
    [{ ScheduleType: '' }, 'Select Schedule Type'],
    [{ ScheduleType: 'Weekly' }, 'Select Schedule Type'],
    [{ TimeOfDay: null }, 'Select Schedule Time'],
    [{ RetryCount: 'many' }, 'Retry Attempts must be a number'],
    [{ RetryCount: true }, 'Retry Attempts must be a number'],
    [{ RetryCount: null }, 'Retry Attempts must be a number'],
    [{ TimeOfDay: 'noon' }, 'Select Schedule Time'],
    [{ RetryInterval: 'often' }, 'Enter a valid Retry Interval'],
    [{ RetryCount: -1 }, 'Retry Attempts must be a number'],
    [{ RetryInterval: 0 }, 'Enter a valid Retry Interval'],
    [{ RetryInterval: null }, 'Enter a valid Retry Interval'],
  ])('with %j is refused', async (change, message) => {
    const { status, body } = await save({ ...PLAN, ...change });
    expect([status, body.message]).toEqual([400, message]);
  });

  test('that is no JSON, or says more than it may, is refused', async () => {
    const text = await post('schedule', { ActivityId, UserId: editor.UserId, Schedule: '{' });
    expect(text.status).toBe(400);
    expect((await save({ ...PLAN, Cron: '* * * * *' })).status).toBe(400);
  });

  test('runs as the person who saved it last, and nobody sets it for another', async () => {
    await save(PLAN);
    expect((await save(PLAN, other, editor.UserId)).status).toBe(403);
    expect((await save(PLAN, other)).body.result.UserId).toBe(other.UserId);
  });

  test('is for those who may edit the activity', async () => {
    expect((await get(`schedule/${ActivityId}`, runner)).status).toBe(403);
    expect((await save(PLAN, runner)).status).toBe(403);
    expect((await post(`schedule/delete/${ActivityId}`, undefined, runner)).status).toBe(403);
  });

  test('is not possible if somebody has to fill in an input', async () => {
    const { knex } = app.database;
    const add = (of: ReturnType<typeof input>) =>
      insertActivity(knex, { UserId: editor.UserId, definition: { ...EMPTY_DEFINITION, inputs: [of] } });
    const needing = await add(input('Amount'));
    expect((await get(`schedule/${needing}`)).body.result.CanSchedule).toBe(false);
    expect((await save(PLAN, editor, editor.UserId, needing)).status).toBe(409);
    const hidden = await add(input('Rate', { Specifications: ['Hidden'] }));
    expect((await save(PLAN, editor, editor.UserId, hidden)).status).toBe(200);
  });
});

describe('what a schedule starts', () => {
  test('has the inputs of a start without values', async () => {
    expect(await app.scheduleStarter.prepare(ActivityId, editor.UserId)).toEqual({ refused: null, inputs: [] });
  });

  test('is refused for a person who is not enabled, may no longer run it, or would have to fill in inputs', async () => {
    const { knex } = app.database;
    const { prepare } = app.scheduleStarter;
    const leaver = await signedInUser(app, ['sk.RunActivity']);
    await knex('Users').where({ UserId: leaver.UserId }).update({ Enabled: false });
    expect((await prepare(ActivityId, leaver.UserId)).refused).toContain('is disabled');
    const stranger = await signedInUser(app);
    expect((await prepare(ActivityId, stranger.UserId)).refused).toContain('may not run the activity');
    const definition = { ...EMPTY_DEFINITION, inputs: [input('Amount')] };
    const needing = await insertActivity(knex, { UserId: editor.UserId, definition });
    expect((await prepare(needing, editor.UserId)).refused).toContain('has inputs');
  });
});

describe('retention', () => {
  const PERIODS = { RunRetention: 30, RunDataRetention: 10, RunInputsRetention: null };
  const setRetention = (periods: object, user?: Signed) => post('runRetention', { ActivityId, ...periods }, user);

  test('is set, read and deleted', async () => {
    const none = { ActivityId, ActivityName: 'Nightly', RunRetention: null, RunDataRetention: null };
    expect((await get(`runRetention/${ActivityId}`)).body.result).toEqual({
      ...none,
      RunInputsRetention: null,
      Revision: 0,
    });
    expect((await setRetention(PERIODS)).body.result).toMatchObject(PERIODS);
    expect((await get(`runRetention/${ActivityId}`)).body.result).toMatchObject(PERIODS);
    expect((await post(`runRetention/delete/${ActivityId}`)).status).toBe(200);
    expect((await post(`runRetention/delete/${ActivityId}`)).status).toBe(404);
  });

  test('keeps no data longer than the runs', async () => {
    const answer = await setRetention({ RunRetention: 5, RunDataRetention: 10, RunInputsRetention: 11 });
    expect(answer.status).toBe(400);
    expect(answer.body.modelState.RunRetention).toEqual([
      'Run Retention Period should be greater than Run Data Retention Period',
      'Run Retention Period should be greater than Run Inputs Retention Period',
    ]);
    expect((await setRetention({ RunRetention: null, RunDataRetention: 10, RunInputsRetention: 11 })).status).toBe(200);
  });

  test('reads periods that come as texts, rounded', async () => {
    const { body } = await setRetention({ RunRetention: '30.4', RunDataRetention: ' 10 ', RunInputsRetention: '' });
    expect(body.result).toMatchObject({ RunRetention: 30, RunDataRetention: 10, RunInputsRetention: null });
  });

  test.each(['RunRetention', 'RunDataRetention', 'RunInputsRetention'])(
    'says of %s that it is not a number',
    async (field) => {
      const label = `${field.replace(/([a-z])([A-Z])/g, '$1 $2')} Period`;
      for (const wrong of ['long', true, -1, {}]) {
        const answer = await setRetention({ ...PERIODS, [field]: wrong });
        expect([answer.status, answer.body.message]).toEqual([400, `${label} must be a number`]);
      }
    },
  );

  test('is for those who may edit the activity', async () => {
    expect((await get(`runRetention/${ActivityId}`, runner)).status).toBe(403);
    expect((await setRetention(PERIODS, runner)).status).toBe(403);
  });
});
