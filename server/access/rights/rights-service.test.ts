import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import type { RightName } from '#shared/contract/rights.ts';
import { isInScope, whereInScope } from './right-scope.ts';
import { createRightsService, type RightsService } from './rights-service.ts';

let database: TestDatabase;
let rights: RightsService;

beforeAll(async () => {
  database = await testDatabase();
  rights = createRightsService(database);
  const activity = { Type: 'Workbook', SingleRun: false, IsActive: true, DisplayInfo: '{}', Version: 1 };
  for (const Schema of ['Finance', 'Sales']) {
    await database.knex('Schemas').insert({ Name: Schema, DisplayName: Schema });
    for (const Name of ['a', 'b', 'c'].map((letter) => `${Schema} ${letter}`)) {
      await database.knex('Activities').insert({ ...activity, Schema, Name, NameKey: Name });
    }
  }
});
afterAll(() => database.drop());

const NAMES = { Source: 'Local', FirstName: 'A', LastName: 'B' };

async function addUser(name: string): Promise<{ UserId: number; IsUserAdmin: boolean }> {
  const [row] = (await database
    .knex('Users')
    .insert({ UserName: name, UserNameKey: name, ...NAMES })
    .returning('UserId')) as { UserId: number }[];
  return { UserId: row!.UserId, IsUserAdmin: false };
}

async function addToRole(UserId: number, RoleName: string, IsActive: boolean, right: RightName): Promise<void> {
  await database.knex('Roles').insert({ Name: RoleName, IsActive });
  await database.knex('RoleUsers').insert({ RoleName, UserId });
  const grant = { RightName: right, GranteeKind: 'role', Grantee: RoleName, Access: 1 };
  await database.knex('Grants').insert(grant);
}

/** Returns the same user as in another request. */
const again = <T extends object>(person: T): T => ({ ...person });

test('a right counts that an active role gives, not one of an inactive role', async () => {
  const user = await addUser('roles');
  await addToRole(user.UserId, 'Runners', true, 'sk.RunActivity');
  await addToRole(user.UserId, 'Former editors', false, 'sk.EditActivity');
  expect(await rights.explain(user, 'sk.RunActivity')).toEqual({
    access: true,
    source: 'role',
    role: 'Runners',
    keyColumn: '',
  });
  expect(await rights.has(user, 'sk.EditActivity')).toBe(false);
});

test('an administrator holds every right, and it says why', async () => {
  const admin = { ...(await addUser('root')), IsUserAdmin: true };
  await rights.grantToUser(database.knex, { UserId: admin.UserId, RightName: 'sk.ManageUsers', Access: -1 });
  expect(await rights.explain(admin, 'sk.ManageUsers')).toMatchObject({ access: true, impliedBy: 'IsUserAdmin' });
  expect(isInScope(await rights.scope(admin, 'sk.PurgeRuns'), { Schema: 'Any', Id: 1 })).toBe(true);
});

test('a right of one user is not that of another', async () => {
  const [mine, other] = [await addUser('mine'), await addUser('other')];
  await rights.grantToUser(database.knex, { UserId: mine.UserId, RightName: 'sk.ManageRoles', Access: 1 });
  expect(await rights.has(mine, 'sk.ManageRoles')).toBe(true);
  expect(await rights.has(other, 'sk.ManageRoles')).toBe(false);
});

test('grants are read once for a request, and again for the next', async () => {
  const user = await addUser('cached');
  expect(await rights.has(user, 'sk.ManageRoles')).toBe(false);
  await rights.grantToUser(database.knex, { UserId: user.UserId, RightName: 'sk.ManageRoles', Access: 1 });
  expect(await rights.has(user, 'sk.ManageRoles')).toBe(false);
  expect(await rights.has(again(user), 'sk.ManageRoles')).toBe(true);
});

test('a later grant of the same key takes the place of the earlier', async () => {
  const user = await addUser('changing');
  const grant = {
    UserId: user.UserId,
    RightName: 'sk.RunActivity',
    key: { column: 'Schema', value: 'Sales' },
  } as const;
  await rights.grantToUser(database.knex, { ...grant, Access: 1 });
  await rights.grantToUser(database.knex, { ...grant, Access: -1 });
  expect(await rights.has(user, 'sk.RunActivity', { Schema: 'Sales', Id: 1 })).toBe(false);
});

