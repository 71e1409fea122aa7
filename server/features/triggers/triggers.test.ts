/** Triggers of files and ends of runs; whose rights they have, and who may change them. */
import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createTriggerEngine } from '#server/automation/triggers/trigger-engine.ts';
import type { TriggerFiring, TriggerUpdate } from '#shared/contract/triggers.ts';
import { test } from '#test/support/fixtures/trigger-portal.ts';
import { FILE, from } from '#test/support/trigger-portal.ts';
import { bearer, createUser, grant, signedInUser, signIn } from '#test/support/users.ts';

test('a file that arrives starts one run with it; the same content never again, other content does', async ({
  portal,
}) => {
  const { app, engine, folder, call, save, triggerOf, firings, inputsOf, drop, poll } = portal;
  await drop('before.csv', 'lay there');
  const { Trigger: made } = await save({ Inputs: [from('Remark', 'name')] });
  expect(made.Text).toBe('A file matching *.csv arrives in the folder Inbox');
  await drop('rates.csv', 'one');
  await drop('notes.txt', 'no');
  await engine.poll();
  expect(await firings(made.Id)).toEqual([]);
  await poll(1);
  expect(await firings(made.Id)).toEqual(['Started: rates.csv']);
  const [{ RunId }] = (await triggerOf(made.Id)).Firings as [TriggerFiring];
  expect(await inputsOf(RunId!)).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ Name: 'File', FileName: 'rates.csv' }),
      expect.objectContaining({ Name: 'Remark', Value: '"rates.csv"' }),
    ]),
  );
  const other = createTriggerEngine({ ...app.triggerContext, signals: app.signals });
  await Promise.all([other.poll(), engine.poll()]);
  await Promise.all([other.poll(), engine.poll()]);
  expect(await firings(made.Id)).toEqual(['Started: rates.csv']);
  const { mtime } = await stat(join(folder, 'in', 'rates.csv'));
  await utimes(join(folder, 'in', 'rates.csv'), mtime, new Date(mtime.getTime() + 5000));
  await poll();
  await drop('rates.csv', 'two!');
  await Promise.all([other.poll(), engine.poll()]);
  await Promise.all([other.poll(), engine.poll()]);
  expect(await firings(made.Id)).toEqual([
    'Started: rates.csv',
    'LeftOut: rates.csv. Seen before: the same file with the same content',
    'Started: rates.csv',
  ]);
  await other.stop();
  await call('POST', `activities/triggers/pause/${made.Id}`);
  await drop('late.csv', 'x');
  await poll();
  expect((await firings(made.Id))[0]).toBe('LeftOut: late.csv. The trigger was paused');
  await call('POST', `activities/triggers/delete/${made.Id}`);
});

test('the end of a run with a chosen outcome starts, one without does not; cycles are refused', async ({ portal }) => {
  const { engine, ActivityId, call, body, save, firings, endRun, runOf, activity, poll } = portal;
  const second = await activity('Second');
  const ended = (SourceId: number, Outcomes = ['Failed']): TriggerUpdate['Plan'] =>
    ({ Kind: 'Ended', Source: 'Activity', SourceId, Outcomes }) as never;
  const { Trigger: made } = await save({ OwnerId: second, Plan: ended(ActivityId), Overlap: 'Skip' });
  await engine.poll();
  const [good, bad, again] = [await runOf(ActivityId), await runOf(ActivityId), await runOf(ActivityId)];
  await endRun(good, 'Succeeded');
  await endRun(bad, 'Failed');
  await poll();
  expect(await firings(made.Id, second)).toEqual([`Started: Run ${bad} of Close: Failed`]);
  await endRun(again, 'Failed');
  await poll();
  const [left] = await firings(made.Id, second);
  expect(left).toMatch(/^LeftOut: Run \d+ of Close: Failed. Run \d+, which the trigger started before, had not ended/);
  const third = await activity('Third');
  await save({ OwnerId: third, Plan: ended(second) });
  for (const [owner, source] of [
    [ActivityId, ActivityId],
    [ActivityId, third],
  ] as const) {
    const { status, body: answer } = await call(
      'POST',
      'activities/triggers',
      body({ OwnerId: owner, Plan: ended(source) }),
    );
    expect([status, answer.message]).toEqual([400, 'The triggers would start each other in an endless loop']);
  }
  const { status } = await call('POST', 'activities/triggers', body({ Plan: ended(999_999) }));
  expect(status).toBe(404);
});

