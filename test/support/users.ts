import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { App } from '#server/compose/app.ts';
import { hashPassword } from '#server/features/users/password-hash.ts';
import { insertUser, userNameKey } from '#server/features/users/users-repository.ts';
import type { PasswordKey, TokenFailure, TokenResponse } from '#shared/contract/auth.ts';
import type { RightName } from '#shared/contract/rights.ts';
import type { TestApp } from './app.ts';

export const TEST_PASSWORD = 'Correct-Horse-7';

/** A right for everything, or denied or limited: {right, Schema: 'Finance'}, {right, Id: 7, access: -1}. */
export type TestRight = RightName | { right: RightName; access?: 1 | -1; Schema?: string; Id?: number };

export interface TestUser {
  UserId: number;
  UserName: string;
}

let made = 0;

/** Each hash costs as much CPU time as a dozen API calls; users with the same password share one. */
const hashes = new Map<string, Promise<string>>();
function hashOf(password: string): Promise<string> {
  const known = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, known);
  return known;
}

/** Creates a local user with the password TEST_PASSWORD unless another one is given. */
export async function createUser(
  app: TestApp,
  user: { userName?: string; password?: string; isUserAdmin?: boolean; rights?: TestRight[] } = {},
): Promise<TestUser> {
  const UserName = user.userName ?? `user${++made}`;
  const password = user.password ?? TEST_PASSWORD;
  const UserId = await insertUser(app.database.knex, {
    UserName,
    UserNameKey: userNameKey(UserName),
    FirstName: UserName,
    MiddleName: '',
    LastName: '',
    Email: '',
    Source: 'Local',
    Enabled: true,
    IsUserAdmin: user.isUserAdmin ?? false,
    PasswordHash: await hashOf(password),
    MustChangePassword: false,
  });
  for (const right of user.rights ?? []) await grant(app, UserId, right);
  return { UserId, UserName };
}

export async function grant(app: TestApp, UserId: number, given: TestRight): Promise<void> {
  const { right: RightName, access: Access = 1, Schema, Id } = typeof given === 'string' ? { right: given } : given;
  const key =
    Schema !== undefined
      ? { column: 'Schema', value: Schema }
      : Id !== undefined
        ? { column: 'Id', value: Id }
        : undefined;
  await app.rights.grantToUser(app.database.knex, { UserId, RightName, Access, key });
}

/** Starts a session directly, without a sign-in, and returns its token. */
export async function signIn(app: Pick<TestApp, 'sessions' | 'database'>, user: { UserId: number }): Promise<string> {
  return (await app.sessions.start(app.database.knex, user.UserId, '127.0.0.1')).token;
}

export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** Creates a signed-in user with these rights, and the headers of their calls. */
export async function signedInUser(
  app: TestApp,
  rights: TestRight[] = [],
): Promise<TestUser & { headers: { authorization: string } }> {
  const user = await createUser(app, { rights });
  return { ...user, headers: bearer(await signIn(app, user)) };
}

/** Encrypts passwords as a client does, with a key fetched for the name. */
export async function encryptPasswords(
  http: FastifyInstance,
  userName: string,
  passwords: string[],
): Promise<string[]> {
  const answer = await http.inject({ method: 'POST', url: '/api/users/generatekey', payload: { UserName: userName } });
  const { KeyId, Key } = answer.json<{ result: PasswordKey }>().result;
  const key = createPublicKey({ key: Buffer.from(Key, 'base64'), format: 'der', type: 'spki' });
  return passwords.map((password) => {
    const options = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
    return `${KeyId}.${publicEncrypt(options, Buffer.from(password)).toString('base64')}`;
  });
}

/** Signs in as a client does; changes the password if two are given. */
export async function postToken(app: Pick<App, 'http'>, userName: string, ...passwords: string[]) {
  return postTokenWith(app, userName, passwords);
}

/** Signs in with a second-factor code. */
export async function postTokenWith({ http }: Pick<App, 'http'>, userName: string, passwords: string[], code?: string) {
  const encrypted = await encryptPasswords(http, userName, passwords);
  const form = new URLSearchParams({ grant_type: 'password', username: userName, password: encrypted.join('\n') });
  if (code !== undefined) form.set('code', code);
  const answer = await http.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: form.toString(),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<TokenResponse & TokenFailure>() };
}
