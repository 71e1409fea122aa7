/** Codes, consent and the registration of programs that ask for access, with attacks on them. */
import { describe, expect } from 'vitest';
import { CALLBACK, codeForm, consent, exchange, isIn, register, tokensOf } from '#test/support/assistant-grants.ts';
import { MCP, PORTAL } from '#test/support/assistant-portal.ts';
import { test } from '#test/support/fixtures/assistant-portal.ts';
import { bearer, signedInUser } from '#test/support/users.ts';

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
