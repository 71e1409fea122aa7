/** Tests what the page Setup says, and its checks against real mail servers, directories and providers. */
import { rename } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SetupCheck, SetupItem, SetupKey } from '#shared/contract/setup.ts';
import { loadConfig } from '#server/config/load-config.ts';
import { checkSignInSources } from '#server/config/sign-in-sources.ts';
import { createMailSender } from '#server/mail/mail-sender.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { makeCertificate, makeServerCertificate } from '#test/support/peers/certificates.ts';
import { startHttpPeer, type HttpPeer } from '#test/support/peers/http.ts';
import { DIRECTORY_SETTINGS } from '#test/support/peers/ldap-people.ts';
import { startLdapPeer, type LdapPeer } from '#test/support/peers/ldap.ts';
import { startOidcPeer, type OidcPeer } from '#test/support/peers/oidc.ts';
import { listen } from '#test/support/peers/peer.ts';
import { MAIL_SERVER_CERTIFICATE, MAIL_USER, startSmtpPeer, type SmtpPeer } from '#test/support/peers/smtp.ts';
import { bearer, createUser, signedInUser, signIn } from '#test/support/users.ts';
import { checkAddress } from './check-address.ts';
import { recordDataWork } from './data-records.ts';

const SECRET = 'a secret that no page may show';

let mails: SmtpPeer;
let ldap: LdapPeer;
let oidc: OidcPeer;
let pages: HttpPeer;
let app: TestApp;
let plain: TestApp;
let admin: { authorization: string };
let plainAdmin: { authorization: string };

async function sources() {
  const authority = await makeCertificate('Test authority', { isAuthority: true });
  ldap = await startLdapPeer(await makeServerCertificate(authority));
  oidc = await startOidcPeer('cloud');
  oidc.know('https://portal.example.com/');
  const [own, other] = [await makeCertificate('Portal'), await makeCertificate('Other')];
  const files: Record<string, string> = {
    'ca.pem': authority.certificate,
    'own.pem': own.certificate,
    'own.key': own.key,
    'other.key': other.key,
  };
  const directory = { ...DIRECTORY_SETTINGS, urls: [ldap.url], caFile: 'ca.pem' };
  const provider = { loginButtonLabel: 'Cloud', clientId: 'runsheet', clientSecret: SECRET };
  const saml = {
    loginButtonLabel: 'Corp',
    idpEntityId: 'idp',
    signInUrl: pages.url,
    certificateFiles: ['own.pem'],
    ownCertificateFile: 'own.pem',
  };
  const content = {
    directories: [
      directory,
      { ...directory, key: 'typo', bindPassword: SECRET },
      { ...directory, key: 'lost', baseDn: 'dc=lost,dc=test' },
      { ...directory, key: 'away', urls: ['ldaps://localhost:1'] },
    ],
    oidc: [
      { key: 'cloud', issuer: oidc.url, ...provider },
      { key: 'slash', issuer: `${oidc.url}/`, ...provider },
      { key: 'away', issuer: 'http://localhost:1', ...provider },
    ],
    saml2: [
      { key: 'corp', privateKeyFile: 'own.key', ...saml },
      { key: 'mixed', privateKeyFile: 'other.key', ...saml, signInUrl: 'http://localhost:1' },
    ],
  };
  return { ...checkSignInSources(content, '.'), readFile: (path: string) => files[path] ?? '' };
}

beforeAll(async () => {
  [mails, pages] = await Promise.all([
    startSmtpPeer({
      onRcptTo: ({ address }, _session, done) => done(address.startsWith('gone') ? new Error('No such box') : null),
    }),
    startHttpPeer(),
  ]);
  const settings = {
    smtpHost: 'localhost',
    smtpPort: mails.port,
    smtpUser: MAIL_USER.name,
    smtpPassword: MAIL_USER.password,
    mailFrom: 'runsheet@example.com',
    publicUrl: pages.url,
    metricsPort: 9464,
    metricsHost: '0.0.0.0',
    metricsToken: SECRET,
    s3SecretAccessKey: SECRET,
    databaseUrl: `postgres://runsheet:${SECRET}@localhost/x`,
  };
  const mail = createMailSender({ smtpSecurity: 'starttls', ...settings }, { ca: MAIL_SERVER_CERTIFICATE });
  [app, plain] = await Promise.all([testApp({ settings, mail, signInSources: await sources() }), testApp()]);
  admin = bearer(await signIn(app, await createUser(app, { isUserAdmin: true })));
  plainAdmin = bearer(await signIn(plain, await createUser(plain, { isUserAdmin: true })));
});
afterAll(async () => {
  await Promise.all([app.close(), plain.close()]);
  await Promise.all([mails.stop(), ldap.stop(), oidc.stop(), pages.stop()]);
});

const itemsOf = async (on: TestApp, headers: Record<string, string>) => {
  const answer = await on.http.inject({ url: '/api/admin/setup', headers });
  const { Items } = answer.json<{ result: { Items: SetupItem[] } }>().result;
  const item = (key: SetupKey): SetupItem => Items.find(({ Key }) => Key === key)!;
  const codes = (key: SetupKey): string[] => [item(key).State, ...item(key).Findings.map(({ Code }) => Code)];
  return { text: answer.body, item, codes };
};

