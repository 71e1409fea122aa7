import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EnableOutcome, ImportedUser, ImportOutcome, PreviewedUser } from '#shared/contract/user-import.ts';
import { createMailSender } from '#server/mail/mail-sender.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { MAIL_SERVER_CERTIFICATE, MAIL_USER, startSmtpPeer, type SmtpPeer } from '#test/support/peers/smtp.ts';
import { bearer, createUser, signedInUser, signIn } from '#test/support/users.ts';

let app: TestApp;
let mails: SmtpPeer;
let mailing: TestApp;
beforeAll(async () => {
  mails = await startSmtpPeer({
    onRcptTo: ({ address }, _session, done) => done(address.startsWith('gone') ? new Error('No such box') : null),
  });
  const settings = {
    smtpHost: 'localhost',
    smtpPort: mails.port,
    smtpUser: MAIL_USER.name,
    smtpPassword: MAIL_USER.password,
    mailFrom: 'runsheet@example.com',
    publicUrl: 'https://portal.example.com',
  };
  const mail = createMailSender({ smtpSecurity: 'starttls', ...settings }, { ca: MAIL_SERVER_CERTIFICATE });
  [app, mailing] = await Promise.all([testApp(), testApp({ settings, mail })]);
});
afterAll(async () => {
  await Promise.all([app.close(), mailing.close()]);
  await mails.stop();
});

type Headers = { authorization: string };

type Answer<T> = { result: T; message?: string };

async function post<T>(
  headers: Headers,
  path: string,
  payload: object,
  on = app,
): Promise<Answer<T> & { status: number }> {
  const answer = await on.http.inject({ method: 'POST', url: `/api/users/${path}`, headers, payload });
  return { status: answer.statusCode, ...answer.json<Answer<T>>() };
}

const preview = (headers: Headers, Text: string, Roles: string[] = [], on = app) =>
  post<{ Users: PreviewedUser[]; UnusedColumns: string[] }>(
    headers,
    'import/preview',
    { Text, Roles, NameFrom: 'LocalPart' },
    on,
  );

const person = (UserName: string, changes: Partial<ImportedUser> = {}): ImportedUser => ({
  UserId: null,
  UserName,
  FirstName: 'Ann',
  MiddleName: '',
  LastName: 'Lee',
  Email: `${UserName}@x.test`,
  Roles: [],
  ...changes,
});

const create = (headers: Headers, Users: ImportedUser[], on = app) =>
  post<{ Outcomes: ImportOutcome[] }>(headers, 'import', { Users }, on);

async function createRole(on: TestApp, Name: string, right?: string): Promise<void> {
  await on.database.knex('Roles').insert({ Name, IsActive: true });
  if (right === undefined) return;
  const grant = { RightName: right, KeyColumnName: '', KeyColumnValue: '', GranteeKind: 'role', Grantee: Name };
  await on.database.knex('Grants').insert({ ...grant, Access: 1 });
}

const rolesOf = async (UserId: number): Promise<string[]> =>
  (await app.database.knex('RoleUsers').where({ UserId }).orderBy('RoleName').pluck('RoleName')) as string[];

async function administrator(on = app): Promise<Headers> {
  return bearer(await signIn(on, await createUser(on, { isUserAdmin: true })));
}

test('a preview says of each person: new, existing, twice there or why not, and changes nothing', async () => {
  const admin = await administrator();
  await createRole(app, 'Sales');
  const known = await createUser(app, { userName: 'known' });
  await app.database.knex('Users').where(known).update({ Email: 'Known@x.test' });
  const other = await createUser(app, { userName: 'other' });
  await app.database.knex('Users').where(other).update({ Email: 'somebody@else.test' });
  await app.database.knex('RoleUsers').insert({ RoleName: 'Sales', UserId: known.UserId });
  const before = await app.database.knex('Users').count();
  const text = 'nina@x.test; known@x.test; NINA@x.test; other@x.test; no address; a&b@x.test';
  const { result } = await preview(admin, text, ['sales']);
  expect(result.Users.map(({ UserName, State, UserId, Roles, Problems }) => [UserName, State, UserId, Roles, Problems])) //
    .toEqual([
      ['nina', 'New', null, ['Sales'], []],
      ['known', 'Existing', known.UserId, [], []],
      ['NINA', 'Duplicate', null, ['Sales'], []],
      ['other', 'Invalid', null, ['Sales'], ["The user name 'other' belongs to a user with another address"]],
      ['', 'Invalid', null, ['Sales'], ["'no address' is not a valid email address"]],
      ['a&b', 'Invalid', null, ['Sales'], ['User name contains disallowed characters']],
    ]);
  expect(await app.database.knex('Users').count()).toEqual(before);
  const unknownRole = await preview(admin, 'Email,Roles\nzoe@x.test,Nowhere', []);
  expect(unknownRole.result.Users).toMatchObject([{ State: 'Invalid', Problems: ["There is no role 'Nowhere'"] }]);
  expect(await preview(admin, ' ; ')).toMatchObject({ status: 400, message: 'The list contains nobody.' });
});

