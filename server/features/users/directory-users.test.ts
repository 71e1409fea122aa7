/** Tests users of directories and providers that administrators create. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkSignInSources } from '#server/config/sign-in-sources.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { makeCertificate, makeServerCertificate } from '#test/support/peers/certificates.ts';
import { DIRECTORY_SETTINGS, dnOf, PEOPLE, type DirectoryPeer } from '#test/support/peers/ldap-people.ts';
import { startLdapPeer } from '#test/support/peers/ldap.ts';
import { bearer, createUser, postToken, signedInUser, signIn } from '#test/support/users.ts';

const [grace, edsger] = PEOPLE;
const OIDC = {
  key: 'cloud',
  loginButtonLabel: 'Cloud',
  issuer: 'http://localhost:1',
  clientId: 'x',
  clientSecret: 'y',
};
const FIELDS = { FirstName: '', MiddleName: '', LastName: '', Email: '' };

let peer: DirectoryPeer;
let app: TestApp;
/** An app that keeps profiles from administrators, and has an unreachable directory. */
let own: TestApp;
let manager: Awaited<ReturnType<typeof signedInUser>>;

beforeAll(async () => {
  const authority = await makeCertificate('Test authority', { isAuthority: true });
  peer = await startLdapPeer(await makeServerCertificate(authority));
  const directory = { ...DIRECTORY_SETTINGS, urls: [peer.url], caFile: 'ca.pem' };
  const away = { ...directory, key: 'away', urls: ['ldaps://localhost:1'] };
  const signInSources = {
    ...checkSignInSources({ directories: [directory, away], oidc: [OIDC] }, '.'),
    readFile: () => authority.certificate,
  };
  [app, own] = await Promise.all([
    testApp({ signInSources }),
    testApp({ signInSources, settings: { profileDataFromAd: false } }),
  ]);
  manager = await signedInUser(app, ['sk.ManageUsers']);
});
afterAll(async () => {
  await Promise.all([app.close(), own.close()]);
  await peer.stop();
});

interface Answer {
  status: number;
  message?: string;
  modelState?: object;
  result: { UserId: number; Items: object[] } & Record<string, unknown>;
}

async function post(url: string, payload: object, headers: object = manager.headers, at = app): Promise<Answer> {
  const answer = await at.http.inject({ method: 'POST', url, headers: { ...headers }, payload });
  return { status: answer.statusCode, ...answer.json<Omit<Answer, 'status'>>() };
}
async function get(url: string, headers: object = manager.headers): Promise<Answer> {
  const answer = await app.http.inject({ url, headers: { ...headers } });
  return { status: answer.statusCode, ...answer.json<Omit<Answer, 'status'>>() };
}
const create = (fields: object, ...rest: [object?, TestApp?]) =>
  post('/api/users/create', { ...FIELDS, ...fields }, ...rest);

test('the directory is asked what it knows of a name, by those who manage users', async () => {
  const { result } = await get('/api/users/ad/profile/grace?SourceName=corp');
  const { givenName: FirstName, sn: LastName, mail: Email } = grace!;
  const source = { SourceName: 'corp', SourceUserName: 'grace', SourceInfo: dnOf('grace') };
  expect(result).toEqual({ ...source, FirstName, LastName, Email });
  expect((await get('/api/users/ad/profile/nobody?SourceName=corp')).status).toBe(404);
  expect((await get('/api/users/ad/profile/gra*?SourceName=corp')).status).toBe(404);
  expect((await get('/api/users/ad/profile/grace?SourceName=away')).status).toBe(503);
  const other = await signedInUser(app, ['sk.ManageUserPasswords']);
  expect((await get('/api/users/ad/profile/grace', other.headers)).status).toBe(403);
});

test('a user created from the directory has its names, can sign in without createUsers, and is shown with the source', async () => {
  expect((await postToken(app, 'gracie', grace!.password)).status).toBe(400);
  const given = { UserName: 'gracie', FirstName: 'Not', LastName: 'Her', Source: 'AD', SourceName: 'corp' };
  const { status, result } = await create({ ...given, SourceUserName: 'grace' });
  expect(status).toBe(200);
  const shown = (await get(`/api/users/profile/${result.UserId}`)).result;
  const source = { Source: 'AD', SourceName: 'corp', SourceUserName: 'grace', SourceInfo: dnOf('grace') };
  expect(shown).toMatchObject({ ...source, FirstName: 'Grace', LastName: 'Hopper', Email: 'grace@example.org' });
  expect((await get('/api/users?Search=gracie')).result.Items).toEqual([expect.objectContaining(source)]);
  expect((await postToken(app, 'gracie', grace!.password)).status).toBe(200);
  const actions = await app.database.knex('SecurityActions').where({ TargetUserName: 'gracie' }).pluck('Action');
  expect(actions).toEqual(['CreateUser']);
});