test('a right cannot be limited by a column it does not have', async () => {
  const { UserId } = await addUser('limits');
  const grant = { UserId, RightName: 'sk.CreateActivity', key: { column: 'Id', value: 1 }, Access: 1 } as const;
  await expect(rights.grantToUser(database.knex, grant)).rejects.toThrow('cannot be limited by Id');
});

test('a right limited to an object is held somewhere, but not for all', async () => {
  const user = await addUser('somewhere');
  const key = { column: 'Schema', value: 'Sales' };
  await rights.grantToUser(database.knex, { UserId: user.UserId, RightName: 'sk.EditActivity', key, Access: 1 });
  expect(await rights.has(user, 'sk.RunActivity')).toBe(false);
  expect(await rights.heldAnywhere(user, 'sk.RunActivity')).toBe(true);
  expect(await rights.heldAnywhere(user, 'sk.PurgeRuns')).toBe(false);
  await expect(rights.require(user, 'sk.PurgeRuns')).rejects.toMatchObject({ status: 403 });
});

test('a refusal says for the log which right was missing on which object, and why', async () => {
  const user = await addUser('refused');
  const key = { column: 'Schema', value: 'Sales' };
  await rights.grantToUser(database.knex, { UserId: user.UserId, RightName: 'sk.EditActivity', key, Access: -1 });
  const on = { Schema: 'Sales', Id: 1 };
  await expect(rights.require(user, 'sk.EditActivity', on)).rejects.toMatchObject({
    logged: { right: 'sk.EditActivity', on, why: { source: 'explicit', keyColumn: 'Schema' }, userId: user.UserId },
  });
  await expect(rights.require(user, 'sk.PurgeRuns')).rejects.toMatchObject({
    logged: { right: 'sk.PurgeRuns', on: 'all', why: { source: 'none' } },
  });
});

test('the database filters a list as has() answers one by one', async () => {
  const activities = (await database.knex('Activities').select('Id', 'Schema')) as { Id: number; Schema: string }[];
  const ids = activities.map(({ Id }) => Id);
  const everywhere = { ...(await addUser('filter-all')), IsUserAdmin: true };
  const all = database.knex('Activities as a').orderBy('a.Id').pluck('a.Id').where('a.Id', -1);
  const every = await rights.scope(everywhere, 'sk.RunActivity');
  void all.orWhere((part) => whereInScope(part, every, { Schema: 'a.Schema', Id: 'a.Id' }));
  expect(await all).toEqual(ids);
  const cases: { RightName: RightName; key?: { column: string; value: string | number }; Access: 1 | -1 }[][] = [
    [],
    [{ RightName: 'sk.RunActivity', Access: 1 }],
    [
      { RightName: 'sk.RunActivity', Access: 1 },
      { RightName: 'sk.RunActivity', key: { column: 'Schema', value: 'Sales' }, Access: -1 },
      { RightName: 'sk.RunActivity', key: { column: 'Id', value: ids[4]! }, Access: 1 },
    ],
    [
      { RightName: 'sk.EditActivity', key: { column: 'Schema', value: 'Finance' }, Access: 1 },
      { RightName: 'sk.EditActivity', key: { column: 'Id', value: ids[0]! }, Access: -1 },
      { RightName: 'sk.RunActivity', key: { column: 'Id', value: ids[1]! }, Access: -1 },
      { RightName: 'sk.RunActivity', key: { column: 'Id', value: ids[5]! }, Access: 1 },
    ],
  ];
  for (const [index, grants] of cases.entries()) {
    const user = await addUser(`filter${index}`);
    for (const grant of grants) await rights.grantToUser(database.knex, { UserId: user.UserId, ...grant });
    const scope = await rights.scope(user, 'sk.RunActivity');
    const query = database.knex('Activities as a').orderBy('a.Id').pluck('a.Id');
    whereInScope(query, scope, { Schema: 'a.Schema', Id: 'a.Id' });
    const expected: number[] = [];
    for (const { Id, Schema } of activities) {
      if (await rights.has(user, 'sk.RunActivity', { Id, Schema })) expected.push(Id);
    }
    expect(await query).toEqual(expected);
    const either = database.knex('Activities as a').orderBy('a.Id').pluck('a.Id').where('a.Id', -1);
    void either.orWhere((part) => whereInScope(part, scope, { Schema: 'a.Schema', Id: 'a.Id' }));
    expect(await either).toEqual(expected);
  }
});
