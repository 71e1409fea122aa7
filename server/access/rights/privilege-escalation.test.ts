/**
 * Tests that people cannot obtain rights that they were not given: neither directly, nor through roles or other
 * people's accounts.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity } from '#test/support/runs.ts';
import {
  bearer,
  createUser,
  encryptPasswords,
  grant,
  signedInUser,
  signIn,
  TEST_PASSWORD,
} from '#test/support/users.ts';

let app: TestApp;
let activityId: number;
beforeAll(async () => {
  app = await testApp();
  const { UserId } = await createUser(app);
  const schemas = ['Finance', 'General'].map((Name) => ({ Name, DisplayName: Name }));
  await app.database.knex('Schemas').insert(schemas);
  activityId = await insertActivity(app.database.knex, { UserId, Schema: 'Finance', Name: 'Loan schedule' });
});
afterAll(() => app.close());

type Caller = { headers: { authorization: string } };

async function post({ headers }: Caller, url: string, payload?: object) {
  const answer = await app.http.inject({ method: 'POST', url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, ...answer.json<{ message?: string; modelState?: object; result?: never }>() };
}
const status = async (...call: Parameters<typeof post>) => (await post(...call)).status;

async function administrator(): Promise<Caller & { UserId: number; UserName: string }> {
  const user = await createUser(app, { isUserAdmin: true });
  return { ...user, headers: bearer(await signIn(app, user)) };
}

let roles = 0;
/** Creates a role with one right, as an administrator. */
async function roleWith(path: string, change: 'grant' | 'deny' = 'grant'): Promise<string> {
  const admin = await administrator();
  const name = `role${++roles}`;
  await post(admin, `/api/roles/create/${name}`);
  const [right, ...key] = path.split('/');
  const url = `/api/rights/${right}/roles/${change}${key.map((part) => `/${part}`).join('')}`;
  expect(await status(admin, url, [name])).toBe(200);
  return name;
}

test('who manages rights gives themselves none, of whatever kind, and takes back no denial of theirs', async () => {
  const me = await signedInUser(app, ['sk.ManageRights', { right: 'sk.RunActivity', access: -1 }]);
  for (const right of ['sk.ManageUsers', 'sk.InternetAccess', 'sk.RunActivity', `sk.RunActivity`]) {
    const { message, ...answer } = await post(me, `/api/rights/${right}/users/grant`, [me.UserId]);
    const reason = 'You cannot grant rights that you do not have';
    expect([right, answer.status, message]).toEqual([right, 403, reason]);
    // In addition to the text that the screen shows for every 403.
    expect(answer.modelState).toEqual({ '': [reason] });
  }
  expect(await status(me, `/api/rights/sk.RunActivity/users/grant/Id/${activityId}`, [me.UserId])).toBe(403);
  expect(await status(me, '/api/rights/sk.RunActivity/users/delete', [me.UserId])).toBe(403);
  expect(await status(me, `/api/rights/sk.RunActivity/internet/grant/Id/${activityId}`)).toBe(403);
  const other = await createUser(app);
  // They may grant everyday rights to others. Among several grantees, each one is checked.
  expect(await status(me, '/api/rights/sk.RunActivity/users/grant', [other.UserId])).toBe(200);
  expect(await status(me, '/api/rights/sk.ViewRuns/users/grant', [other.UserId, me.UserId])).toBe(403);
  expect(await app.rights.has({ UserId: me.UserId, IsUserAdmin: false }, 'sk.RunActivity')).toBe(false);
});

test('a right over people is given by those who hold it alone, and to nobody by others', async () => {
  const me = await signedInUser(app, ['sk.ManageRights']);
  const other = await createUser(app);
  const role = await roleWith('sk.RunActivity');
  expect(await status(me, '/api/rights/sk.ManageUsers/users/grant', [other.UserId])).toBe(403);
  expect(await status(me, '/api/rights/sk.ManageUsers/roles/grant', [role])).toBe(403);
  // One is held, the other implied.
  expect(await status(me, '/api/rights/sk.ManageRights/users/grant', [other.UserId])).toBe(200);
  expect(await status(me, '/api/rights/sk.ViewSecurityMatrix/users/grant', [other.UserId])).toBe(200);
  expect(await status(await administrator(), '/api/rights/sk.ManageUsers/users/grant', [other.UserId])).toBe(200);
});

test('what is held of a schema may be given to oneself for an activity of it, and no further', async () => {
  const me = await signedInUser(app, ['sk.ManageRights', { right: 'sk.RunActivity', Schema: 'Finance' }]);
  expect(await status(me, `/api/rights/sk.RunActivity/users/grant/Id/${activityId}`, [me.UserId])).toBe(200);
  expect(await status(me, '/api/rights/sk.RunActivity/users/grant', [me.UserId])).toBe(403);
});

