/** Tests the policy wherever passwords are set: by the user, by an administrator, at the first start. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { createUser, encryptPasswords, postToken, signedInUser, TEST_PASSWORD } from '#test/support/users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({
    settings: { passwordMinLength: 12, passwordMaxLength: 64, refuseGuessablePasswords: true, title: 'Quartermaster' },
  });
});
afterAll(() => app.close());

const LONG = `Correct-Horse-7-${'battery '.repeat(6)}`;

test('one’s own new password is measured by the list of common ones, by names, and by the lengths of the settings', async () => {
  const { headers, UserName } = await signedInUser(app);
  const change = async (wanted: string) => {
    const [Password, NewPassword] = await encryptPasswords(app.http, UserName, [TEST_PASSWORD, wanted]);
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/users/changepassword',
      headers,
      payload: { Password, NewPassword },
    });
    return answer.json<{ message?: string }>().message;
  };
  expect(await change('Qwertyuiop123!')).toMatch(/common and easy to guess/);
  expect(await change('Quartermaster-1')).toMatch(/too similar to the name of the user or of the portal/);
  expect(await change('Correct-H-7')).toMatch(/at least 12 characters/);
  expect(await change(`${LONG}x`)).toBe('Password too long');
  expect(await change(LONG)).toBeUndefined();
  expect((await postToken(app, UserName, LONG)).status).toBe(200);
});

test('a password given to others is measured alike', async () => {
  const { headers } = await signedInUser(app, ['sk.ManageUserPasswords']);
  const { UserName } = await createUser(app, { userName: 'wilhelmina' });
  const set = async (wanted: string) => {
    const [Password] = await encryptPasswords(app.http, UserName, [wanted]);
    const url = '/api/users/setNewPassword';
    return (await app.http.inject({ method: 'POST', url, headers, payload: { UserName, Password } })).statusCode;
  };
  expect([await set('Wilhelmina-1'), await set('Monkey123456!'), await set(TEST_PASSWORD)]).toEqual([400, 400, 200]);
});

test('a server that asks for no composition takes words alone, and the page knows it', async () => {
  const plain = await testApp({ settings: { passwordMinLength: 15, passwordComposition: false } });
  const { headers } = await signedInUser(plain, ['sk.ManageUserPasswords']);
  const { UserName } = await createUser(plain);
  const set = async (wanted: string) => {
    const [Password] = await encryptPasswords(plain.http, UserName, [wanted]);
    const url = '/api/users/setNewPassword';
    return plain.http.inject({ method: 'POST', url, headers, payload: { UserName, Password } });
  };
  expect((await set('correct horse')).body).toContain('Password must be at least 15 characters"');
  expect((await set('correct horse battery')).statusCode).toBe(200);
  expect((await plain.http.inject('/api/settings')).json().result).toMatchObject({ passwordComposition: false });
  await plain.close();
});
