/**
 * A portal to measure: the real server on an embedded database in a separate folder, with a signed-in administrator.
 */
import { constants, createHash, createPublicKey, publicEncrypt, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { PasswordKey, TokenResponse } from '#shared/contract/auth.ts';
import type { Config } from '#server/config/config-schema.ts';
import { loadConfig } from '#server/config/load-config.ts';
import { createDatabase, type Database } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { startServer } from '#server/compose/start-server.ts';

const FIRST = 'Bench-First-1';
const SECOND = 'Bench-Second-2';

export interface BenchPortal {
  address: string;
  databaseUrl: string;
  database: Database;
  headers: { authorization: string };
  /** Returns the `result` of a JSON call. Throws the response if the call fails. */
  call<T>(method: 'GET' | 'POST', path: string, body?: unknown, headers?: object): Promise<T>;
  /** Returns the headers of a new user. Each grant is a right for All or for one schema. */
  signInAs(...grants: { right: string; schema?: string }[]): Promise<{ authorization: string }>;
  upload(fields: Record<string, string>, fileName: string, bytes: Uint8Array): Promise<{ Id: number }>;
  stop(): Promise<void>;
}

/** @param settings settings that override those of a bench */
export async function startBenchPortal(settings: Partial<Config> = {}): Promise<BenchPortal> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-bench-'));
  // Separate from the results, which go to stdout.
  const log = pino({ level: process.env['RUNSHEET_LOG_LEVEL'] ?? 'error' }, pino.destination(2));
  const embedded = await startEmbeddedPostgres(folder, log);
  const config = {
    ...loadConfig({ RUNSHEET_DATA_DIR: join(folder, 'portal') }),
    databaseUrl: embedded.url,
    port: 0,
    adminPassword: FIRST,
    samples: false,
    callsPerMinute: 10_000_000,
    ...settings,
  };
  const server = await startServer({ config, log, onAdministrator: () => undefined });
  const address = server.address!;
  const database = createDatabase({ url: embedded.url, poolSize: 2 });
  const headers = { authorization: `Bearer ${await signIn(address)}` };
  return {
    address,
    databaseUrl: embedded.url,
    database,
    headers,
    call: (method, path, body, own = headers) => call(address, own, method, path, body),
    signInAs: (...grants) => signInAs(database, grants),
    upload: (fields, fileName, bytes) => upload(address, headers, fields, fileName, bytes),
    stop: async () => {
      await server.stop();
      await database.close();
      await embedded.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function call<T>(address: string, headers: object, method: string, path: string, body?: unknown): Promise<T> {
  const json =
    body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } };
  const answer = await fetch(address + path, { method, headers: { ...headers }, ...json });
  const { result, message } = (await answer.json()) as { result: T; message?: string };
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${message}`);
  return result;
}

async function upload(
  address: string,
  headers: object,
  fields: Record<string, string>,
  fileName: string,
  bytes: Uint8Array,
): Promise<{ Id: number }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([Buffer.from(bytes)]), fileName);
  const answer = await fetch(`${address}/api/activities/create`, {
    method: 'POST',
    headers: { ...headers },
    body: form,
  });
  if (!answer.ok) throw new Error(`upload of ${fileName}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { Id: number };
}

/** Inserts the user and the session directly into the database, because only the rights of the user matter here. */
async function signInAs({ knex }: Database, grants: readonly { right: string; schema?: string }[]) {
  const UserName = randomUUID();
  const name = { UserName, UserNameKey: UserName, FirstName: 'Some', LastName: 'Body' };
  const [user] = await knex('Users')
    .insert({ ...name, Source: 'Local' })
    .returning('UserId');
  const { UserId } = user as { UserId: number };
  for (const { right, schema } of grants) {
    const key = { KeyColumnName: schema ? 'Schema' : '', KeyColumnValue: schema ?? '' };
    await knex('Grants').insert({ RightName: right, ...key, GranteeKind: 'user', Grantee: String(UserId), Access: 1 });
  }
  const SessionId = randomUUID();
  await knex('Sessions').insert({ SessionId, UserId });
  const token = randomUUID();
  const TokenHash = createHash('sha256').update(token).digest('base64url');
  await knex('AccessTokens').insert({ TokenHash, SessionId, ExpiryTime: new Date(Date.now() + 86_400_000) });
  return { authorization: `Bearer ${token}` };
}

async function signIn(address: string): Promise<string> {
  const generated = await call<PasswordKey>(address, {}, 'POST', '/api/users/generatekey', { UserName: 'admin' });
  const key = createPublicKey({ key: Buffer.from(generated.Key, 'base64'), format: 'der', type: 'spki' });
  const encrypt = (text: string): string => {
    const options = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
    return `${generated.KeyId}.${publicEncrypt(options, Buffer.from(text)).toString('base64')}`;
  };
  const password = `${encrypt(FIRST)}\n${encrypt(SECOND)}`;
  const body = new URLSearchParams({ grant_type: 'password', username: 'admin', password });
  const answer = await fetch(`${address}/token`, { method: 'POST', body });
  // Otherwise the next call would be refused, as one without the necessary rights.
  if (!answer.ok) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as TokenResponse).access_token;
}
