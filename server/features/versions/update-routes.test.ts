/** Changing the fields of an activity. */
import { describe, expect } from 'vitest';
import { signedInUser } from '#test/support/users.ts';
import { test } from '#test/support/fixtures/activity-portal.ts';
import { uniqueName } from '#test/support/activity-portal.ts';

describe('changing an activity', () => {
  test('writes its fields', async ({ portal: { publish, post, get } }) => {
    const Id = await publish();
    const changes = {
      Id,
      Name: uniqueName(),
      Description: 'New',
      SingleRun: true,
      IsActive: false,
      Group: 'G',
      Function: 'F',
      Order: 3,
      MemoryCost: 12.5,
    };
    expect(await post('/api/activities/update', changes)).toEqual({ status: 200, body: { result: { Id } } });
    expect((await get(`/api/activities/details/${Id}`)).body.result).toMatchObject(changes);
    const wrong = await post('/api/activities/update', { ...changes, Name: 'a:b' });
    expect(wrong.body).toEqual({
      message: 'Please correct the errors shown above',
      modelState: { Name: ['Name must not contain special characters'] },
    });
  });

  test.for([
    [{ Order: '1.6' }, { Order: 2 }],
    [{ Order: 1.6 }, { Order: 2 }],
    [{ Order: ' -3 ' }, { Order: -3 }],
    [{ Order: '' }, { Order: null }],
    [{ MemoryCost: '12.5' }, { MemoryCost: 12.5 }],
    [{ MemoryCost: 'much' }, { MemoryCost: 0 }],
    [{ MemoryCost: true }, { MemoryCost: 0 }],
    [{ MemoryCost: null }, { MemoryCost: 0 }],
  ] as const)(
    'reads the numbers of %j as the form does',
    async ([sent, stored], { portal: { publish, post, get } }) => {
      const Id = await publish();
      const answer = await post('/api/activities/update', { ...NOTHING_CHANGED, Id, Name: uniqueName(), ...sent });
      expect(answer.status).toBe(200);
      expect((await get(`/api/activities/details/${Id}`)).body.result).toMatchObject(stored);
    },
  );

  test.for([['first'], [true], [{}], ['1e99'], [2 ** 31]] as const)(
    'says of the order %j that it is not a number',
    async ([Order], { portal: { publish, post } }) => {
      const Id = await publish();
      const answer = await post('/api/activities/update', { ...NOTHING_CHANGED, Id, Order });
      expect([answer.status, answer.body.message]).toEqual([400, 'Order must be a number']);
    },
  );

  test('refuses a memory cost that no server has', async ({ portal: { publish, post } }) => {
    const Id = await publish();
    const answer = await post('/api/activities/update', { ...NOTHING_CHANGED, Id, MemoryCost: '2e6' });
    expect([answer.status, answer.body.message]).toEqual([400, 'Memory Cost must not be more than 1,000,000']);
  });

  test('overwrites nothing that somebody else has changed, unless asked to', async ({
    portal: { publish, get, post, upload },
  }) => {
    const Id = await publish();
    const { Revision } = (await get(`/api/activities/details/${Id}`)).body.result as { Revision: number };
    const mine = { ...NOTHING_CHANGED, Id, Name: uniqueName() };
    expect((await post('/api/activities/update', { ...mine, Description: 'First', Revision })).status).toBe(200);
    const late = await post('/api/activities/update', { ...mine, Description: 'Late', Revision });
    expect(late.status).toBe(409);
    expect(late.body.message).toContain('Another user changed this activity');
    const again = await upload({ Id: String(Id), ChangeDescription: 'Late', Revision: String(Revision) });
    expect([again.status, again.body]).toEqual([409, { Message: late.body.message, Revision: Revision + 1 }]);
    const current = (await get(`/api/activities/details/${Id}`)).body.result;
    expect(current).toMatchObject({ Description: 'First', Version: 1, Revision: Revision + 1 });
    for (const revision of [{ Revision: null }, {}]) {
      expect((await post('/api/activities/update', { ...mine, Description: 'Told', ...revision })).status).toBe(200);
    }
  });

  test('needs the right: 404 for whom it does not exist, 403 for who only runs it', async ({
    portal: { publish, app, post, get },
  }) => {
    const Id = await publish();
    const changes = { ...NOTHING_CHANGED, Id };
    const runner = await signedInUser(app, [
      { right: 'sk.RunActivity', Id },
      { right: 'sk.EditActivity', Id: Id + 1 },
    ]);
    expect((await post('/api/activities/update', changes, runner.headers)).status).toBe(403);
    const stranger = await signedInUser(app, [{ right: 'sk.EditActivity', Id: Id + 1 }]);
    expect((await post('/api/activities/update', changes, stranger.headers)).status).toBe(404);
    expect((await get(`/api/activities/details/${Id}`, stranger.headers)).status).toBe(404);
  });
});

const NOTHING_CHANGED = {
  Name: 'Same',
  Description: '',
  SingleRun: false,
  IsActive: true,
  Group: '',
  Function: '',
  Order: null,
  MemoryCost: 0,
};