async function check(Key: SetupKey, Name = '', on = app, headers = admin, Person?: string) {
  const answer = await on.http.inject({
    method: 'POST',
    url: '/api/admin/setup/check',
    headers,
    payload: { Key, Name, ...(Person === undefined ? {} : { Person }) },
  });
  const { result } = answer.json<{ result: SetupCheck }>();
  return { text: answer.body, status: answer.statusCode, codes: result?.Findings.map(({ Code }) => Code), result };
}

test('an installation without settings works, and says what is not set up', async () => {
  const { codes, item } = await itemsOf(plain, plainAdmin);
  expect(codes('mail')).toEqual(['Off', 'mailOff']);
  expect(codes('signIn')).toEqual(['Good', 'localUsers']);
  expect(codes('address')).toEqual(['Off', 'addressOff']);
  expect(codes('files').slice(1)).toContain('filesInFolder');
  expect(codes('database').slice(0, 2)).toEqual(['Good', 'databaseEmbedded']);
  expect(item('database').Findings[1]!.Values['version']).toMatch(/^\d+\./);
  expect(codes('license')).toEqual(['Good', 'licenseNone']);
  expect(codes('metrics')).toEqual(['Off', 'metricsOff']);
  expect(codes('versions')).toEqual(['Good', 'version']);
  expect(item('mail').Settings[0]).toEqual({
    Variable: 'RUNSHEET_SMTP_HOST',
    Field: 'smtpHost',
    IsSecret: false,
    IsSet: false,
    Value: '',
    Line: 'RUNSHEET_SMTP_HOST=mail.example.com',
  });
  const proxied = await itemsOf(plain, { ...plainAdmin, 'x-forwarded-for': '192.0.2.1' });
  expect(proxied.codes('address')).toEqual(['Attention', 'addressOff', 'proxyNotTrusted']);
});

test('settings are shown with their values, secrets never', async () => {
  const { text, codes, item } = await itemsOf(app, admin);
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(MAIL_USER.password);
  expect(codes('mail')).toEqual(['Good', 'mailServer']);
  expect(codes('metrics')).toEqual(['Good', 'metricsOn']);
  expect(codes('signIn')).toEqual(['Good', 'localUsers', 'providers']);
  expect(item('signIn').Checks).toEqual(
    expect.arrayContaining(['ad:corp', 'ad:away', 'oidc:cloud', 'saml2:corp', 'saml2:mixed']),
  );
  expect(item('database').Settings[0]).toMatchObject({ IsSecret: true, IsSet: true, Value: null });
  expect(item('mail').Settings.find(({ Field }) => Field === 'smtpPassword')!.Line).toBe(
    'RUNSHEET_SMTP_PASSWORD_FILE=/run/secrets/runsheet_smtp_password',
  );
});

test('only administrators see and check the setup', async () => {
  const { headers } = await signedInUser(app, ['sk.ManageUsers']);
  expect((await app.http.inject({ url: '/api/admin/setup', headers })).statusCode).toBe(403);
  expect((await check('database', '', app, headers)).status).toBe(403);
  expect((await check('license')).status).toBe(404);
  expect((await check('database', 'ad:corp')).status).toBe(404);
  expect((await check('signIn', 'ad:nobody')).status).toBe(404);
});

test('directories and providers are asked, and what is wrong is named', async () => {
  const signInCodes = async (name: string) => (await check('signIn', name)).codes;
  expect(await signInCodes('ad:corp')).toEqual(['directoryWorks']);
  expect(await signInCodes('ad:typo')).toEqual(['directoryRefusesName']);
  expect(await signInCodes('ad:lost')).toEqual(['directoryBaseMissing']);
  expect(await signInCodes('ad:away')).toEqual(['directoryUnreachable']);
  expect(await signInCodes('oidc:cloud')).toEqual(['oidcWorks']);
  expect(await signInCodes('oidc:slash')).toEqual(['oidcOtherIssuer']);
  expect(await signInCodes('oidc:away')).toEqual(['oidcUnreachable']);
  const [valid, answers] = ['samlCertificateValid', 'samlPageAnswers'];
  expect(await signInCodes('saml2:corp')).toEqual([valid, valid, answers]);
  expect(await signInCodes('saml2:mixed')).toEqual([valid, valid, 'samlKeyDiffers', 'samlPageUnreachable']);
  const grace = await check('signIn', 'ad:corp', app, admin, 'grace');
  expect(grace.result.Findings[1]).toEqual({
    Code: 'directoryFinds',
    Values: { person: 'grace', name: 'grace', fullName: 'Grace Hopper', email: 'grace@example.org' },
  });
  expect((await check('signIn', 'ad:corp', app, admin, 'nobody')).codes).toEqual([
    'directoryWorks',
    'directoryFindsNobody',
  ]);
  const { text, result } = await check('signIn', 'ad:typo');
  expect(result.State).toBe('Attention');
  expect(text).not.toContain(SECRET);
});