test('where the person has gone it is paused and says why; everything waits for the end of a maintenance', async ({
  portal,
}) => {
  const { app, editor, call, body, save, triggerOf, firings, endRun, drop, poll, server } = portal;
  const leaver = await signedInUser(app, ['sk.RunActivity', 'sk.EditActivity']);
  const { Trigger: made } = await save({ Plan: { ...FILE, Pattern: 'gone*' } as never, Overlap: 'Wait' }, leaver);
  server.isPaused = true;
  await drop('gone1.csv', '1');
  await poll(3);
  expect(await firings(made.Id)).toEqual([]);
  server.isPaused = false;
  await poll();
  expect(await firings(made.Id)).toEqual(['Started: gone1.csv']);
  await drop('gone2.csv', '2');
  await poll();
  expect((await firings(made.Id))[0]).toBe('Waiting: gone2.csv');
  const [, { RunId }] = (await triggerOf(made.Id)).Firings as [TriggerFiring, TriggerFiring];
  expect((await triggerOf(made.Id)).WaitsFor).toBe(RunId);
  await app.database.knex('Users').where('UserId', leaver.UserId).update({ Enabled: false });
  await endRun(RunId!, 'Succeeded');
  await poll();
  const { PausedReason, Firings, WaitsFor } = await triggerOf(made.Id);
  expect(WaitsFor).toBeNull();
  expect(PausedReason).toMatch(/^The user that the trigger runs as, .*, is disabled$/);
  expect(Firings[0]!.Outcome).toBe('Refused');
  const administrator = await createUser(app, { isUserAdmin: true });
  const admin = { ...administrator, headers: bearer(await signIn(app, administrator)) };
  const bell = (await call('GET', 'activities/notifications', undefined, admin)).body.result;
  expect(JSON.stringify(bell)).toContain(String(Firings[0]!.RunId));
  const { UserId } = (await save({ ...body(), Id: made.Id, Plan: { ...FILE, Pattern: 'gone*' } as never })).Trigger;
  expect(UserId).toBe(editor.UserId);
});

test('only those who may edit what they start see and change them, and each change is a security action', async ({
  portal,
}) => {
  const { app, ActivityId, call, body, save } = portal;
  const stranger = await signedInUser(app, ['sk.RunActivity']);
  expect((await call('GET', `activities/triggers/${ActivityId}`, undefined, stranger)).status).toBe(403);
  expect((await call('POST', 'activities/triggers', body(), stranger)).status).toBe(403);
  const { Items } = (await call('GET', 'triggers')).body.result;
  expect(Items.length).toBeGreaterThan(2);
  expect((await call('GET', 'triggers', undefined, stranger)).body.result.Items).toEqual([]);
  const unconnected = await signedInUser(app, ['sk.RunActivity']);
  await grant(app, unconnected.UserId, { right: 'sk.EditActivity', Id: ActivityId });
  const Plan = { Kind: 'Query', Connection: 'Shop', Sql: 'select 1', Minutes: 1, When: 'NewKey' } as const;
  expect((await call('POST', 'activities/triggers', body({ Plan }), unconnected)).status).toBe(403);
  expect((await call('GET', 'triggers', undefined, unconnected)).body.result.Items).toHaveLength(Items.length - 2);
  const { Trigger: made } = await save({ Name: 'Logged' });
  for (const action of ['pause', 'resume', 'delete']) await call('POST', `activities/triggers/${action}/${made.Id}`);
  const logged = await app.database
    .knex('SecurityActions')
    .orderBy('Id', 'desc')
    .limit(4)
    .select('Action', 'KeyColumnValue');
  expect(logged).toEqual(
    ['DeleteTrigger', 'ResumeTrigger', 'PauseTrigger', 'SaveTrigger'].map((Action) => ({
      Action,
      KeyColumnValue: `${ActivityId}: Logged`,
    })),
  );
});
