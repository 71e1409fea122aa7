import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMailSender } from '#server/mail/mail-sender.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import {
  MAIL_SERVER_CERTIFICATE,
  MAIL_USER,
  startSmtpPeer,
  type ReceivedMail,
  type SmtpPeer,
} from '#test/support/peers/smtp.ts';
import { until } from '#test/support/until.ts';
import {
  createUser,
  encryptPasswords,
  postToken,
  signedInUser,
  signIn,
  bearer,
  TEST_PASSWORD,
} from '#test/support/users.ts';

const NEW_PASSWORD = 'Another-Horse-8';

let mails: SmtpPeer;
let app: TestApp;
/** Mails that are held back until the test releases them. */
let isSilent = false;
const held: (() => void)[] = [];

beforeAll(async () => {
  mails = await startSmtpPeer({
    onMailFrom: (_address, _session, done) => void (isSilent ? held.push(done) : done()),
  });
  const settings = {
    smtpHost: 'localhost',
    smtpPort: mails.port,
    smtpUser: MAIL_USER.name,
    smtpPassword: MAIL_USER.password,
    mailFrom: 'runsheet@example.com',
    publicUrl: 'https://portal.example.com',
    title: 'Reports',
    smtpSecurity: 'starttls' as const,
  };
  app = await testApp({ settings, mail: createMailSender(settings, { ca: MAIL_SERVER_CERTIFICATE }) });
});
afterAll(async () => {
  await app.close();
  await mails.stop();
});

async function userWithMail(userName: string, Email = `${userName}@example.com`) {
  const user = await createUser(app, { userName });
  await app.database.knex('Users').where({ UserId: user.UserId }).update({ Email });
  return user;
}

const ask = async (name: string, headers: Record<string, string> = {}) => {
  const url = `/api/users/resetpassword/name/${name}`;
  const answer = await app.http.inject({ method: 'POST', url, headers });
  return { status: answer.statusCode, body: answer.json<{ result?: null; message?: string }>() };
};

const mailTo = (address: string): Promise<ReceivedMail> =>
  until(`a mail to ${address}`, () => mails.mails.findLast(({ to }) => to.includes(address)));

function tokenIn({ source }: ReceivedMail): string {
  const text = source.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
  const [, token = ''] = /https:\/\/portal\.example\.com\/resetpassword\?token=([\w-]{43})/.exec(text) ?? [];
  return token;
}

async function reset(userName: string, Token: string, password = NEW_PASSWORD) {
  const [Password] = await encryptPasswords(app.http, userName, [password]);
  const payload = { UserName: userName, Password, Token };
  const answer = await app.http.inject({ method: 'POST', url: '/api/users/resetpassword', payload });
  return { status: answer.statusCode, ...answer.json<{ result?: null; message?: string }>() };
}

const linksOf = async (UserId: number) => (await app.database.knex('PasswordLinks').where({ UserId })) as object[];

test('who forgot the password gets a mail, and sets another by its link, once', async () => {
  const user = await userWithMail('anna');
  const session = await signIn(app, user);
  // The link never uses the address of a forged request.
  expect(await ask('Anna', { host: 'evil.example.com' })).toEqual({ status: 200, body: { result: null } });
  const mail = await mailTo('anna@example.com');
  expect(mail.source).toContain('Subject: Reports: reset your password');
  expect(mail.source).not.toContain('evil');
  const token = tokenIn(mail);
  expect(JSON.stringify(await linksOf(user.UserId))).not.toContain(token);
  expect((await reset('anna', token, 'weak')).message).toMatch(/^Password must be at least 8 characters/);
  expect(await reset('anna', token)).toEqual({ status: 200, result: null });
  expect((await postToken(app, 'anna', TEST_PASSWORD)).status).toBe(400);
  expect((await postToken(app, 'anna', NEW_PASSWORD)).status).toBe(200);
  const call = await app.http.inject({
    method: 'POST',
    url: '/api/users/profile',
    headers: bearer(session),
    payload: [],
  });
  expect(call.statusCode).toBe(401);
  expect(await reset('anna', token)).toMatchObject({
    status: 400,
    message: expect.stringContaining('no longer valid'),
  });
  const actions = app.database.knex('SecurityActions').where({ TargetUserName: 'anna' });
  expect(await actions.pluck('Action')).toContain('ResetPassword');
});

test('the answer says the same, before any mail is sent, whether there is such a user or not', async () => {
  await userWithMail('bert');
  isSilent = true;
  const known = await ask('bert');
  const unknown = await ask('nobody');
  await until('the mail server is asked', () => held.length > 0);
  expect(mails.mails.filter(({ to }) => to.includes('bert@example.com'))).toEqual([]);
  expect(known).toEqual(unknown);
  isSilent = false;
  for (const go of held.splice(0)) go();
  await mailTo('bert@example.com');
});

test('a link is good for its own user alone, and for an hour', async () => {
  const carl = await userWithMail('carl');
  await userWithMail('dora');
  await ask('carl');
  const token = tokenIn(await mailTo('carl@example.com'));
  expect((await reset('dora', token)).status).toBe(400);
  expect((await reset('nobody', token)).status).toBe(400);
  const { knex, dialect } = app.database;
  const age = (seconds: number) =>
    knex('PasswordLinks')
      .where({ UserId: carl.UserId })
      .update({ ExpiryTime: dialect.plusSeconds(knex, 'ExpiryTime', -seconds) });
  await age(3500);
  expect((await linksOf(carl.UserId)).length).toBe(1);
  await age(101);
  expect((await reset('carl', token)).status).toBe(400);
  expect((await postToken(app, 'carl', TEST_PASSWORD)).status).toBe(200);
});