test('what cannot be made is refused at its field, and nothing is made', async () => {
  const problems = async (fields: object) => (await create({ UserName: 'edsger', Source: 'AD', ...fields })).modelState;
  expect(await problems({ SourceName: 'nowhere' })).toEqual({ SourceName: ['There is no such directory or provider'] });
  expect(await problems({ SourceName: 'oidc:cloud' })).toHaveProperty('SourceName');
  expect(await problems({ SourceName: 'corp', SourceUserName: 'nobody' })).toEqual({
    SourceUserName: ['The directory has no user of this name'],
  });
  expect(await problems({ SourceName: 'corp', SourceUserName: 'x'.repeat(51) })).toHaveProperty('SourceUserName');
  expect((await create({ UserName: 'edsger', Source: 'AD', SourceName: 'away' })).status).toBe(503);
  expect(await app.users.findByName('edsger')).toBeUndefined();
  expect((await create({ UserName: 'edsger', Source: 'AD', SourceName: 'corp' })).status).toBe(200);
  expect(await problems({ UserName: 'second', SourceName: 'corp', SourceUserName: 'edsger' })).toEqual({
    SourceUserName: ['Another user already uses this directory or provider name'],
  });
  const boss = { UserName: 'boss', Source: 'AD', SourceName: 'corp', SourceUserName: 'grace', IsUserAdmin: true };
  expect((await create(boss)).status).toBe(403);
});

test('a user of a provider is made by the name there; of a source, only administration can be changed', async () => {
  const given = { UserName: 'linus', FirstName: 'Linus', Source: 'SSO', SourceName: 'oidc:cloud' };
  const { result } = await create({ ...given, SourceUserName: '00u-Linus' });
  const { UserId } = result;
  const fields = { ...FIELDS, UserId, UserName: 'linus', FirstName: 'Linus' };
  expect((await post('/api/users/update', { ...fields, LastName: 'New' })).message).toMatch(
    /can be changed only for local/,
  );
  expect((await post('/api/users/update', { ...fields, IsUserAdmin: true })).status).toBe(403);
  const admin = await createUser(app, { isUserAdmin: true });
  const headers = bearer(await signIn(app, admin));
  expect((await post('/api/users/update', { ...fields, IsUserAdmin: true }, headers)).status).toBe(200);
  expect(await app.users.findById(UserId)).toMatchObject({ IsUserAdmin: true, Source: 'SSO', PasswordHash: null });
});

test('without ProfileDataFromAD what the administrator wrote stays, and the directory is not needed', async () => {
  const { headers } = await signedInUser(own, ['sk.ManageUsers']);
  const given = { UserName: 'edsger', FirstName: 'Wybe', Source: 'AD', SourceName: 'corp' };
  expect((await create(given, headers, own)).status).toBe(200);
  expect((await create({ ...given, SourceName: 'away', UserName: 'far' }, headers, own)).status).toBe(200);
  expect((await postToken(own, 'edsger', edsger!.password)).status).toBe(200);
  expect(await own.users.findByName('edsger')).toMatchObject({ FirstName: 'Wybe', LastName: '', Email: '' });
});

test('without ProfileDataFromAD names and e-mail of directory users are edited here, and signing in leaves them so', async () => {
  const { headers } = await signedInUser(own, ['sk.ManageUsers']);
  const given = { UserName: 'gracie', FirstName: 'Grace', Source: 'AD', SourceName: 'corp', SourceUserName: 'grace' };
  const { UserId } = (await create(given, headers, own)).result;
  const fields = {
    UserId,
    UserName: 'gracie',
    FirstName: 'Amazing',
    MiddleName: 'B.',
    LastName: 'Hopper',
    Email: 'g@x.org',
  };
  expect((await post('/api/users/update', fields, headers, own)).status).toBe(200);
  expect((await post('/api/users/update', { ...fields, UserName: 'other' }, headers, own)).status).toBe(400);
  expect((await post('/api/users/update', { ...fields, Email: 'nowhere' }, headers, own)).modelState).toHaveProperty(
    'Email',
  );
  expect((await postToken(own, 'gracie', grace!.password)).status).toBe(200);
  expect(await own.users.findById(UserId)).toMatchObject({
    FirstName: 'Amazing',
    LastName: 'Hopper',
    Email: 'g@x.org',
  });
  const actions = await own.database.knex('SecurityActions').where({ TargetUserName: 'gracie' }).pluck('Action');
  expect(actions).toEqual(['CreateUser', 'UpdateUser']);
});
