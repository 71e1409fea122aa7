/** A dashboard is created once per idempotency key. */
import { expect, test as base } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { signedInUser } from '#test/support/users.ts';

const test = base
  .extend('app', { scope: 'file' }, async ({}, { onCleanup }) => {
    const app = await testApp();
    onCleanup(() => app.close());
    return app;
  })
  .extend('owner', async ({ app }) => signedInUser(app))
  .extend('save', async ({ app, owner }) => {
    const draft = { Id: null, Revision: 0, Name: 'Sales', Tiles: [] };
    return async (key: string | null, changes: object = {}, by = owner) => {
      const headers = { ...by.headers, ...(key === null ? {} : { 'idempotency-key': key }) };
      const payload = { ...draft, ...changes };
      const answer = await app.http.inject({ method: 'POST', url: '/api/dashboards/save', headers, payload });
      return { status: answer.statusCode, body: answer.json() };
    };
  })
  .extend('namesOf', ({ app }) => async (UserId: number) => {
    return (await app.database.knex('Dashboards').where({ UserId }).orderBy('Id').pluck('Name')) as string[];
  });

test('the same call with the same key creates one dashboard, also at the same time', async ({
  save,
  owner,
  namesOf,
}) => {
  const answers = await Promise.all([save('"one"'), save('one'), save('one')]);
  const [first] = answers;
  expect(first).toMatchObject({ status: 200, body: { result: { Revision: 1 } } });
  expect(answers.map(({ body }) => body.result)).toEqual(answers.map(() => first!.body.result));
  expect((await save('one')).body.result).toEqual(first!.body.result);
  expect(await namesOf(owner.UserId)).toEqual(['Sales']);
});

test('without a key, or with another one, each call creates a dashboard', async ({ save, owner, namesOf }) => {
  for (const key of [null, null, 'one', 'two']) expect((await save(key)).status).toBe(200);
  expect(await namesOf(owner.UserId)).toEqual(['Sales', 'Sales', 'Sales', 'Sales']);
});

test('the same key with other content is refused, and one that cannot be a key as well', async ({
  save,
  owner,
  namesOf,
}) => {
  await save('one');
  const { status, body } = await save('one', { Name: 'Costs' });
  expect([status, body.message]).toEqual([409, 'The Idempotency-Key belongs to another call']);
  expect((await save('two words')).status).toBe(400);
  expect(await namesOf(owner.UserId)).toEqual(['Sales']);
});

test('a repeated call returns the dashboard although it was changed since, and does not undo the change', async ({
  save,
  owner,
  namesOf,
}) => {
  const { result } = (await save('one')).body;
  await save(null, { Id: result.Id, Revision: 1, Name: 'Costs' });
  expect((await save('one')).body.result).toEqual(result);
  expect(await namesOf(owner.UserId)).toEqual(['Costs']);
});

test('a repeated call does not bring back a deleted dashboard', async ({ app, save, owner, namesOf }) => {
  const { result } = (await save('one')).body;
  await app.http.inject({ method: 'POST', url: `/api/dashboards/delete/${result.Id}`, headers: owner.headers });
  expect(await save('one')).toMatchObject({
    status: 409,
    body: { message: 'This was already created, and has since been deleted' },
  });
  expect(await namesOf(owner.UserId)).toEqual([]);
});

test('people do not share keys', async ({ app, save, owner, namesOf }) => {
  const other = await signedInUser(app);
  const [own, theirs] = [await save('one'), await save('one', {}, other)];
  expect(theirs.body.result.Id).not.toBe(own.body.result.Id);
  expect([await namesOf(owner.UserId), await namesOf(other.UserId)]).toEqual([['Sales'], ['Sales']]);
});

test('a refused call uses no key, and keys are forgotten after 30 days', async ({ app, save, owner }) => {
  const { knex, dialect } = app.database;
  const keys = (): Promise<string[]> => knex('CreationKeys').where('UserId', owner.UserId).pluck('UniqueId');
  expect((await save('bad', { Tiles: [{}] })).status).toBe(400);
  expect(await keys()).toEqual([]);
  await save('old');
  await knex('CreationKeys').update({ CreateTime: dialect.nowPlus(knex, -31 * 86_400) });
  await save('new');
  expect(await keys()).toEqual(['new']);
});
