import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActivityDefinition, Inspection } from '#server/executors/executor.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { createFakeExecutor, type FakeExecutor } from '#test/support/fake-executor.ts';
import { input, multipart, output } from '#test/support/portal.ts';
import { queriesOf } from '#test/support/queries.ts';
import { EMPTY_DEFINITION, insertActivity, insertRun } from '#test/support/runs.ts';
import { createUser, grant, signedInUser } from '#test/support/users.ts';
import type { ActivityList } from '#shared/contract/activities.ts';
import { ensureSchemas } from '#server/features/schemas/schemas-service.ts';

let app: TestApp;
let executor: FakeExecutor;
let admin: Awaited<ReturnType<typeof signedInUser>>;

const definition: ActivityDefinition = {
  ...EMPTY_DEFINITION,
  inputs: [
    input('Currency', { CellUsages: ['Text'], Pickers: [{ Type: 'List', PreventOtherValues: true }] }, [
      Array.from({ length: 50 }, (_, index) => `Item ${String(index).padStart(2, '0')}`),
    ]),
    input('Amount', { CellUsages: ['Number'] }),
  ],
  outputs: [output('Total')],
};
const good: Inspection = {
  definition,
  faults: [],
  fidelity: {
    Engine: 'test',
    Formulas: 10,
    Equal: 9,
    Different: 1,
    DifferentFeedingOutputs: 0,
    Volatile: [],
    Unsupported: [],
    ExternalLinks: [],
    Differences: [],
  },
};

beforeAll(async () => {
  executor = createFakeExecutor();
  executor.onInspect = async () => good;
  app = await testApp({ executor });
  await ensureSchemas(app.database, ['Finance']);
  admin = await signedInUser(app, ['sk.CreateActivity', 'sk.EditActivity']);
});
afterAll(() => app.close());

type Headers = { authorization: string };
const get = async (url: string, headers: Headers = admin.headers) => {
  const answer = await app.http.inject({ url, headers });
  return { status: answer.statusCode, body: answer.json() };
};
const post = async (url: string, payload: object | null, headers: Headers = admin.headers) => {
  const answer = await app.http.inject({ method: 'POST', url, headers, payload: payload ?? undefined });
  return { status: answer.statusCode, body: answer.json() };
};
const upload = async (
  fields: Record<string, string>,
  file: { name: string; content: string } | null = { name: 'book.xlsx', content: 'workbook' },
  headers: Headers = admin.headers,
) => {
  const body = multipart(fields, file ? [file] : []);
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/activities/create',
    headers: { ...headers, ...body.headers },
    payload: body.payload,
  });
  return { status: answer.statusCode, body: answer.json() };
};
let made = 0;
const uniqueName = () => `Upload ${++made}`;
const publish = async (more: Record<string, string> = {}): Promise<number> => {
  const { body } = await upload({ Id: '0', Schema: 'Finance', Name: uniqueName(), ...more });
  return body.Id;
};

