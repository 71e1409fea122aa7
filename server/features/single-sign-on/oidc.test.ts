import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TokenResponse } from '#shared/contract/auth.ts';
import type { SignInTest } from '#shared/contract/setup.ts';
import type { TestApp } from '#test/support/app.ts';
import { passThrough, startOidcPeer, type OidcPeer } from '#test/support/peers/oidc.ts';
import { PORTAL, providerSources, ssoApp, ssoBrowser } from '#test/support/sign-on/sso-app.ts';
import { bearer, createUser, signedInUser, signIn } from '#test/support/users.ts';

let peer: OidcPeer;
let app: TestApp;
beforeAll(async () => {
  peer = await startOidcPeer('cloud');
  peer.know(PORTAL);
  app = await ssoApp(await providerSources({ oidc: peer }));
});
afterAll(async () => {
  await app.close();
  await peer.stop();
});

async function come(login: string, change: (callback: string) => string = (callback) => callback) {
  const browser = ssoBrowser(app);
  const url = await browser.begin('oidc', 'cloud', '/activities/?q=1');
  const landed = await browser.follow(change(await passThrough(url, login, peer.url)));
  return { browser, url, landed };
}

const FAILED = { path: '/login', query: { ssoError: 'Login failed' } };
const EXPIRED = 'The sign-in took too long or was started in another browser. Please try again.';

describe('the code flow', () => {
  test('signs a new person in, with PKCE, state and nonce', async () => {
    const { browser, url, landed } = await come('linus');
    const asked = Object.fromEntries(new URL(url).searchParams);
    expect(asked).toMatchObject({ response_type: 'code', code_challenge_method: 'S256', client_id: 'runsheet' });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]).toHaveLength(43);
    expect(landed).toMatchObject({ path: '/activities/', query: { q: '1', sso: '1' } });
    const { result } = await browser.redeem(landed.query['ott']);
    expect(result).toMatchObject({ UserName: 'linus', ssoProvider: 'oidc:cloud' });
    const [user] = await app.database.knex('Users').where({ UserName: 'linus' });
    expect(user).toMatchObject({ Source: 'SSO', FirstName: 'Linus', Email: 'linus@example.org', PasswordHash: null });
  });

  test('refuses another state, another code, an error, and an answer that came before', async () => {
    const other = (name: string) => (callback: string) =>
      callback.replace(new RegExp(`${name}=[^&]+`), `${name}=other`);
    expect((await come('linus', other('state'))).landed.query['ssoError']).toBe(EXPIRED);
    expect((await come('linus', other('code'))).landed).toMatchObject(FAILED);
    expect((await come('linus', other('iss'))).landed).toMatchObject(FAILED);
    const failed = (callback: string) =>
      callback.replace(/code=[^&]+/, 'error=access_denied&error_description=<b>no</b>');
    expect((await come('linus', failed)).landed).toMatchObject(FAILED);
    let callback = '';
    const { browser } = await come('linus', (address) => (callback = address));
    expect((await browser.follow(callback)).query['ssoError']).toBe(EXPIRED);
  });

  test('refuses the code of a sign-in that another browser began', async () => {
    const victim = ssoBrowser(app);
    const state = new URL(await victim.begin('oidc', 'cloud')).searchParams.get('state') ?? '';
    let attack = '';
    await come('mallory', (callback) => ((attack = callback), callback.replace(/code=[^&]+/, 'code=spent')));
    // The attacker's code with the victim's state: verifier and nonce do not match.
    expect(await victim.follow(attack.replace(/state=[^&]+/, `state=${state}`))).toMatchObject(FAILED);
  });
});

