/** The grant of a person to an assistant, by the official SDK's client and call by call, until it ends. */
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
} from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { CALLBACK, exchange, isIn, post, register, tokensOf } from '#test/support/assistant-grants.ts';
import { callTool, MCP, PORTAL } from '#test/support/assistant-portal.ts';
import { test as base } from '#test/support/fixtures/assistant-portal.ts';
import { bearer, encryptPasswords, signedInUser, TEST_PASSWORD } from '#test/support/users.ts';

const SIMPLE = {
  sheets: [{ name: 'S', cells: { A1: 1, B1: { formula: 'A1*2', value: 2 } } }],
  names: { in_Factor: 'S!$A$1', out_Double: 'S!$B$1' },
};

const test = base.extend('made', { scope: 'file' }, async ({ portal }) => {
  const offered = (await portal.publish(SIMPLE, 'Offered')) as number;
  const other = (await portal.publish(SIMPLE, 'Other')) as number;
  await portal.offer(offered);
  return { offered, other };
});

/** What a program stores of its grant. */
class Provider implements OAuthClientProvider {
  information: OAuthClientInformationMixed | undefined;
  stored: OAuthTokens | undefined;
  verifier = '';
  address: URL | undefined;
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = { client_name: 'SDK client', redirect_uris: [CALLBACK] };
  clientInformation = () => this.information;
  saveClientInformation = (information: OAuthClientInformationMixed) => void (this.information = information);
  tokens = () => this.stored;
  saveTokens = (tokens: OAuthTokens) => void (this.stored = tokens);
  redirectToAuthorization = (address: URL) => void (this.address = address);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
}

