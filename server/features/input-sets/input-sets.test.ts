/** Tests what people save under a name: form values, and searches of a history. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INPUT_SETS_MAX } from '#shared/contract/input-sets.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { createFakeExecutor } from '#test/support/fake-executor.ts';
import { insertActivity } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

type User = Awaited<ReturnType<typeof signedInUser>>;
let app: TestApp;
let ActivityId: number;
let editor: User;
let runner: User;
let other: User;
let stranger: User;

beforeAll(async () => {
  app = await testApp({ executor: createFakeExecutor() });
  editor = await signedInUser(app, ['sk.RunActivity', 'sk.EditActivity']);
  runner = await signedInUser(app, ['sk.RunActivity']);
  other = await signedInUser(app, ['sk.RunActivity']);
  stranger = await signedInUser(app);
  ActivityId = await insertActivity(app.database.knex, { UserId: editor.UserId, Name: 'Prices' });
});
afterAll(() => app.close());

async function call(user: User, url: string, payload?: object) {
  const method = payload === undefined ? 'GET' : 'POST';
  const { headers } = user;
  const answer = await app.http.inject({ method, url: `/api/activities/${url}`, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}
const Inputs = [{ Name: 'Amount', Value: '5', UseDefault: false }];
const save = (user: User, Name: string, IsShared = false, more: object = {}) =>
  call(user, 'inputset', { ActivityId, Name, IsShared, Inputs, ...more });
const listed = async (user: User): Promise<string[]> =>
  (await call(user, `inputsets/${ActivityId}`)).body.result.map(({ Name }: { Name: string }) => Name);

test('a set is its owner’s alone until an editor shares one', async () => {
  const { body } = await save(runner, ' Usual ');
  expect(await listed(runner)).toEqual(['Usual']);
  expect(await listed(other)).toEqual([]);
  expect((await call(other, `inputset/${body.result.Id}`)).status).toBe(404);
  expect((await call(runner, `inputset/${body.result.Id}`)).body.result).toEqual({ Inputs });
  expect((await save(runner, 'For all', true)).status).toBe(403);
  const shared = (await save(editor, 'For all', true)).body.result.Id;
  expect(await listed(other)).toEqual(['For all']);
  const [seen] = (await call(other, `inputsets/${ActivityId}`)).body.result;
  expect(seen).toMatchObject({ Id: shared, IsShared: true, IsOwn: false, CanChange: false });
  expect((await call(other, `inputset/delete/${shared}`, {})).status).toBe(403);
  expect((await call(editor, `inputset/delete/${shared}`, {})).status).toBe(200);
  expect(await listed(other)).toEqual([]);
});

test('a set is written over by one of its name, by its owner alone', async () => {
  const first = (await save(other, 'Monthly')).body.result.Id;
  const changed = [{ Name: 'Amount', Value: '6', UseDefault: false }];
  expect((await save(other, 'MONTHLY', false, { Inputs: changed })).body.result.Id).toBe(first);
  expect((await call(other, `inputset/${first}`)).body.result).toEqual({ Inputs: changed });
  const second = (await save(runner, 'Monthly')).body.result.Id;
  expect(second).not.toBe(first);
  expect((await call(runner, `inputset/delete/${first}`, {})).status).toBe(404);
});

test('who may not see the activity has no sets of it, and what no form sends is refused', async () => {
  expect((await save(stranger, 'Mine')).status).toBe(403);
  expect((await call(stranger, `inputsets/${ActivityId}`)).status).toBe(403);
  expect((await save(runner, '  ')).status).toBe(400);
  expect((await save(runner, 'x'.repeat(61))).status).toBe(400);
  expect((await save(runner, 'File', false, { Inputs: [{ ...Inputs[0], FileId: 'a' }] })).status).toBe(400);
});

test('there is an end to how many one keeps', async () => {
  const { knex } = app.database;
  const many = Array.from({ length: INPUT_SETS_MAX }, (_, at) => ({
    ActivityId,
    UserId: editor.UserId,
    Name: `Set ${at}`,
    Inputs: '[]',
  }));
  await knex('InputSets').insert(many);
  const { status, body } = await save(editor, 'One more');
  expect([status, body.message]).toEqual([409, 'No more than 100 input sets can be saved: delete one first']);
  expect((await save(editor, 'set 7')).status).toBe(200);
});

test('searches of a history are kept for their owner, each history its own', async () => {
  const saved = (user: User, Name: string, Search: string, of: number | null = ActivityId) =>
    call(user, 'runhistory/savesearch', { ActivityId: of, Name, Search });
  const names = async (user: User, of: number | null = ActivityId) =>
    (await call(user, 'runhistory/searches', { ActivityId: of })).body.result.map(
      ({ Name, Search }: { Name: string; Search: string }) => `${Name}: ${Search}`,
    );
  const { Id } = (await saved(runner, 'Failed', 'status=Failed')).body.result;
  await saved(runner, 'Everything', 'by=ada', null);
  expect((await saved(runner, 'failed', 'status=Failed&by=ada')).body.result.Id).toBe(Id);
  expect(await names(runner)).toEqual(['failed: status=Failed&by=ada']);
  expect(await names(runner, null)).toEqual(['Everything: by=ada']);
  expect(await names(other)).toEqual([]);
  expect((await call(other, `runhistory/deletesearch/${Id}`, {})).status).toBe(404);
  expect((await saved(runner, 'Script', '<script>')).status).toBe(400);
  expect((await saved(stranger, 'Failed', 'status=Failed')).status).toBe(404);
  expect((await call(runner, `runhistory/deletesearch/${Id}`, {})).status).toBe(200);
  expect(await names(runner)).toEqual([]);
});