test('who manages roles enters none that gives more, leaves none that denies, and brings none to life that they are in', async () => {
  const me = await signedInUser(app, ['sk.ManageRoles', 'sk.RunActivity']);
  const [giving, denying] = [await roleWith('sk.PurgeRuns'), await roleWith('sk.ViewRuns', 'deny')];
  const admin = await administrator();
  expect(await status(me, `/api/roles/${giving}/include`, [me.UserId])).toBe(403);
  expect(await status(me, `/api/roles/${await roleWith('sk.RunActivity')}/include`, [me.UserId])).toBe(200);
  expect(await status(admin, `/api/roles/${denying}/include`, [me.UserId])).toBe(200);
  expect(await status(me, `/api/roles/${denying}/exclude`, [me.UserId])).toBe(403);
  expect(await status(me, `/api/roles/${denying}/disable`)).toBe(403);
  expect(await status(admin, `/api/roles/${giving}/disable`)).toBe(200);
  expect(await status(admin, `/api/roles/${giving}/include`, [me.UserId])).toBe(200);
  expect(await status(me, `/api/roles/${giving}/enable`)).toBe(403);
  // They may not add anybody else either, because that could be an accomplice.
  const other = await createUser(app);
  expect(await status(me, `/api/roles/${giving}/include`, [other.UserId])).toBe(403);
  expect(await status(me, `/api/roles/${await roleWith('sk.RunActivity')}/include`, [other.UserId])).toBe(200);
  expect(await status(me, `/api/roles/${denying}/exclude`, [other.UserId])).toBe(200);
  expect(await status(admin, `/api/roles/${denying}/include`, [other.UserId])).toBe(200);
  expect(await status(me, `/api/roles/${denying}/exclude`, [other.UserId])).toBe(403);
  const powerful = await roleWith('sk.ManageRights');
  expect(await status(me, `/api/roles/${powerful}/include`, [other.UserId])).toBe(403);
});

test('accounts of those who may do more with people cannot be taken over', async () => {
  const me = await signedInUser(app, ['sk.ManageUsers']);
  const target = await createUser(app, { rights: ['sk.ManageRights'] });
  const fields = { UserName: target.UserName, FirstName: 'X', MiddleName: '', LastName: '', Email: 'me@example.org' };
  expect(await status(me, '/api/users/update', { UserId: target.UserId, ...fields })).toBe(403);
  for (const call of ['disable', 'delete', 'apikeys/create', 'resetpassword/id']) {
    expect([call, await status(me, `/api/users/${call}/${target.UserId}`)]).toEqual([call, 403]);
  }
  const [Password] = await encryptPasswords(app.http, target.UserName, [TEST_PASSWORD]);
  expect(await status(me, '/api/users/setNewPassword', { UserName: target.UserName, Password })).toBe(403);
  await app.database.knex('Users').where({ UserId: target.UserId }).update({ SecondFactorOn: true });
  expect(await status(me, `/api/users/secondfactor/remove/${target.UserId}`)).toBe(403);
  // They fully manage people who hold no additional rights.
  for (const rights of [[], ['sk.ManageUserPasswords']] as const) {
    const user = await createUser(app, { rights: [...rights] });
    expect(await status(me, `/api/users/apikeys/create/${user.UserId}`)).toBe(200);
    expect(await status(me, `/api/users/disable/${user.UserId}`)).toBe(200);
    expect(await status(me, `/api/users/enable/${user.UserId}`)).toBe(200);
  }
});

/** Creates a user as that person, who then knows the password. */
async function makeUser(me: Caller, UserName: string): Promise<number> {
  const [Password] = await encryptPasswords(app.http, UserName, [TEST_PASSWORD]);
  const fields = { UserName, FirstName: 'X', MiddleName: '', LastName: '', Email: '', Password };
  const made = await post(me, '/api/users/create', fields);
  expect(made.status).toBe(200);
  return (made as unknown as { result: { UserId: number } }).result.UserId;
}

test('who makes users comes to no right through one of them: by roles or by grants, for all or for less', async () => {
  const denied = { right: 'sk.RunActivity', access: -1, Schema: 'Finance' } as const;
  const me = await signedInUser(app, ['sk.ManageUsers', 'sk.ManageRoles', 'sk.ManageRights', 'sk.RunActivity', denied]);
  const puppet = await makeUser(me, 'puppet');
  for (const role of [await roleWith('sk.PurgeRuns'), await roleWith('sk.RunActivity')]) {
    // The second role would give the user what the denial withholds from the person.
    expect(await status(me, `/api/roles/${role}/include`, [puppet])).toBe(403);
  }
  for (const right of ['sk.PurgeRuns', 'sk.RunActivity', 'sk.EditActivity', 'sk.InternetAccess']) {
    expect([right, await status(me, `/api/rights/${right}/users/grant`, [puppet])]).toEqual([right, 403]);
  }
  expect(await status(me, `/api/rights/sk.RunActivity/users/grant/Id/${activityId}`, [puppet])).toBe(403);
  expect(await status(me, '/api/rights/sk.RunActivity/users/grant/Schema/General', [puppet])).toBe(200);
  // The reverse order: the role gets its member first and its right afterwards.
  const role = `role${++roles}`;
  expect(await status(me, `/api/roles/create/${role}`)).toBe(200);
  expect(await status(me, `/api/roles/${role}/include`, [puppet])).toBe(200);
  expect(await status(me, '/api/rights/sk.PurgeRuns/roles/grant', [role])).toBe(403);
});