test('a program that gets its session from a browser leaves when the provider says, and renews nothing itself', async () => {
  const { browser, landed } = await come('linus');
  const { result } = await browser.redeem(landed.query['ott']);
  const Verifier = 'v'.repeat(43);
  const Challenge = createHash('sha256').update(Verifier).digest('base64url');
  const post = (url: string, payload: object, token = '') =>
    app.http.inject({ method: 'POST', url, payload, ...(token ? { headers: bearer(token) } : {}) });
  const issued = await post('/api/addin/code', { ClientKind: 'x', Challenge, IsCopied: false }, result.access_token);
  const made = await post('/api/addin/token', { Code: issued.json().result.Code, Verifier });
  const { access_token, ssoProvider, ssoExpiry } = made.json<{ result: TokenResponse }>().result;
  expect([ssoProvider, ssoExpiry]).toEqual([result.ssoProvider, result.ssoExpiry]);
  expect((await post('/api/sso/refresh/oidc/cloud', {}, access_token)).json()).toEqual({ result: { ssoExpiry: null } });
  expect((await post('/api/sso/refresh/oidc/cloud', {}, result.access_token)).statusCode).toBe(200);
  await app.database.knex('SsoSessions').update({ SsoExpiry: new Date(Date.now() - 1000) });
  expect((await post('/api/users/profile', [], access_token)).statusCode).toBe(401);
});

describe('a test of the sign-in', () => {
  type Headers = ReturnType<typeof bearer>;
  const admin = async () => {
    const user = await createUser(app, { isUserAdmin: true });
    return bearer(await signIn(app, user));
  };
  async function run(headers: Headers, login: string, change = (callback: string) => callback) {
    const browser = ssoBrowser(app);
    const payload = { Name: 'oidc:cloud', Path: '/signedinagain?for=1&test=1' };
    const begun = await app.http.inject({ method: 'POST', url: '/api/admin/setup/signInTest', headers, payload });
    browser.setCookie(String(begun.headers['set-cookie']).split(';')[0] ?? '');
    const { Path, ReturnAddress } = begun.json().result;
    expect(ReturnAddress).toBe(`${PORTAL}api/sso/oidc/cloud/callback`);
    const landed = await browser.follow(change(await passThrough(Path, login, peer.url)));
    return { browser, landed };
  }
  const result = async (headers: Headers, browser: ReturnType<typeof ssoBrowser>, Ott: string | undefined) =>
    app.http.inject({
      method: 'POST',
      url: '/api/admin/setup/signInTestResult',
      headers: { ...headers, cookie: browser.cookie() },
      payload: { Ott: Ott ?? '' },
    });
  const codesOf = (answer: { json(): { result: SignInTest } }) => answer.json().result.Findings.map(({ Code }) => Code);

  test('says what the provider said and who that would be, and signs nobody in', async () => {
    const headers = await admin();
    const { browser, landed } = await run(headers, 'margaret');
    expect(landed).toMatchObject({ path: '/signedinagain', query: { for: '1', test: '1' } });
    const { ott } = landed.query;
    expect((await browser.redeem(ott)).status).toBe(400);
    expect((await result(await admin(), browser, ott)).statusCode).toBe(400);
    expect((await result(headers, ssoBrowser(app), ott)).statusCode).toBe(400);
    const answer = await result(headers, browser, ott);
    expect(codesOf(answer)).toEqual(['testAccepted', 'testProfile', 'testNewUser', 'testLasts']);
    expect(answer.json().result.Claims).toContainEqual({ Name: 'email', Values: ['margaret@example.org'] });
    expect(await app.users.findByName('margaret')).toBeUndefined();
    expect((await result(headers, browser, ott)).statusCode).toBe(400);
  });

  test('says why the portal would refuse the person or the answer', async () => {
    const headers = await admin();
    const outcome = async (login: string, change?: (callback: string) => string) => {
      const { browser, landed } = await run(headers, login, change);
      return result(headers, browser, landed.query['ott']);
    };
    await createUser(app, { userName: 'taken' });
    expect(codesOf(await outcome('taken'))).toContain('testNameTaken');
    const { browser, landed } = await come('grace');
    await browser.redeem(landed.query['ott']);
    expect(codesOf(await outcome('grace'))).toContain('testKnownUser');
    await app.database.knex('Users').where({ UserName: 'grace' }).update({ Enabled: false });
    expect(codesOf(await outcome('grace'))).toContain('testDisabledUser');
    const denied = await outcome('grace', (callback) =>
      callback.replace(/code=[^&]+/, 'error=access_denied&error_description=not+assigned'),
    );
    expect(denied.json().result).toMatchObject({
      State: 'Attention',
      Findings: [{ Code: 'testRefused', Values: { reason: expect.stringContaining('access_denied: not assigned') } }],
    });
  });

  test('is only for administrators of users', async () => {
    const { headers } = await signedInUser(app, ['sk.ManageUsers']);
    const payload = { Name: 'oidc:cloud', Path: '/' };
    const begun = await app.http.inject({ method: 'POST', url: '/api/admin/setup/signInTest', headers, payload });
    expect(begun.statusCode).toBe(403);
  });
});

