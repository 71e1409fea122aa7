import { expect } from 'vitest';
import type { ManagedSchema } from '#shared/contract/schemas.ts';
import { ensureSchemas } from './schemas-service.ts';
import { test as base } from '#test/support/fixtures/run-portal.ts';
import { bearer, createUser, signIn } from '#test/support/users.ts';

const PATH = '/api/admin/schemas';

const test = base.extend('schemas', { scope: 'file', auto: true }, async ({ portal }) => {
  const list = async (): Promise<ManagedSchema[]> =>
    (await portal.app.http.inject({ url: PATH, headers: admin })).json().result.Items;
  const names = async () => (await list()).map(({ Name }) => Name);
  const found = async (name: string) => (await list()).find(({ Name }) => Name === name);

  async function post(what: string, payload: object, headers = admin) {
    const { statusCode, body } = await portal.app.http.inject({
      method: 'POST',
      url: `${PATH}/${what}`,
      headers,
      payload,
    });
    return [statusCode, body] as const;
  }

  const shownSchemas = async (): Promise<{ Name: string; DisplayName: string }[]> =>
    (await portal.app.http.inject({ url: '/api/activities', headers: portal.owner.headers })).json().result.Schemas;
  await ensureSchemas(portal.app.database, []);
  const admin = bearer(await signIn(portal.app, await createUser(portal.app, { isUserAdmin: true })));
  return { admin, names, found, post, shownSchemas };
});

test('is for administrators of users alone', async ({ portal, schemas: { post } }) => {
  const { headers } = portal.owner;
  expect((await portal.app.http.inject({ url: PATH, headers })).statusCode).toBe(403);
  for (const what of ['create', 'rename', 'order', 'delete']) {
    const body = { Name: 'X', DisplayName: 'X', Names: [] };
    const own =
      what === 'order' ? { Names: body.Names } : what === 'delete' ? { Name: 'X' } : { Name: 'X', DisplayName: 'X' };
    expect((await post(what, own, headers as never))[0], what).toBe(403);
  }
});

test('one is made behind the others, is there to choose at once, and is deleted while nothing belongs to it', async ({
  portal,
  schemas: { post, names, admin },
}) => {
  expect(await post('create', { Name: ' Treasury ', DisplayName: 'Treasury' })).toEqual([200, '{"result":null}']);
  expect((await names()).at(-1)).toBe('Treasury');
  const choices = await portal.app.http.inject({ url: '/api/activities/create/allowedSchemas', headers: admin });
  expect(choices.json().result.Items).toContainEqual({ Name: 'Treasury' });
  for (const Name of ['treasury', '  ', 'a,b', 'a\nb', 'x'.repeat(31)]) {
    expect((await post('create', { Name, DisplayName: 'X' }))[0], Name).toBe(400);
  }
  expect((await post('delete', { Name: 'Treasury' }))[0]).toBe(200);
  expect(await names()).not.toContain('Treasury');
  expect((await post('delete', { Name: 'Treasury' }))[0]).toBe(404);
});

test('one that activities belong to, rights are limited to, or each start makes, is not deleted', async ({
  portal,
  schemas: { post, found },
}) => {
  const { knex } = portal.app.database;
  const { Schema } = (await knex('Activities').where({ Id: portal.ActivityId }).first('Schema')) as { Schema: string };
  expect(await post('delete', { Name: Schema })).toMatchObject([409, expect.stringMatching(/1 activity/)]);
  expect(await post('delete', { Name: 'Samples' })).toMatchObject([409, expect.stringMatching(/at each start/)]);
  await post('create', { Name: 'Limited', DisplayName: 'Limited' });
  const grant = { RightName: 'sk.RunActivity', KeyColumnName: 'Schema', KeyColumnValue: 'Limited' };
  await knex('Grants').insert({ ...grant, GranteeKind: 'user', Grantee: String(portal.owner.UserId), Access: 1 });
  expect(await post('delete', { Name: 'Limited' })).toMatchObject([409, expect.stringMatching(/1 right/)]);
  expect(await found('Limited')).toMatchObject({ Activities: 0, Grants: 1, IsPermanent: false });
  await knex('Grants').where(grant).delete();
});

test('another name and another order show in the list of activities, which is kept in memory, at once', async ({
  portal,
  schemas: { shownSchemas, post, names, found },
}) => {
  const { knex } = portal.app.database;
  const { Schema } = (await knex('Activities').where({ Id: portal.ActivityId }).first('Schema')) as { Schema: string };
  const before = (await shownSchemas()).find(({ Name }) => Name === Schema);
  expect(before?.DisplayName).not.toBe('Figures of the month');
  await post('rename', { Name: Schema, DisplayName: ' Figures of the month ' });
  expect(await shownSchemas()).toContainEqual(
    expect.objectContaining({ Name: Schema, DisplayName: 'Figures of the month' }),
  );
  const reversed = (await names()).reverse();
  expect((await post('order', { Names: reversed }))[0]).toBe(200);
  expect(await names()).toEqual(reversed);
  const order = (await found(Schema))!.Order;
  expect(await shownSchemas()).toContainEqual(expect.objectContaining({ Name: Schema, Order: order }));
  for (const Names of [reversed.slice(1), [...reversed, 'New'], reversed.map(() => reversed[0])]) {
    expect((await post('order', { Names }))[0]).toBe(409);
  }
  expect((await post('rename', { Name: Schema, DisplayName: '  ' }))[0]).toBe(400);
  expect((await post('rename', { Name: 'Nowhere', DisplayName: 'X' }))[0]).toBe(404);
});

test('what was made, renamed and deleted is in the log of security actions', async ({ portal, schemas: { post } }) => {
  const { knex } = portal.app.database;
  const since = Number((await knex('SecurityActions').max({ Id: 'Id' }))[0]!['Id']);
  await post('create', { Name: 'Logged', DisplayName: 'Logged' });
  await post('rename', { Name: 'Logged', DisplayName: 'Other' });
  await post('rename', { Name: 'Logged', DisplayName: 'Other' });
  await post('delete', { Name: 'Logged' });
  const logged = await knex('SecurityActions').where('Id', '>', since).orderBy('Id').select('Action', 'KeyColumnValue');
  expect(logged).toEqual(
    ['CreateSchema', 'RenameSchema', 'DeleteSchema'].map((Action) => ({ Action, KeyColumnValue: 'Logged' })),
  );
});