test('two people whose addresses begin in the same way are not taken for one', async () => {
  const { result } = await preview(await administrator(), 'eva.b@a.test; Eva.B@b.test; EVA.B@a.test');
  expect(result.Users.map(({ Email, State, Problems }) => [Email, State, Problems])).toEqual([
    ['eva.b@a.test', 'New', []],
    ['Eva.B@b.test', 'Invalid', ["The user name 'Eva.B' is also in line 1, with another address"]],
    ['EVA.B@a.test', 'Duplicate', []],
  ]);
});

test('users are created with roles and links, existing ones get roles, and one failure stops no other', async () => {
  const admin = await administrator();
  await createRole(app, 'Audit');
  const existing = await createUser(app, { userName: 'olga' });
  const users = [
    person('first', { Roles: ['Audit'] }),
    person('olga'),
    person('olga', { UserId: existing.UserId, Roles: ['Audit'] }),
    person('second'),
  ];
  const { result, status } = await create(admin, users);
  expect(status).toBe(200);
  expect(result.Outcomes).toMatchObject([
    { UserName: 'first', IsCreated: true, IsMailed: false, Roles: ['Audit'], Problems: [] },
    { UserName: 'olga', IsCreated: false, UserId: null, Problems: ['A user with this name already exists'] },
    { UserName: 'olga', IsCreated: false, UserId: existing.UserId, Roles: ['Audit'], Problems: [] },
    { UserName: 'second', IsCreated: true, Roles: [], Problems: [] },
  ]);
  expect(result.Outcomes[0]!.SetPasswordPath).toMatch(/^resetpassword\?token=/);
  expect(await rolesOf(result.Outcomes[0]!.UserId!)).toEqual(['Audit']);
  expect(await rolesOf(existing.UserId)).toEqual(['Audit']);
});

test('with a mail server each new user gets an invitation, and who gets none is named with the reason', async () => {
  const admin = await administrator(mailing);
  const { result } = await create(admin, [person('hal'), person('gone')], mailing);
  expect(result.Outcomes).toMatchObject([
    { UserName: 'hal', IsCreated: true, IsMailed: true, SetPasswordPath: null, Problems: [] },
    { UserName: 'gone', IsCreated: true, IsMailed: false, Problems: [expect.stringContaining('No such box')] },
  ]);
  expect(mails.mails.map(({ to }) => to)).toEqual([['hal@x.test']]);
  const unaddressed = await preview(admin, 'UserName,FirstName,Email\nida,Ida,', [], mailing);
  expect(unaddressed.result.Users).toMatchObject([
    { State: 'Invalid', Problems: ['There is no email address for the link to set the password'] },
  ]);
});

test('nobody puts people into roles that grant what they do not hold, and then nobody is created', async () => {
  await createRole(app, 'Powerful', 'sk.ViewSecurityActions');
  const { headers: manager } = await signedInUser(app, ['sk.ManageUsers']);
  const { headers } = await signedInUser(app, ['sk.ManageUsers', 'sk.ManageRoles']);
  expect((await preview(manager, 'pia@x.test', ['Powerful'])).status).toBe(403);
  expect((await create(manager, [person('pia', { Roles: ['Powerful'] })])).status).toBe(403);
  expect((await preview(headers, 'pia@x.test', ['Powerful'])).result.Users).toMatchObject([
    { State: 'Invalid', Problems: ['You cannot grant rights that you do not have'] },
  ]);
  expect((await create(headers, [person('rosa'), person('pia', { Roles: ['Powerful'] })])).status).toBe(403);
  expect(await app.database.knex('Users').whereIn('UserName', ['rosa', 'pia'])).toEqual([]);
  expect((await create((await signedInUser(app)).headers, [person('pia')])).status).toBe(403);
});

test('several users are disabled and enabled, and who may not be changed is named', async () => {
  const { headers, ...me } = await signedInUser(app, ['sk.ManageUsers']);
  const [tom, una] = [await createUser(app), await createUser(app)];
  const boss = await createUser(app, { isUserAdmin: true });
  const set = async (Enabled: boolean, UserIds: number[]) =>
    (await post<{ Outcomes: EnableOutcome[] }>(headers, 'setEnabled', { UserIds, Enabled })).result.Outcomes;
  expect(await set(false, [tom.UserId])).toEqual([{ ...tom, IsChanged: true, Problem: null }]);
  expect(await set(false, [tom.UserId, una.UserId, me.UserId, boss.UserId, 1_000_000])).toMatchObject([
    { ...tom, IsChanged: false, Problem: null },
    { ...una, IsChanged: true, Problem: null },
    { UserId: me.UserId, IsChanged: false, Problem: 'You cannot disable or delete yourself' },
    { ...boss, IsChanged: false, Problem: 'You do not have permissions for this operation' },
    { UserName: '', IsChanged: false, Problem: 'There is no such user' },
  ]);
  expect((await set(true, [tom.UserId, una.UserId])).every(({ IsChanged }) => IsChanged)).toBe(true);
});