describe('the one-time token', () => {
  test('is good once, for the browser that began, and for a minute', async () => {
    const { browser, landed } = await come('linus');
    const { ott } = landed.query;
    const thief = ssoBrowser(app);
    expect(await thief.redeem(ott)).toMatchObject({ status: 400, message: EXPIRED });
    await thief.begin('oidc', 'cloud');
    expect(await thief.redeem(ott)).toMatchObject({ status: 400, message: EXPIRED });
    expect((await browser.redeem(ott)).status).toBe(200);
    expect(await browser.redeem(ott)).toMatchObject({ status: 400, message: EXPIRED });
    const late = await come('linus');
    await app.database.knex('SsoTickets').update({ ExpiryTime: new Date(Date.now() - 1000) });
    expect((await late.browser.redeem(late.landed.query['ott'])).status).toBe(400);
  });

  test('is tied to the browser by a cookie that scripts and other sites do not get, and that authorises nothing', async () => {
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/ssourl/oidc/cloud',
      payload: { ClientType: 'web', Path: '/' },
    });
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(/^runsheet-sso=[\w-]{43}; Path=\/; Max-Age=900; HttpOnly; SameSite=Strict$/);
    const calls = await app.http.inject({
      method: 'POST',
      url: '/api/users/profile',
      headers: { cookie },
      payload: [],
    });
    expect(calls.statusCode).toBe(401);
    const secure = await ssoApp(await providerSources({ oidc: peer }), { trustedProxies: ['127.0.0.1'] });
    const https = await secure.http.inject({
      method: 'POST',
      url: '/api/ssourl/oidc/cloud',
      headers: { 'x-forwarded-proto': 'https' },
      payload: { ClientType: 'web', Path: '/' },
    });
    expect(String(https.headers['set-cookie'])).toMatch(/^__Host-runsheet-sso=.*; Secure$/);
    await secure.close();
  });

  test('signs nobody in who was disabled, or left the trusted networks, on the way', async () => {
    const { browser, landed } = await come('gone');
    await app.database.knex('Users').where({ UserName: 'gone' }).update({ Enabled: false });
    const text = 'You do not have access to this portal. Please contact its administrator.';
    expect(await browser.redeem(landed.query['ott'])).toMatchObject({ status: 403, message: text });
  });
});