test('no mail goes to the disabled, to those without a local password, nor ever more than five to one', async () => {
  const off = await userWithMail('emil');
  await app.database.knex('Users').where({ UserId: off.UserId }).update({ Enabled: false });
  const elsewhere = await userWithMail('fred');
  await app.database.knex('Users').where({ UserId: elsewhere.UserId }).update({ Source: 'AD' });
  const flooded = await userWithMail('gina');
  for (const name of ['emil', 'fred', 'gina', 'gina', 'gina', 'gina', 'gina']) {
    await ask(name);
    const settled = async () => name !== 'gina' || (await linksOf(flooded.UserId)).length;
    await until('the request was worked on', settled);
  }
  const sent = () => mails.mails.filter(({ to }) => to.includes('gina@example.com'));
  await until('five mails', () => sent().length === 5);
  await ask('gina');
  await userWithMail('hugo');
  await ask('hugo');
  await mailTo('hugo@example.com');
  expect(sent().length).toBe(5);
  expect(mails.mails.filter(({ to }) => /emil|fred/.test(to.join()))).toEqual([]);
});

test('links end with another password, another address, or the user being disabled', async () => {
  const { headers } = await signedInUser(app, ['sk.ManageUsers', 'sk.ManageUserPasswords']);
  const user = await userWithMail('ines');
  const post = (url: string, payload?: object) => app.http.inject({ method: 'POST', url, headers, payload });
  const names = { UserName: 'ines', FirstName: 'Ines', MiddleName: '', LastName: '' };
  const ends = [
    async () => {
      const [Password] = await encryptPasswords(app.http, 'ines', [NEW_PASSWORD]);
      return post('/api/users/setNewPassword', { UserName: 'ines', Password });
    },
    () => post('/api/users/update', { UserId: user.UserId, ...names, Email: 'other@example.com' }),
    () => post(`/api/users/disable/${user.UserId}`),
  ];
  for (const end of ends) {
    expect((await post(`/api/users/resetpassword/id/${user.UserId}`)).json()).toEqual({ result: null });
    expect((await linksOf(user.UserId)).length).toBe(1);
    expect((await end()).statusCode).toBe(200);
    expect(await linksOf(user.UserId)).toEqual([]);
  }
  const actions = app.database.knex('SecurityActions').where({ TargetUserName: 'ines', Action: 'SendPasswordLink' });
  expect(await actions.pluck('Action')).toHaveLength(3);
});

test('a new user without a password gets a mail with a link, in the language of the person who invites', async () => {
  const { headers, UserId } = await signedInUser(app, ['sk.ManageUsers']);
  await app.database.knex('Users').where({ UserId }).update({ Language: 'de' });
  const create = async (UserName: string, Email: string) => {
    const payload = { UserName, FirstName: 'New', MiddleName: '', LastName: '', Email };
    return app.http.inject({ method: 'POST', url: '/api/users/create', headers, payload });
  };
  expect((await create('jana', 'jana@example.com')).json()).toEqual({ result: { UserId: expect.any(Number) } });
  const mail = await mailTo('jana@example.com');
  expect(mail.source).toContain('Subject: Reports: Kennwort festlegen');
  expect((await postToken(app, 'jana', '')).status).toBe(400);
  expect((await reset('jana', tokenIn(mail))).status).toBe(200);
  expect((await postToken(app, 'jana', NEW_PASSWORD)).status).toBe(200);
  expect((await create('kurt', '')).json()).toMatchObject({ modelState: { Email: [expect.any(String)] } });
});

test('if the mail server refuses, the person who creates the user or sends a link is notified', async () => {
  const { headers } = await signedInUser(app, ['sk.ManageUsers', 'sk.ManageUserPasswords']);
  const payload = { UserName: 'lena', FirstName: 'L', MiddleName: '', LastName: '', Email: 'lena@example..com' };
  const made = await app.http.inject({ method: 'POST', url: '/api/users/create', headers, payload });
  const { UserId, Warning } = made.json<{ result: { UserId: number; Warning: string } }>().result;
  expect(Warning).not.toBe('');
  const url = `/api/users/resetpassword/id/${UserId}`;
  expect((await app.http.inject({ method: 'POST', url, headers })).statusCode).toBe(400);
});

test('without a mail server or an address to lead to, links are neither offered nor made', async () => {
  const other = await testApp({ settings: { smtpHost: 'localhost', mailFrom: 'runsheet@example.com' } });
  const post = async (url: string) => (await other.http.inject({ method: 'POST', url })).json();
  expect((await post('/api/sso/config')).result.AllowPasswordReset).toBe(false);
  expect((await post('/api/users/resetpassword/name/admin')).message).toBe('This functionality is disabled');
  await other.close();
  const { result } = (await app.http.inject({ method: 'POST', url: '/api/sso/config' })).json();
  expect(result.AllowPasswordReset).toBe(true);
});