test('a test mail is sent in the language of the sender, or the answer of the mail server is shown', async () => {
  const send = async (To: string, on = app, headers = admin) => {
    const url = '/api/admin/setup/testMail';
    const answer = await on.http.inject({ method: 'POST', url, headers, payload: { To } });
    return { status: answer.statusCode, ...answer.json<{ result?: SetupCheck }>() };
  };
  expect((await send('me@x.test')).result).toMatchObject({ State: 'Good', Findings: [{ Code: 'mailSent' }] });
  expect(mails.mails.map(({ to }) => to)).toEqual([['me@x.test']]);
  expect(mails.mails[0]!.source).toMatch(/^Subject: .*: test email\r?$/m);
  await app.database.knex('Users').where({ IsUserAdmin: true }).update({ Language: 'de' });
  await send('me@x.test');
  expect(mails.mails[1]!.source).toMatch(/^Subject: .*: Test-E-Mail\r?$/m);
  expect((await send('gone@x.test')).result).toMatchObject({
    State: 'Attention',
    Findings: [{ Code: 'mailRecipientRefused', Values: { reason: expect.stringContaining('No such box') } }],
  });
  expect((await send('no address')).status).toBe(400);
  expect((await send('me@x.test', plain, plainAdmin)).result).toMatchObject({ Findings: [{ Code: 'mailOff' }] });
});

test('the address is called, and another program behind it is noticed', async () => {
  expect(await check('address')).toMatchObject({ codes: ['addressIsOther'] });
  expect((await check('address', '', plain, plainAdmin)).codes).toEqual(['addressOff']);
});

test('the portal recognizes itself at its address, and names a certificate that nobody trusts', async () => {
  const codes = async (publicUrl: string): Promise<string[]> => {
    const config = { ...loadConfig({}), publicUrl };
    return (await checkAddress({ config }, AbortSignal.timeout(10_000))).map(({ Code }) => Code);
  };
  expect(await codes(await plain.http.listen({ port: 0, host: '127.0.0.1' }))).toEqual(['addressAnswers']);
  expect(await codes('http://localhost:1')).toEqual(['addressUnreachable']);
  const { key, certificate } = await makeServerCertificate(await makeCertificate('Nobody', { isAuthority: true }));
  const { port, stop } = await listen(createServer({ key, cert: certificate }));
  expect(await codes(`https://localhost:${port}`)).toEqual(['certificateUntrusted']);
  await stop();
});

test('database and files are tried, and a missing folder is reported', async () => {
  expect((await check('database')).codes).toEqual([expect.stringMatching(/^database(Fast|Slow)$/)]);
  expect((await check('files')).codes).toEqual(['filesWork']);
  const missing = { FileId: 'gone', StoreKey: '0'.repeat(48), Sha256: '0'.repeat(64), FileName: 'gone.txt' };
  await app.database.knex('StoredFiles').insert({ ...missing, ContentLength: 1, Purpose: 'output' });
  expect((await check('files')).codes).toEqual(['filesWork', 'filesMissing']);
  await app.database.knex('StoredFiles').where({ FileId: 'gone' }).delete();
  await rename(join(app.dataDir, 'files'), join(app.dataDir, 'away'));
  expect((await check('files')).codes).toEqual(['filesAway']);
  expect((await itemsOf(app, admin)).item('files').State).toBe('Attention');
  await rename(join(app.dataDir, 'away'), join(app.dataDir, 'files'));
});

test('the last backup and verification are shown, and their faults', async () => {
  const { database } = plain;
  const codes = async () => (await itemsOf(plain, plainAdmin)).codes('backup');
  // A backup on SQL Server has no database.
  const always = database.dialect.snapshots ? [] : ['backupOfFilesOnly'];
  expect(await codes()).toEqual(['Off', 'backupNever', ...always, 'verifiedNever']);
  await recordDataWork(database, 'backup', { Files: 3, DamagedFiles: 0, HasDatabase: true });
  const faultless = { Files: 3, MissingFiles: 0, ChangedFiles: 0, IsLogIntact: true };
  await recordDataWork(database, 'verification', faultless);
  expect(await codes()).toEqual(['Good', 'backupMade', ...always, 'verified']);
  await recordDataWork(database, 'backup', { Files: 3, DamagedFiles: 1, HasDatabase: true });
  await recordDataWork(database, 'verification', { ...faultless, MissingFiles: 1 });
  expect(await codes()).toEqual(['Attention', 'backupMade', 'backupDamaged', ...always, 'verifiedWithFaults']);
  const Time = new Date(Date.now() - 9 * 86_400_000).toISOString();
  const old = JSON.stringify({ Time, Files: 3, DamagedFiles: 0, HasDatabase: true });
  await database.knex('Settings').where({ Name: 'LastBackup' }).update({ Value: old });
  expect(await codes()).toEqual(['Attention', 'backupMade', 'backupOld', ...always, 'verifiedWithFaults']);
});