test('a program of the official SDK registers, gets consent and calls tools for the person', async ({
  portal,
  made,
}) => {
  const person = await signedInUser(portal.app, ['sk.RunActivity']);
  const authProvider = new Provider();
  const transport = () => new StreamableHTTPClientTransport(new URL(MCP), { authProvider, fetch: portal.fetch });
  const newClient = () => new Client({ name: 'whatever', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const first = transport();
  await expect(newClient().connect(first)).rejects.toThrow(UnauthorizedError);
  expect(authProvider.address?.href.startsWith(`${PORTAL}/oauth/authorize?`)).toBe(true);
  const Request = Object.fromEntries(authProvider.address!.searchParams);
  const shown = await post(portal, '/api/assistants/consent/show', { Request }, person.headers);
  expect(shown.body.result).toMatchObject({ ClientName: 'SDK client', IsLocal: true, UserName: person.UserName });
  const { body } = await post(portal, '/api/assistants/consent', { Request, Scope: 'activities' }, person.headers);
  await first.finishAuth(new URL(body.result.Address).searchParams);
  const client = newClient();
  await client.connect(transport());
  const ran = await callTool(client, 'run_activity', { activity_id: made.other, inputs: { factor: 3 } });
  expect(ran).toMatchObject({ status: 'Succeeded', outputs: { double: 6 } });
  // The name that the person agreed to, not the one of this call.
  expect((await portal.get(Number(ran['run_id']), person)).ClientName).toBe('SDK client');
  await client.close();
});

test('a grant for offered activities reaches no other one', async ({ portal, made }) => {
  const person = await signedInUser(portal.app, ['sk.RunActivity']);
  const { access_token } = await tokensOf(portal, person, 'offered');
  const client = await portal.connect(access_token);
  const found = await callTool(client, 'search_activities');
  expect(found).toMatchObject({ total: 1, activities: [{ activity_id: made.offered }] });
  const refused = await callTool(client, 'run_activity', { activity_id: made.other });
  expect(refused.refusal).toBe('There is no such activity');
  await client.close();
});

test('a grant for offered activities covers the first 100 that the person can run', async ({ portal, made }) => {
  const person = await signedInUser(portal.app, ['sk.RunActivity']);
  const { access_token } = await tokensOf(portal, person, 'offered');
  const client = await portal.connect(access_token);
  const { knex } = portal.app.database;
  const { Id: _, ...row } = (await knex('Activities').where('Id', made.offered).first())!;
  const copies = Array.from({ length: 120 }, (_copy, index) => ({
    ...row,
    Name: `Copy ${index}`,
    NameKey: `copy ${index}`,
  }));
  await knex.batchInsert('Activities', copies, 60);
  expect(await callTool(client, 'search_activities')).toMatchObject({ total: 100 });
  await knex('Activities').where('Name', 'like', 'Copy %').delete();
  expect(await callTool(client, 'search_activities')).toMatchObject({ total: 1 });
  await client.close();
});

test('an assistant of an administrator administers nothing; a right that is taken away no longer counts', async ({
  portal,
  made,
}) => {
  const person = await signedInUser(portal.app, [{ right: 'sk.RunActivity', Id: made.other }]);
  const { access_token } = await tokensOf(portal, person);
  const client = await portal.connect(access_token);
  expect(await callTool(client, 'search_activities')).toMatchObject({ total: 1 });
  await portal.app.database
    .knex('Grants')
    .where({ Grantee: String(person.UserId) })
    .delete();
  expect(await callTool(client, 'search_activities')).toMatchObject({ total: 0 });
  await portal.app.database.knex('Users').where({ UserId: person.UserId }).update({ IsUserAdmin: true });
  // The API is for sessions and keys.
  for (const url of ['/api/users', '/api/activities', '/api/rights']) {
    const { statusCode } = await portal.app.http.inject({ method: 'GET', url, headers: bearer(access_token) });
    expect([url, statusCode]).toEqual([url, 401]);
  }
  await portal.app.database.knex('Users').where({ UserId: person.UserId }).update({ Enabled: false });
  expect(await isIn(portal, access_token)).toBe(401);
  await client.close();
});

test('a grant is listed under the sessions of the person, who ends it; so does signing out everywhere', async ({
  portal,
}) => {
  const person = await signedInUser(portal.app, ['sk.RunActivity']);
  const { access_token } = await tokensOf(portal, person);
  const listed = await portal.call('GET', '/api/users/sessions', undefined, person);
  const grant = listed.body.result.Items.find(({ IsAssistant }: { IsAssistant: boolean }) => IsAssistant);
  expect(grant).toMatchObject({ Client: 'Helper', IsCurrent: false });
  expect(await isIn(portal, access_token)).toBe(200);
  const [Password] = await encryptPasswords(portal.app.http, person.UserName, [TEST_PASSWORD]);
  await portal.call('POST', '/api/users/sessions/end', { Id: grant.Id, Password }, person);
  expect(await isIn(portal, access_token)).toBe(401);
  const second = await tokensOf(portal, person);
  await portal.app.sessions.endAllOf(person.UserId);
  expect(await isIn(portal, second.access_token)).toBe(401);
  const { status } = await exchange(portal, {
    grant_type: 'refresh_token',
    client_id: second.client_id,
    refresh_token: second.refresh_token,
  });
  expect(status).toBe(400);
});

test('refresh tokens are replaced; one that is used again later ends the grant; revoking ends it too', async ({
  portal,
}) => {
  const person = await signedInUser(portal.app, ['sk.RunActivity']);
  const { client_id, refresh_token, access_token } = await tokensOf(portal, person);
  const refresh = (token: string, id = client_id) =>
    exchange(portal, { grant_type: 'refresh_token', client_id: id, refresh_token: token });
  const another = (await register(portal)).body.client_id as string;
  expect((await refresh(refresh_token, another)).body.error).toBe('invalid_grant');
  // A program registers again after this answer alone.
  expect((await refresh(refresh_token, 'unknown')).body.error).toBe('invalid_client');
  expect((await refresh(access_token)).body.error).toBe('invalid_grant');
  const next = await refresh(refresh_token);
  expect(next.headers['cache-control']).toBe('no-store');
  expect(await isIn(portal, next.body.access_token)).toBe(200);
  expect(await isIn(portal, next.body.refresh_token)).toBe(401);
  const { knex, dialect } = portal.app.database;
  await knex('AssistantTokens')
    .whereNotNull('ReplacedTime')
    .update({ ReplacedTime: dialect.nowPlus(knex, -60) });
  expect((await refresh(refresh_token)).status).toBe(400);
  expect(await isIn(portal, next.body.access_token)).toBe(401);
  const other = await tokensOf(portal, person);
  expect((await post(portal, '/oauth/revoke', `token=${other.refresh_token}`)).status).toBe(200);
  expect(await isIn(portal, other.access_token)).toBe(401);
  const lines = await knex('SecurityActions').where({ Action: 'EndAssistant', UserId: person.UserId }).orderBy('Id');
  expect(lines.map(({ KeyColumnValue }) => KeyColumnValue)).toEqual([
    'Helper: a token was used twice',
    'Helper: revoked by the program',
  ]);
});

test('a thief who uses a refresh token right after its owner, or right before, is noticed', async ({ portal }) => {
  const person = await signedInUser(portal.app, ['sk.RunActivity']);
  const { client_id, refresh_token } = await tokensOf(portal, person);
  const refresh = (token: string) => exchange(portal, { grant_type: 'refresh_token', client_id, refresh_token: token });
  const owner = await refresh(refresh_token);
  const thief = await refresh(refresh_token);
  expect([owner.status, thief.status]).toEqual([200, 200]);
  const { knex, dialect } = portal.app.database;
  await knex('AssistantTokens')
    .whereNotNull('ReplacedTime')
    .update({ ReplacedTime: dialect.nowPlus(knex, -60) });
  expect((await refresh(owner.body.refresh_token)).status).toBe(400);
  expect((await refresh(thief.body.refresh_token)).status).toBe(400);
  expect(await isIn(portal, thief.body.access_token)).toBe(401);
});