describe('uploading a workbook', () => {
  test('makes an activity with inputs, outputs and a fidelity report', async () => {
    const Name = uniqueName();
    const answer = await upload({
      Id: '0',
      Schema: 'Finance',
      Name,
      Order: '2.4',
      MemoryCost: 'x',
      SingleRun: 'false',
    });
    expect(answer).toEqual({ status: 200, body: { Id: expect.any(Number), Version: 1 } });
    const { body } = await get(`/api/activities/details/${answer.body.Id}`);
    expect(body.result).toMatchObject({
      Name,
      Schema: 'Finance',
      Order: 2,
      MemoryCost: 0,
      SingleRun: false,
      Version: 1,
    });
    expect(body.result.Inputs.map((i: { Name: string }) => i.Name)).toEqual(['Currency', 'Amount']);
    expect((await get(`/api/activities/fidelity/${answer.body.Id}/1`)).body.result).toEqual(good.fidelity);
  });

  test.each([
    ['a name that is missing', { Name: '' }, undefined, 'Please correct the errors shown above'],
    ['a forbidden character', { Name: 'a/b' }, undefined, 'Please correct the errors shown above'],
    ['an order that is no number', { Order: 'first' }, undefined, 'Order must be a number'],
    ['no file', {}, null, 'File must be uploaded'],
    ['a group that is too long', { Group: 'x'.repeat(31) }, undefined, expect.stringContaining('Group')],
    ['an unknown field', { Colour: 'red' }, undefined, 'Colour is not a known field'],
    ['an Id that is none', { Id: '[null]' }, undefined, 'Id cannot be read'],
    ['an Id that no activity can have', { Id: '2147483648' }, undefined, 'Id cannot be read'],
    ['a truth value for an Id', { Id: 'true' }, undefined, 'Id cannot be read'],
  ])('refuses %s', async (_, fields, file, Message) => {
    const answer = await upload({ Id: '0', Schema: 'Finance', Name: uniqueName(), ...fields }, file);
    expect(answer).toEqual({ status: 400, body: { Message } });
  });

  test('answers all faults and stores nothing', async () => {
    const faults = [{ Sheet: 'A', Cell: 'B2', Message: 'wrong', Remedy: 'mend' }];
    const lacking = { Name: 'LAMBDA', Sheet: 'A', Cell: 'B2', FeedsOutput: true };
    executor.onInspect = async () => ({
      definition: null,
      faults,
      fidelity: { ...good.fidelity!, Unsupported: [lacking] },
    });
    const before = await app.database.knex('StoredFiles').count({ n: '*' });
    const Name = uniqueName();
    const answer = await upload({ Id: '0', Schema: 'Finance', Name });
    executor.onInspect = async () => good;
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ Message: expect.any(String), Faults: faults, Unsupported: ['LAMBDA'] });
    expect(await app.database.knex('Activities').where({ Name })).toEqual([]);
    expect(await app.database.knex('StoredFiles').count({ n: '*' })).toEqual(before);
  });

  test('needs the right for the schema', async () => {
    const other = await signedInUser(app, [{ right: 'sk.CreateActivity', Schema: 'General' }]);
    const fields = { Id: '0', Name: uniqueName() };
    expect((await upload({ ...fields, Schema: 'Finance' }, undefined, other.headers)).status).toBe(403);
    expect((await upload({ ...fields, Schema: 'Nowhere' }, undefined, other.headers)).status).toBe(403);
    expect((await upload({ ...fields, Schema: 'General' }, undefined, other.headers)).status).toBe(200);
    expect((await get('/api/activities/create/allowedSchemas', other.headers)).body.result.Items).toEqual([
      { Name: 'General' },
    ]);
  });

  test('refuses a name that the schema has already, whatever its case', async () => {
    const Name = uniqueName();
    await publish({ Name });
    const answer = await upload({ Id: '0', Schema: 'Finance', Name: Name.toUpperCase() });
    expect(answer.status).toBe(409);
  });

  test('makes a new version that keeps ids by name and the fields that were not sent', async () => {
    const Id = await publish({ Group: 'Loans' });
    const before = (await get(`/api/activities/details/${Id}`)).body.result;
    expect(await upload({ Id: String(Id) })).toEqual({
      status: 400,
      body: { Message: 'ChangeDescription must be provided' },
    });
    executor.onInspect = async () => ({
      ...good,
      definition: { ...definition, inputs: [input('AMOUNT', {}), input('New', {})], outputs: [output('Total')] },
    });
    const answer = await upload({ Id: String(Id), ChangeDescription: 'Rates of 2027' });
    executor.onInspect = async () => good;
    expect(answer.body).toEqual({ Id, Version: 2 });
    const after = (await get(`/api/activities/details/${Id}`)).body.result;
    expect(after).toMatchObject({ Version: 2, Group: 'Loans', Name: before.Name });
    expect(after.Inputs[0]).toMatchObject({ Name: 'AMOUNT', Id: before.Inputs[1].Id });
    expect(after.Outputs[0].Id).toBe(before.Outputs[0].Id);
    const { body } = await get(`/api/activities/versions/${Id}`);
    expect(body.result.Versions.map((v: { Version: number }) => v.Version)).toEqual([2, 1]);
    expect(body.result.Versions[0]).toMatchObject({
      ChangeDescription: 'Rates of 2027',
      ContentLength: 8,
      Fidelity: { Engine: 'test', Formulas: 10, Different: 1, DifferentFeedingOutputs: 0 },
    });
  });
});

