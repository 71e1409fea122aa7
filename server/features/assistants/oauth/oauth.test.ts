/** The grant of a person to an assistant, by the official SDK's client and call by call, and attacks on it. */
import { createHash, randomBytes } from 'node:crypto';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
} from '@modelcontextprotocol/client';
import { describe, expect } from 'vitest';
import { callTool, MCP, PORTAL, type AssistantPortal } from '#test/support/assistant-portal.ts';
import { test as base } from '#test/support/fixtures/assistant-portal.ts';
import { bearer, encryptPasswords, signedInUser, TEST_PASSWORD, type TestUser } from '#test/support/users.ts';

const CALLBACK = 'http://127.0.0.1:33418/callback';
const SIMPLE = {
  sheets: [{ name: 'S', cells: { A1: 1, B1: { formula: 'A1*2', value: 2 } } }],
  names: { in_Factor: 'S!$A$1', out_Double: 'S!$B$1' },
};

type Person = TestUser & { headers: { authorization: string } };

const test = base.extend('made', { scope: 'file' }, async ({ portal }) => {
  const offered = (await portal.publish(SIMPLE, 'Offered')) as number;
  const other = (await portal.publish(SIMPLE, 'Other')) as number;
  await portal.offer(offered);
  return { offered, other };
});

async function post(portal: AssistantPortal, url: string, payload: object | string, headers: object = {}) {
  const form = typeof payload === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  const answer = await portal.app.http.inject({ method: 'POST', url, headers: { ...form, ...headers }, payload });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

const register = (portal: AssistantPortal, metadata: object = {}) =>
  post(portal, '/oauth/register', { client_name: 'Helper', redirect_uris: [CALLBACK], ...metadata });

function challenge() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, code_challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Registers a client and gets a code by the person's consent. */
async function consent(
  portal: AssistantPortal,
  person: Person,
  changes: object = {},
  Scope: string | null = 'activities',
) {
  const { client_id } = (await register(portal)).body as { client_id: string };
  const { verifier, code_challenge } = challenge();
  const Request = {
    response_type: 'code',
    client_id,
    redirect_uri: CALLBACK,
    code_challenge,
    code_challenge_method: 'S256',
    resource: MCP,
    state: 'x y',
    ...changes,
  };
  const answer = await post(portal, '/api/assistants/consent', { Request, Scope }, person.headers);
  const address = answer.status === 200 ? new URL(answer.body.result.Address) : null;
  return { client_id, verifier, answer, address, code: address?.searchParams.get('code') ?? '' };
}

const exchange = (portal: AssistantPortal, form: Record<string, string>) =>
  post(portal, '/oauth/token', new URLSearchParams(form).toString());

const codeForm = ({ client_id, verifier, code }: Awaited<ReturnType<typeof consent>>): Record<string, string> => ({
  grant_type: 'authorization_code',
  client_id,
  code,
  code_verifier: verifier,
  redirect_uri: CALLBACK,
  resource: MCP,
});

async function tokensOf(portal: AssistantPortal, person: Person, Scope = 'activities') {
  const given = await consent(portal, person, {}, Scope);
  const { body } = await exchange(portal, codeForm(given));
  return { ...(body as OAuthTokens & { refresh_token: string }), client_id: given.client_id };
}

const isIn = async (portal: AssistantPortal, token: string): Promise<number> => {
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const headers = { accept: 'application/json, text/event-stream', ...bearer(token) };
  return (await portal.app.http.inject({ method: 'POST', url: '/mcp', headers, payload })).statusCode;
};

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

describe('a code', () => {
  test('counts no longer if the session in which it was given has ended', async ({ portal }) => {
    const person = await signedInUser(portal.app, ['sk.RunActivity']);
    const given = await consent(portal, person);
    await portal.app.sessions.endAllOf(person.UserId);
    expect((await exchange(portal, codeForm(given))).body.error).toBe('invalid_grant');
  });

  test('is for the client, address, verifier and resource that it was given for, and is used up', async ({
    portal,
  }) => {
    const wrong: [string, string, string][] = [
      ['client_id', 'unknown', 'invalid_client'],
      ['redirect_uri', 'http://127.0.0.1:1/callback', 'invalid_grant'],
      ['code_verifier', 'a'.repeat(43), 'invalid_grant'],
      ['resource', 'https://elsewhere.example/mcp', 'invalid_target'],
      ['grant_type', 'password', 'unsupported_grant_type'],
    ];
    const person = await signedInUser(portal.app, ['sk.RunActivity']);
    for (const [field, value, error] of wrong) {
      const given = await consent(portal, person);
      const { status, body } = await exchange(portal, { ...codeForm(given), [field]: value });
      expect([field, status, body.error]).toEqual([field, error === 'invalid_client' ? 401 : 400, error]);
      // One attempt: then the code is gone, unless nothing was attempted with it.
      const after = await exchange(portal, codeForm(given));
      const isGone = error === 'invalid_grant' || error === 'invalid_client';
      expect([field, after.status]).toEqual([field, isGone ? 400 : 200]);
    }
  });

  test('that is used twice ends the grant of its first use; one expires after a minute', async ({ portal }) => {
    const person = await signedInUser(portal.app, ['sk.RunActivity']);
    const given = await consent(portal, person);
    const { body } = await exchange(portal, codeForm(given));
    expect(await isIn(portal, body.access_token)).toBe(200);
    expect((await exchange(portal, codeForm(given))).body.error).toBe('invalid_grant');
    expect(await isIn(portal, body.access_token)).toBe(401);
    const late = await consent(portal, person);
    const { knex, dialect } = portal.app.database;
    await knex('AssistantCodes').update({ ExpiryTime: dialect.nowPlus(knex, -1) });
    expect((await exchange(portal, codeForm(late))).body.error).toBe('invalid_grant');
  });
});

describe('consent', () => {
  test('needs a signed-in person each time, and is not given by a key', async ({ portal }) => {
    const person = await signedInUser(portal.app, ['sk.RunActivity']);
    const given = await consent(portal, person);
    expect(given.address?.searchParams.get('iss')).toBe(PORTAL);
    expect(given.address?.searchParams.get('state')).toBe('x y');
    const key = bearer(await portal.keyOf(person, { Scope: 'All' }));
    expect((await consent(portal, { ...person, headers: key })).answer.status).toBe(403);
    const { access_token } = await tokensOf(portal, person);
    expect((await consent(portal, { ...person, headers: bearer(access_token) })).answer.status).toBe(401);
    const refused = await consent(portal, person, {}, null);
    expect([refused.code, refused.address?.searchParams.get('error')]).toEqual(['', 'access_denied']);
  });

  test.for([
    ['an address that the client has not registered', { redirect_uri: 'https://attacker.example/' }],
    ['an address that only begins like a registered one', { redirect_uri: `${CALLBACK}/../../x` }],
    ['a request without protection', { code_challenge_method: 'plain' }],
    ['a challenge that is none', { code_challenge: 'short' }],
    ['a token instead of a code', { response_type: 'token' }],
    ['another resource', { resource: 'https://elsewhere.example/mcp' }],
    ['a client that is not registered', { client_id: 'x'.repeat(32) }],
    ['no address', { redirect_uri: '' }],
    ['no client', { client_id: '' }],
  ] as const)('is not asked for with %s', async ([, changes], { portal }) => {
    const person = await signedInUser(portal.app, ['sk.RunActivity']);
    const { answer } = await consent(portal, person, changes);
    expect([answer.status, answer.body.result]).toEqual([400, undefined]);
  });

  test('may come back to any port of the person’s own computer', async ({ portal }) => {
    const person = await signedInUser(portal.app, ['sk.RunActivity']);
    const { address } = await consent(portal, person, { redirect_uri: 'http://127.0.0.1:50123/callback' });
    expect(address?.port).toBe('50123');
  });
});

test('clients register only addresses that a browser cannot execute, and names without anything invisible', async ({
  portal,
}) => {
  const refused = [
    'javascript:alert(1)//',
    'data:text/html,x',
    'http://example.org/callback',
    'https://user:secret@example.org/',
    'https://example.org/#fragment',
    'file:///etc/passwd',
    '/callback',
  ];
  for (const uri of refused) {
    const { status, body } = await register(portal, { redirect_uris: [uri] });
    expect([uri, status, body.error]).toEqual([uri, 400, 'invalid_redirect_uri']);
  }
  const taken = ['https://assistant.example.org/callback', 'cursor://anysphere.cursor-mcp/oauth/callback'];
  for (const uri of taken) expect((await register(portal, { redirect_uris: [uri] })).status).toBe(201);
  const { body } = await register(portal, { client_name: `Run\u202Esheet\u{E0041} \n ${'x'.repeat(300)}` });
  expect(body.client_name).toMatch(/^Runsheet x{1,100}…$/);
});

test('programs learn from a refused call where they get a grant', async ({ portal }) => {
  const { statusCode, headers } = await portal.app.http.inject({ method: 'POST', url: '/mcp', payload: {} });
  const metadata = `${PORTAL}/.well-known/oauth-protected-resource`;
  expect([statusCode, headers['www-authenticate']]).toEqual([401, `Bearer resource_metadata="${metadata}"`]);
  for (const path of ['', '/mcp']) {
    const answer = await portal.app.http.inject(`/.well-known/oauth-protected-resource${path}`);
    expect(answer.json()).toMatchObject({ resource: MCP, authorization_servers: [PORTAL] });
  }
  const server = (await portal.app.http.inject('/.well-known/oauth-authorization-server')).json();
  expect(server).toMatchObject({ issuer: PORTAL, code_challenge_methods_supported: ['S256'] });
});