test('an account that may do more is not put into the hands of who sets passwords, nor brought back to life', async () => {
  const me = await signedInUser(app, ['sk.ManageUsers', 'sk.ViewRuns']);
  const role = await roleWith('sk.PurgeRuns');
  const target = await createUser(app);
  expect(await status(await administrator(), `/api/roles/${role}/include`, [target.UserId])).toBe(200);
  const reason = 'This user has rights that you do not have';
  const fields = { UserName: target.UserName, FirstName: 'X', MiddleName: '', LastName: '', Email: 'me@example.org' };
  const [Password] = await encryptPasswords(app.http, target.UserName, [TEST_PASSWORD]);
  const calls: [string, object?][] = [
    ['/api/users/update', { UserId: target.UserId, ...fields }],
    ['/api/users/setNewPassword', { UserName: target.UserName, Password }],
    [`/api/users/apikeys/create/${target.UserId}`],
  ];
  for (const [url, body] of calls) expect(await post(me, url, body)).toMatchObject({ status: 403, message: reason });
  expect(await status(me, '/api/users/update', { UserId: target.UserId, ...fields, Email: '' })).toBe(200);
  expect(await status(me, `/api/users/disable/${target.UserId}`)).toBe(200);
  expect(await post(me, `/api/users/enable/${target.UserId}`)).toMatchObject({ status: 403, message: reason });
  expect(await status(await administrator(), `/api/users/enable/${target.UserId}`)).toBe(200);
  // A person who holds as much may do so.
  await grant(app, me.UserId, 'sk.PurgeRuns');
  expect(await status(me, calls[1]![0], calls[1]![1])).toBe(200);
  expect(await status(me, calls[2]![0])).toBe(200);
});

test('a deleted role is gone with its rights, its users stay, and none that denies is deleted by who would gain', async () => {
  const me = await signedInUser(app, ['sk.ManageRoles']);
  const [giving, denying] = [await roleWith('sk.PurgeRuns'), await roleWith('sk.ViewRuns', 'deny')];
  const worker = await createUser(app, { rights: ['sk.ViewRuns'] });
  const admin = await administrator();
  for (const role of [giving, denying]) await post(admin, `/api/roles/${role}/include`, [worker.UserId]);
  const holds = (right: 'sk.PurgeRuns' | 'sk.ViewRuns') =>
    app.rights.has({ UserId: worker.UserId, IsUserAdmin: false }, right);
  expect([await holds('sk.PurgeRuns'), await holds('sk.ViewRuns')]).toEqual([true, false]);
  expect(await status(me, `/api/roles/${denying}/delete`)).toBe(403);
  expect(await status(me, `/api/roles/${giving}/delete`)).toBe(200);
  expect(await status(me, `/api/roles/${giving}/delete`)).toBe(404);
  expect(await status(admin, `/api/roles/${denying}/delete`)).toBe(200);
  expect([await holds('sk.PurgeRuns'), await holds('sk.ViewRuns')]).toEqual([false, true]);
  const { knex } = app.database;
  for (const RoleName of [giving, denying]) {
    expect(await knex('RoleUsers').where({ RoleName })).toEqual([]);
    expect(await knex('Grants').where({ GranteeKind: 'role', Grantee: RoleName })).toEqual([]);
    expect(await knex('SecurityActions').where({ Action: 'DeleteRole', TargetRole: RoleName })).toHaveLength(1);
  }
  // The name can be used again, and the new role has none of the old role's rights or members.
  expect(await status(me, `/api/roles/create/${giving}`)).toBe(200);
  expect(await status(me, `/api/roles/${giving}/include`, [worker.UserId])).toBe(200);
});

test('of two administrators who stop each other at the same moment, one stays', async () => {
  const { knex } = app.database;
  await knex('Users').where({ IsUserAdmin: true }).update({ IsUserAdmin: false });
  const [one, two] = [await administrator(), await administrator()];
  const answers = await Promise.all([
    post(one, `/api/users/disable/${two.UserId}`),
    post(two, `/api/users/delete/${one.UserId}`),
  ]);
  // One of them is refused: because no administrator would be left, or because its session has ended.
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  expect(await knex('Users').where({ IsUserAdmin: true, Enabled: true })).toHaveLength(1);
});