describe('changing an activity', () => {
  test('writes its fields', async () => {
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

  test('saves nothing over what somebody else has changed meanwhile, unless told to', async () => {
    const Id = await publish();
    const { Revision } = (await get(`/api/activities/details/${Id}`)).body.result as { Revision: number };
    const mine = { ...NOTHING_CHANGED, Id, Name: uniqueName() };
    expect((await post('/api/activities/update', { ...mine, Description: 'First', Revision })).status).toBe(200);
    const late = await post('/api/activities/update', { ...mine, Description: 'Late', Revision });
    expect(late.status).toBe(409);
    expect(late.body.message).toContain('Somebody else has changed this activity');
    const again = await upload({ Id: String(Id), ChangeDescription: 'Late', Revision: String(Revision) });
    expect([again.status, again.body]).toEqual([409, { Message: late.body.message, Revision: Revision + 1 }]);
    const kept = (await get(`/api/activities/details/${Id}`)).body.result;
    expect(kept).toMatchObject({ Description: 'First', Version: 1, Revision: Revision + 1 });
    for (const told of [{ Revision: null }, {}]) {
      expect((await post('/api/activities/update', { ...mine, Description: 'Told', ...told })).status).toBe(200);
    }
  });

  test('needs the right: 404 for whom it does not exist, 403 for who only runs it', async () => {
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

describe('the list of activities', () => {
  const names = (list: ActivityList) => list.Activities.map(({ Name }) => Name);

  test('holds what the person may see, inactive ones only for who may edit them', async () => {
    const { knex } = app.database;
    const { UserId } = await createUser(app);
    const active = await insertActivity(knex, { UserId, Name: 'List active', Schema: 'L1' });
    const inactive = await insertActivity(knex, { UserId, Name: 'List inactive', Schema: 'L1', IsActive: false });
    await insertActivity(knex, { UserId, Name: 'List other', Schema: 'L2' });
    const runner = await signedInUser(app, [{ right: 'sk.RunActivity', Schema: 'L1' }]);
    const editor = await signedInUser(app, [{ right: 'sk.EditActivity', Schema: 'L1' }]);
    const seen = (await get('/api/activities', runner.headers)).body.result as ActivityList;
    expect(names(seen)).toEqual(['List active']);
    expect(seen.Schemas.map(({ Name }) => Name)).toEqual(['L1']);
    const edited = (await get('/api/activities', editor.headers)).body.result as ActivityList;
    expect(names(edited)).toEqual(['List active', 'List inactive']);
    expect(edited.Activities.map(({ CanRun, CanEdit }) => [CanRun, CanEdit])).toEqual([
      [true, true],
      [false, true],
    ]);
    await grant(app, runner.UserId, { right: 'sk.RunActivity', Id: active, access: -1 });
    const fewer = (await get('/api/activities', runner.headers)).body.result as ActivityList;
    expect(names(fewer)).toEqual([]);
    expect((await get(`/api/activities/details/${inactive}`, runner.headers)).status).toBe(404);
  });

  test('shows the newest run, and only their own to who may not see others’', async () => {
    const { knex } = app.database;
    const owner = await signedInUser(app, [{ right: 'sk.RunActivity', Schema: 'L3' }]);
    const watcher = await signedInUser(app, [
      { right: 'sk.RunActivity', Schema: 'L3' },
      { right: 'sk.ViewRuns', Schema: 'L3' },
    ]);
    const ActivityId = await insertActivity(knex, { UserId: owner.UserId, Schema: 'L3' });
    const own = await insertRun(knex, { ActivityId, UserId: owner.UserId, Status: 'Succeeded' });
    const newest = await insertRun(knex, { ActivityId, UserId: watcher.UserId, Status: 'Failed' });
    const lastRun = async (headers: Headers) =>
      (await get('/api/activities', headers)).body.result.Activities[0].LastRun;
    expect(await lastRun(owner.headers)).toMatchObject({ Id: own, Status: 'Succeeded' });
    expect(await lastRun(watcher.headers)).toMatchObject({ Id: newest, Status: 'Failed' });
    const next = await insertRun(knex, { ActivityId, UserId: owner.UserId, Status: 'Started' });
    expect(await lastRun(owner.headers)).toMatchObject({ Id: next, Status: 'Started' });
    await knex('ActivityRuns').where('Id', next).update({ Status: 'Cancelled' });
    expect(await lastRun(owner.headers)).toMatchObject({ Id: next, Status: 'Cancelled' });
    expect(await lastRun(watcher.headers)).toMatchObject({ Id: next, Status: 'Cancelled' });
    await insertRun(knex, { ActivityId, UserId: watcher.UserId, Status: 'Failed' });
    expect(await lastRun(owner.headers)).toMatchObject({ Id: next, Status: 'Cancelled' });
    const administrator = await createUser(app, { isUserAdmin: true });
    expect(administrator.UserId).toBeGreaterThan(0);
  });

  test('is a few queries for any number of activities', async () => {
    const { knex } = app.database;
    const runner = await signedInUser(app, ['sk.RunActivity']);
    const { queries } = await queriesOf(knex, () => get('/api/activities', runner.headers));
    expect(queries.length).toBeGreaterThan(0);
    expect(queries.filter((sql) => sql.includes('Activities')).length).toBeLessThanOrEqual(4);
  });
});

describe('versions', () => {
  test('of all activities come in pages, those of one moment together', async () => {
    const { knex } = app.database;
    const viewer = await signedInUser(app, [{ right: 'sk.RunActivity', Schema: 'V1' }]);
    const ids: number[] = [];
    for (let i = 0; i < 6; i++) ids.push(await insertActivity(knex, { UserId: viewer.UserId, Schema: 'V1' }));
    const moment = (i: number) => new Date(Date.UTC(2026, 0, [1, 2, 2, 2, 3, 4][i]));
    for (const [i, ActivityId] of ids.entries()) {
      await knex('ActivityVersions')
        .where({ ActivityId })
        .update({ Modified: moment(i) });
    }
    const page = async (ModifiedMin: string | null) => {
      const body = { ApproxRows: 3, Schema: null, FetchSchemas: true, ModifiedMin };
      return (await post('/api/activities/versions/all', body, viewer.headers)).body.result;
    };
    const first = await page(null);
    expect(first.Schemas).toEqual(['V1']);
    expect(first.ListItems.Items.map((item: { Id: number }) => item.Id)).toEqual([5, 4, 3, 2, 1].map((i) => ids[i]));
    expect(first.HasMore).toBe(true);
    const second = await page(first.ListItems.Items.at(-1).Modified);
    expect(second.ListItems.Items.map((item: { Id: number }) => item.Id)).toEqual([ids[0]]);
    expect(second.HasMore).toBe(false);
  });

  test('can be downloaded again, and say when their file is gone', async () => {
    const Id = await publish();
    const token = (await get(`/api/activities/download/${Id}/1`)).body.result;
    const file = await app.http.inject({ url: `/api/files/download/${token}` });
    expect(file.statusCode).toBe(200);
    expect(file.body).toBe('workbook');
    expect(file.headers).toMatchObject({
      'content-disposition': `attachment; filename="book.xlsx"; filename*=UTF-8''book.xlsx`,
      'content-length': '8',
      'x-content-type-options': 'nosniff',
    });
    expect(await get(`/api/activities/download/${Id}/7`)).toEqual({
      status: 404,
      body: { message: 'This activity version file does not exist' },
    });
  });
});

describe('a list picker', () => {
  const pick = async (query: object, index = 0, column = 0) => {
    const Id = await publish();
    const details = (await get(`/api/activities/details/${Id}`)).body.result;
    return post(`/api/activities/picker/${Id}/${details.Inputs[index].Id}/${column}`, query);
  };
  const values = (answer: { body: { result: { Items: { Value: string }[] } } }) =>
    answer.body.result.Items.map(({ Value }) => Value);

  test('answers pages both ways', async () => {
    const first = await pick({});
    expect(values(first)).toHaveLength(20);
    expect(first.body.result).toMatchObject({ HasMore: true, HasMorePrecedingItems: false });
    const next = await pick({ FetchNext: true, Last: 'Item 19' });
    expect(values(next)[0]).toBe('Item 20');
    expect(next.body.result).toMatchObject({ HasMore: true, HasMorePrecedingItems: true });
    expect(values(await pick({ FetchPrevious: true, First: 'Item 25' }))[0]).toBe('Item 05');
    expect(values(await pick({ All: true }))).toHaveLength(50);
  });

  test('searches without regard to case', async () => {
    expect(values(await pick({ Value: 'ITEM 4' }))).toHaveLength(10);
  });

  test('is 404 for an input without one', async () => {
    expect((await pick({}, 1)).status).toBe(404);
  });
});
