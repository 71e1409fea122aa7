/** Tests which run of a trigger is still pending. */
import { expect, test } from 'vitest';
import type { TriggerRow } from './trigger-row.ts';
import { testApp } from '#test/support/app.ts';
import { EMPTY_DEFINITION, insertActivity, insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';
import { pendingRun } from './dispatch-events.ts';

test('a pending run is found behind any number of later ones that have ended', async () => {
  const app = await testApp();
  try {
    const { knex } = app.database;
    const { UserId, headers } = await signedInUser(app, ['sk.RunActivity', 'sk.EditActivity']);
    const ActivityId = await insertActivity(knex, { UserId, Name: 'Close', definition: EMPTY_DEFINITION });
    const save = async (Name: string): Promise<TriggerRow> => {
      const plan = { Plan: { Kind: 'Webhook', Scheme: 'Standard' }, Inputs: [], TimeZone: 'UTC', Overlap: 'Start' };
      const payload = { Id: 0, OwnerId: ActivityId, Name, ...plan };
      const answer = await app.http.inject({ method: 'POST', url: '/api/activities/triggers', headers, payload });
      expect(answer.statusCode, answer.body).toBe(200);
      return (await knex('Triggers').where('Id', answer.json().result.Trigger.Id).first()) as TriggerRow;
    };
    const [own, other] = [await save('Own'), await save('Other')];
    let count = 0;
    const runOf = async (trigger: TriggerRow, Status: string): Promise<number> => {
      const EndTime = Status === 'Started' ? null : knex.fn.now();
      const ActivityRunId = await insertRun(knex, { ActivityId, UserId, Status, EndTime });
      count += 1;
      const event = { TriggerId: trigger.Id, Subject: `event ${count}`, Outcome: 'Started', ActivityRunId };
      await knex('TriggerEvents').insert({ ...event, Message: '', GivenText: '[]', Depth: 0 });
      return ActivityRunId;
    };
    const pending = await runOf(own, 'Started');
    for (let i = 0; i < 25; i += 1) await runOf(own, 'Succeeded');
    const foreign = await runOf(other, 'Started');
    expect([await pendingRun(knex, own), await pendingRun(knex, other)]).toEqual([pending, foreign]);
    await knex('ActivityRuns').where('Id', pending).update({ Status: 'Failed', EndTime: knex.fn.now() });
    expect(await pendingRun(knex, own)).toBeNull();
  } finally {
    await app.close();
  }
});