describe('the session', () => {
  const refresh = (headers: object) =>
    app.http.inject({ method: 'POST', url: '/api/sso/refresh/oidc/cloud', headers: { ...headers } });
  async function session(login: string) {
    const { browser, landed } = await come(login);
    const { result } = await browser.redeem(landed.query['ott']);
    return { result, headers: bearer(result.access_token) };
  }

  test('is renewed at the provider, and ends when the provider refuses to', async () => {
    const { headers } = await session('dennis');
    await app.database.knex('SsoSessions').update({ SsoExpiry: new Date(Date.now() + 60_000) });
    const renewed = await refresh(headers);
    expect(renewed.statusCode).toBe(200);
    const { ssoExpiry } = renewed.json<{ result: { ssoExpiry: string } }>().result;
    expect(Date.parse(ssoExpiry)).toBeGreaterThan(Date.now() + 3_500_000);
    const token = await app.http.inject({ method: 'POST', url: '/api/renewtoken', headers });
    expect(token.json<{ result: { ssoExpiry: string } }>().result.ssoExpiry).toBe(ssoExpiry);
    await peer.revokeAll();
    expect((await refresh(headers)).statusCode).toBe(401);
    expect(
      (await app.http.inject({ method: 'POST', url: '/api/users/profile', headers, payload: [] })).statusCode,
    ).toBe(401);
  });

  test('ends when its part at the provider has expired', async () => {
    const { headers } = await session('ken');
    await app.database.knex('SsoSessions').update({ SsoExpiry: new Date(Date.now() - 1000) });
    expect(
      (await app.http.inject({ method: 'POST', url: '/api/users/profile', headers, payload: [] })).statusCode,
    ).toBe(401);
  });

  test('leads out of the provider by its own address', async () => {
    const { headers } = await session('brian');
    const answer = await app.http.inject({ method: 'POST', url: '/api/ssologouturl/oidc/cloud', headers });
    const url = new URL(answer.json<{ result: { url: string } }>().result.url);
    expect(url.origin).toBe(peer.url);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${PORTAL}?sso=0`);
    expect(url.searchParams.get('id_token_hint')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  test('stores the provider’s tokens so that the database alone does not reveal them', async () => {
    await session('dennis');
    const text =
      JSON.stringify(await app.database.knex('SsoSessions')) + JSON.stringify(await app.database.knex('SsoTickets'));
    // Header and payload of a token: random ciphertext can contain one 'eyJ'.
    expect(text).not.toMatch(/eyJ[\w-]+\.eyJ|idToken|refreshToken/);
  });
});

describe('who may come', () => {
  test('is for the settings to say: without createUsers only who is known', async () => {
    const strict = await ssoApp(await providerSources({ oidc: peer }, { oidc: { createUsers: false } }));
    const browser = ssoBrowser(strict);
    const url = await browser.begin('oidc', 'cloud');
    const { query } = await browser.follow(await passThrough(url, 'stranger', peer.url));
    expect(query['ssoError']).toBe('You do not have access to this portal. Please contact its administrator.');
    expect(await strict.database.knex('Users').where({ UserName: 'stranger' })).toEqual([]);
    await strict.close();
  });

  test('from outside the trusted networks takes the right to, as with a password', async () => {
    const guarded = await ssoApp(await providerSources({ oidc: peer }), { trustedNetworks: ['10.0.0.0/8'] });
    const browser = ssoBrowser(guarded, '203.0.113.9');
    const url = await browser.begin('oidc', 'cloud');
    const { query } = await browser.follow(await passThrough(url, 'traveller', peer.url));
    expect(query['ssoError']).toBe('You may not sign in from outside the trusted networks');
    await guarded.close();
  });

  test('sees the buttons and is sent on at once where the settings say so, but not after a log-out', async () => {
    const sources = await providerSources(
      { oidc: peer },
      { all: { redirectTo: 'oidc:cloud', allowLocalUsers: false } },
    );
    const direct = await ssoApp(sources, { basePath: '/portal/' });
    const config = async (query: string) =>
      (await direct.http.inject({ method: 'POST', url: `/portal/api/sso/config${query}` })).json().result;
    const shown = {
      AllowADUsers: false,
      AllowLocalUsers: false,
      AllowPasswordReset: false,
      Saml2: [],
      Oidc: [{ Key: 'cloud', LoginButtonLabel: 'Cloud account' }],
    };
    const started = await config('?path=%2Factivities%2Frun%2F7');
    expect(started).toMatchObject(shown);
    expect(new URL(started.Path).searchParams.get('redirect_uri')).toBe(`${PORTAL}portal/api/sso/oidc/cloud/callback`);
    expect(await config('?redirect=false')).toEqual({ ...shown, Settings: started.Settings });
    await direct.close();
  });

  test('reads that the provider is away, and nothing more', async () => {
    const away = await ssoApp(await providerSources({ oidc: { ...peer, url: 'http://localhost:1' } }));
    const payload = { ClientType: 'web', Path: '/' };
    const answer = await away.http.inject({ method: 'POST', url: '/api/ssourl/oidc/cloud', payload });
    expect([answer.statusCode, answer.json().message]).toEqual([
      502,
      'The sign-in provider cannot be reached. Please try again later.',
    ]);
    expect((await away.http.inject({ method: 'POST', url: '/api/ssourl/oidc/no', payload })).statusCode).toBe(404);
    expect((await away.http.inject({ method: 'POST', url: '/api/sso/login/oidc:cloud' })).statusCode).toBe(502);
    await away.close();
  });
});
