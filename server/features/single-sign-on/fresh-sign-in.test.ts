/**
 * Tests a repeated sign-in at the provider, which renews a session or proves the person's identity before other
 * sessions are ended.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OwnSession } from '#shared/contract/own-sessions.ts';
import type { TestApp } from '#test/support/app.ts';
import { passThrough, startOidcPeer, type OidcPeer } from '#test/support/peers/oidc.ts';
import {
  minutesFromNow,
  startSamlPeer,
  type AnswerChanges,
  type SamlPeer,
  type SamlPerson,
} from '#test/support/peers/saml.ts';
import { PORTAL, providerSources, ssoApp, ssoBrowser } from '#test/support/sign-on/sso-app.ts';
import { bearer } from '#test/support/users.ts';

const ADA: SamlPerson = { nameId: 'ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org' };
const EVE: SamlPerson = { nameId: 'eve', firstName: 'Eve', lastName: 'Intruder', email: 'eve@example.org' };
const AGAIN = '/signedinagain?for=page1';

let saml2: SamlPeer;
let oidc: OidcPeer;
let app: TestApp;
beforeAll(async () => {
  [saml2, oidc] = await Promise.all([startSamlPeer(ADA), startOidcPeer('cloud')]);
  oidc.know(PORTAL);
  app = await ssoApp(await providerSources({ saml2, oidc }));
  saml2.know((await app.http.inject({ url: '/api/sso/saml2/corp/metadata' })).body);
});
afterAll(async () => {
  await app.close();
  await Promise.all([saml2.stop(), oidc.stop()]);
});

type Browser = ReturnType<typeof ssoBrowser>;

/** Goes to the provider and back. Returns what the landing page gets in its query. */
async function goTo(browser: Browser, person: SamlPerson, changes: AnswerChanges = {}, fresh = true) {
  const url = await browser.begin('saml2', 'corp', fresh ? AGAIN : '/', fresh);
  return browser.postAnswer('corp', { ...(await saml2.answer(url, person, changes)) });
}

async function session(person: SamlPerson) {
  const browser = ssoBrowser(app);
  const { query } = await goTo(browser, person, { SessionNotOnOrAfter: minutesFromNow(3) }, false);
  const { result } = await browser.redeem(query['ott']);
  const headers = { ...bearer(result.access_token), cookie: browser.cookie() };
  const post = async (url: string, payload?: object, cookie = headers.cookie) => {
    const answer = await app.http.inject({
      method: 'POST',
      url,
      headers: { ...headers, cookie },
      payload: payload ?? {},
    });
    return { status: answer.statusCode, ...answer.json<{ result: { ssoExpiry: string | null }; message: string }>() };
  };
  const refresh = (Ott?: string, cookie?: string) =>
    post('/api/sso/refresh/saml2/corp', Ott === undefined ? {} : { Ott }, cookie);
  return { browser, headers, post, refresh };
}

test('a SAML2 session is renewed by the person, who signs in once more', async () => {
  const { browser, refresh } = await session(ADA);
  expect(await refresh()).toMatchObject({ status: 200, result: { ssoExpiry: null } });
  const landed = await goTo(browser, ADA);
  expect(landed).toMatchObject({ path: '/signedinagain', query: { for: 'page1', sso: '1' } });
  const { ott } = landed.query;
  // A sign-in from another browser, or no sign-in, renews nothing.
  expect((await refresh(ott, '')).status).toBe(400);
  const renewed = await refresh(ott);
  expect(Date.parse(renewed.result.ssoExpiry ?? '')).toBeGreaterThan(Date.now() + 55 * 60_000);
  expect((await refresh(ott)).status).toBe(400);
});

test('a session is not renewed by somebody else, nor by a sign-in for which nobody was asked', async () => {
  const { browser, refresh } = await session(ADA);
  const other = await refresh((await goTo(browser, EVE)).query['ott']);
  expect(other).toMatchObject({ status: 400, message: 'You signed in as a different user. Please try again.' });
  const usual = await refresh((await goTo(browser, ADA, {}, false)).query['ott']);
  expect(usual).toMatchObject({ status: 400, message: 'Login failed' });
  // The provider was told to ask the person, but admitted a known person without asking.
  const known = await goTo(browser, ADA, { AuthnInstant: minutesFromNow(-30) });
  expect(known).toMatchObject({ path: '/signedinagain', query: { ssoError: 'Login failed' } });
  const later = await goTo(browser, ADA, { AuthnInstant: minutesFromNow(30) });
  expect(later).toMatchObject({ path: '/signedinagain', query: { ssoError: 'Login failed' } });
  const url = await browser.begin('saml2', 'corp', AGAIN, true);
  const late = await browser.postAnswer('corp', { ...(await saml2.answer(url, ADA)), RelayState: 'fresh.other' });
  expect(late.path).toBe('/signedinagain');
});

test('who came through a provider proves there who ends sessions', async () => {
  const [mine, other] = [await session(ADA), await session(ADA)];
  const sessions = async (headers: object) => app.http.inject({ url: '/api/users/sessions', headers: { ...headers } });
  const items = (await sessions(mine.headers)).json<{ result: { Items: OwnSession[] } }>().result.Items;
  const { Id } = items.find(({ IsCurrent }) => !IsCurrent)!;
  const asked = await mine.post('/api/users/sessions/end', { Id });
  expect(asked).toMatchObject({ status: 400, message: 'Please sign in at your provider again first' });
  const { query } = await goTo(mine.browser, ADA);
  expect((await mine.post('/api/users/sessions/endothers', { Ott: query['ott'] })).status).toBe(200);
  expect((await sessions(other.headers)).statusCode).toBe(401);
  // A log-out from everywhere also signs out of the provider, and by specification requires no proof.
  expect((await mine.post('/api/logout', { Everywhere: true })).status).toBe(200);
  expect((await sessions(mine.headers)).statusCode).toBe(401);
});

test('OpenID Connect providers are asked to ask, and have to say that they did', async () => {
  const browser = ssoBrowser(app);
  const url = await browser.begin('oidc', 'cloud', AGAIN, true);
  const asked = Object.fromEntries(new URL(url).searchParams);
  expect(asked).toMatchObject({ prompt: 'login', max_age: '0' });
  const answer = await passThrough(url, 'linus', oidc.url);
  const { path, query } = await browser.follow(answer);
  expect([path, query['ott']?.length]).toEqual(['/signedinagain', 43]);
  // Without max_age, the provider does not report the time. A person could have removed it from the address.
  const quiet = new URL(await browser.begin('oidc', 'cloud', AGAIN, true));
  quiet.searchParams.delete('max_age');
  quiet.searchParams.delete('prompt');
  const landed = await browser.follow(await passThrough(quiet.href, 'linus', oidc.url));
  expect(landed).toMatchObject({ path: '/signedinagain', query: { ssoError: 'Login failed' } });
});
