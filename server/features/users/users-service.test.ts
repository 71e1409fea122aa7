import { argon2Sync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { passwordIssue } from '#shared/rules/password-rules.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { ensureAdministrator, resetAdministrator } from './administrator.ts';
import { hashPassword, isOutdated, passwordMatches } from './password-hash.ts';
import { randomPassword } from './random-password.ts';
import { createUsersService, type UsersService } from './users-service.ts';

let database: TestDatabase;
let users: UsersService;
beforeAll(async () => {
  database = await testDatabase();
  users = createUsersService(database);
});
afterAll(() => database.drop());
beforeEach(() => database.knex('Users').delete());

const PASSWORD = 'Correct-Horse-7';

test('the first start makes an administrator, who has to change the password; a later one does not', async () => {
  const first = await ensureAdministrator(database, users, undefined);
  expect(first).toEqual({ created: true, generatedPassword: expect.any(String) });
  const admin = await users.findByName('ADMIN');
  expect(admin).toMatchObject({ UserName: 'admin', IsUserAdmin: true, MustChangePassword: true, Enabled: true });
  expect(await users.verifyPassword(admin, first.generatedPassword!)).toBe(true);
  expect(await ensureAdministrator(database, users, undefined)).toEqual({ created: false, generatedPassword: null });
});

test('of servers that start at once, one makes the administrator', async () => {
  const all = await Promise.all([1, 2, 3].map(() => ensureAdministrator(database, users, PASSWORD)));
  expect(all.filter(({ created }) => created)).toEqual([{ created: true, generatedPassword: null }]);
});

test('a configured password for the administrator must meet the policy, as long as there is no administrator', async () => {
  await expect(ensureAdministrator(database, users, 'weak')).rejects.toThrow('RUNSHEET_ADMIN_PASSWORD');
  await ensureAdministrator(database, users, PASSWORD);
  await expect(ensureAdministrator(database, users, 'weak')).resolves.toMatchObject({ created: false });
});

test('the password of the administrator can be reset, even where the account was disabled', async () => {
  await expect(resetAdministrator(database)).rejects.toThrow("there is no user 'admin'");
  await ensureAdministrator(database, users, PASSWORD);
  await database.knex('Users').update({ Enabled: false, MustChangePassword: false });
  const { password } = await resetAdministrator(database);
  const admin = await users.findByName('admin');
  expect(admin).toMatchObject({ Enabled: true, MustChangePassword: true });
  expect(await users.verifyPassword(admin, password)).toBe(true);
  expect(await users.verifyPassword(admin, PASSWORD)).toBe(false);
});

test('a name is taken whatever its capitals', async () => {
  await users.createUser({ UserName: 'Anna', password: PASSWORD });
  await expect(users.createUser({ UserName: 'aNNa', password: PASSWORD })).rejects.toMatchObject({ status: 400 });
  await expect(users.createUser({ UserName: 'weak', password: 'weak' })).rejects.toMatchObject({
    modelState: { '': [expect.stringContaining('at least 8 characters')] },
  });
});

test('a password with an outdated hash is hashed again when it is used', async () => {
  const UserId = await users.createUser({ UserName: 'Old', password: PASSWORD });
  const PasswordHash = await hashPassword(PASSWORD, { memory: 1024, passes: 1, parallelism: 1 });
  await database.knex('Users').where({ UserId }).update({ PasswordHash });
  expect(isOutdated(PasswordHash)).toBe(true);
  expect(await users.verifyPassword(await users.findById(UserId), 'Wrong-Horse-7')).toBe(false);
  expect((await users.findById(UserId))?.PasswordHash).toBe(PasswordHash);
  expect(await users.verifyPassword(await users.findById(UserId), PASSWORD)).toBe(true);
  const renewed = await users.findById(UserId);
  expect(isOutdated(renewed!.PasswordHash!)).toBe(false);
  expect(await users.verifyPassword(renewed, PASSWORD)).toBe(true);
});

test('hashes are Argon2id in PHC form, as other programs make them', async () => {
  const nonce = Buffer.from('somesaltsomesalt');
  const options = { message: PASSWORD, nonce, parallelism: 1, tagLength: 32, memory: 65536, passes: 2 };
  const encode = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
  const phc = `$argon2id$v=19$m=65536,t=2,p=1$${encode(nonce)}$${encode(argon2Sync('argon2id', options))}`;
  expect(await passwordMatches(phc, PASSWORD)).toBe(true);
  expect(await passwordMatches(phc, `${PASSWORD}x`)).toBe(false);
  expect(await passwordMatches('not a hash', PASSWORD)).toBe(false);
});

test('a password may be typed with composed or decomposed letters', async () => {
  expect(await passwordMatches(await hashPassword('Ärger-77x'.normalize('NFC')), 'Ärger-77x'.normalize('NFD'))).toBe(
    true,
  );
});

test('random passwords meet the policy and differ', () => {
  const passwords = Array.from({ length: 200 }, randomPassword);
  expect(passwords.filter((password) => passwordIssue(password) !== null)).toEqual([]);
  expect(new Set(passwords).size).toBe(200);
});
