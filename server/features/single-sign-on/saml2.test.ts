import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApp } from '#test/support/app.ts';
import { makeCertificate } from '#test/support/peers/certificates.ts';
import {
  minutesFromNow,
  startSamlPeer,
  type AnswerChanges,
  type SamlPeer,
  type SamlPerson,
} from '#test/support/peers/saml.ts';
import { PORTAL, providerSources, ssoApp, ssoBrowser } from '#test/support/sign-on/sso-app.ts';
import { bearer, createUser, signIn as signInUser } from '#test/support/users.ts';

const ADA: SamlPerson = { nameId: 'ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org' };
const EVE: SamlPerson = { nameId: 'eve', firstName: 'Eve', lastName: 'Intruder', email: 'eve@example.org' };

let peer: SamlPeer;
let app: TestApp;
beforeAll(async () => {
  peer = await startSamlPeer(ADA);
  app = await ssoApp(await providerSources({ saml2: peer }));
  peer.know((await app.http.inject({ url: '/api/sso/saml2/corp/metadata' })).body);
});
afterAll(async () => {
  await app.close();
  await peer.stop();
});

const userNames = async (): Promise<string[]> =>
  ((await app.database.knex('Users').select('UserName').orderBy('UserName')) as { UserName: string }[]).map(
    ({ UserName }) => UserName,
  );

/** Begins a sign-in, lets `change` tamper with the response, and posts it. */
async function signIn(
  person: SamlPerson,
  { changes, change }: { changes?: AnswerChanges; change?: (xml: string) => string } = {},
) {
  const browser = ssoBrowser(app);
  const answer = await peer.answer(await browser.begin('saml2', 'corp'), person, changes);
  const xml = Buffer.from(answer.SAMLResponse, 'base64').toString('utf8');
  const SAMLResponse = Buffer.from(change ? change(xml) : xml).toString('base64');
  return { browser, answer, landed: await browser.postAnswer('corp', { ...answer, SAMLResponse }) };
}

test('a test says what the provider said, or why the portal refuses it, and signs nobody in', async () => {
  const before = await userNames();
  const user = await createUser(app, { isUserAdmin: true });
  const headers = bearer(await signInUser(app, user));
  const post = (url: string, payload: object, cookie = '') =>
    app.http.inject({ method: 'POST', url: `/api/admin/setup/${url}`, headers: { ...headers, cookie }, payload });
  const outcome = async (change = (xml: string): string => xml) => {
    const begun = await post('signInTest', { Name: 'saml2:corp', Path: '/signedinagain?for=1' });
    const { Path, ReturnAddress } = begun.json().result;
    expect(ReturnAddress).toBe(`${PORTAL}api/sso/saml2/corp/metadata`);
    const browser = ssoBrowser(app);
    browser.setCookie(String(begun.headers['set-cookie']).split(';')[0] ?? '');
    const answer = await peer.answer(Path, EVE);
    const xml = change(Buffer.from(answer.SAMLResponse, 'base64').toString('utf8'));
    const landed = await browser.postAnswer('corp', { ...answer, SAMLResponse: Buffer.from(xml).toString('base64') });
    expect((await browser.redeem(landed.query['ott'])).status).toBe(400);
    return (await post('signInTestResult', { Ott: landed.query['ott'] }, browser.cookie())).json().result;
  };
  expect(await outcome()).toMatchObject({
    State: 'Good',
    Findings: [{ Values: { subject: 'eve' } }, { Values: { email: 'eve@example.org' } }, { Code: 'testNewUser' }, {}],
    Claims: expect.arrayContaining([
      { Name: 'NameID', Values: ['eve'] },
      { Name: 'sn', Values: ['Intruder'] },
    ]),
  });
  expect(await outcome((xml) => xml.replaceAll('eve', 'ada'))).toMatchObject({
    Findings: [{ Code: 'testRefused', Values: { reason: expect.stringContaining('signature') } }],
    Claims: [],
  });
  expect(await userNames()).toEqual([...before, user.UserName].toSorted());
});

describe('a signed answer', () => {
  test('signs a new person in, whose user is created from it', async () => {
    const { browser, landed } = await signIn(ADA);
    expect(landed).toMatchObject({ origin: PORTAL.slice(0, -1), path: '/activities/', query: { sso: '1' } });
    const { status, result } = await browser.redeem(landed.query['ott']);
    expect(status).toBe(200);
    expect(result).toMatchObject({ UserName: 'ada', ssoProvider: 'saml2:corp', lastLoginTime: null });
    expect(Date.parse(result.ssoExpiry ?? '')).toBeGreaterThan(Date.now() + 59 * 60_000);
    const profile = await app.http.inject({
      method: 'POST',
      url: '/api/users/profile',
      headers: bearer(result.access_token),
      payload: [],
    });
    expect(profile.json().result).toMatchObject({
      UserName: 'ada',
      FirstName: 'Ada',
      LastName: 'Lovelace',
      Source: 'SSO',
    });
    const [created] = await app.database.knex('SecurityActions').where({ Action: 'CreateUser' });
    expect(created).toMatchObject({ TargetUserName: 'ada', UserName: 'system', Address: '127.0.0.1' });
  });

  test('finds the same user again, with what the provider says of them today', async () => {
    const { browser, landed } = await signIn({ ...ADA, lastName: 'King' });
    const { result } = await browser.redeem(landed.query['ott']);
    expect(result.lastLoginTime).not.toBeNull();
    expect(await app.database.knex('Users').where({ UserName: 'ada' })).toMatchObject([{ LastName: 'King' }]);
  });

  test('counts once, whichever server it is sent to', async () => {
    const { browser, answer } = await signIn(ADA);
    expect((await browser.postAnswer('corp', { ...answer })).query['ssoError']).toMatch(/^The sign-in took too long/);
    // The assertion has already been used, even if the request that it responds to is still open.
    const other = ssoBrowser(app);
    const { RelayState } = await peer.answer(await other.begin('saml2', 'corp'), ADA);
    expect((await other.postAnswer('corp', { ...answer, RelayState })).query['ssoError']).toBe('Login failed');
  });

  // Signatures do not cover comments, and do not distinguish CDATA sections from text. A person called adalbert could
  // insert them.
  test.each([
    ['a comment', 'ada<!-- -->lbert'],
    ['an empty comment at the end', 'adalbert<!---->'],
    ['a CDATA section', 'ada<![CDATA[lbert]]>'],
  ])('with %s in the name signs in who has the whole name, or nobody', async (_name, written) => {
    const person = { ...ADA, nameId: 'adalbert', email: 'adalbert@example.org' };
    const { browser, landed } = await signIn(person, {
      change: (xml) => xml.replaceAll('>adalbert<', `>${written}<`),
    });
    if (landed.path === '/login') return;
    expect((await browser.redeem(landed.query['ott'])).result.UserName).toBe('adalbert');
  });

  test('leads back to paths of the portal alone', async () => {
    for (const [path, expected] of [
      ['/activities/run/7/?q=1&ott=x', '/activities/run/7/?q=1'],
      ['//elsewhere.example/', '/?'],
      ['https://elsewhere.example/', '/?'],
      ['/\\elsewhere.example', '/?'],
    ]) {
      const browser = ssoBrowser(app);
      const answer = await peer.answer(await browser.begin('saml2', 'corp', path), ADA);
      const { origin, path: landingPath, query } = await browser.postAnswer('corp', { ...answer });
      expect(origin).toBe(PORTAL.slice(0, -1));
      const { sso, ott, ...rest } = query;
      expect(`${landingPath}?${new URLSearchParams(rest).toString()}`).toBe(expected);
      expect([sso, ott?.length]).toEqual(['1', 43]);
    }
  });
});

describe('an answer is refused', () => {
  const between = (xml: string, name: string): string => new RegExp(`<${name}[ >].*</${name}>`, 's').exec(xml)![0];
  const signatureOf = (xml: string): string => between(xml, 'ds:Signature');
  const evil = (xml: string): string => xml.replaceAll('>ada<', '>admin<');
  const unsigned = (xml: string): string => xml.replace(signatureOf(xml), '');
  const newId = (xml: string): string => xml.replace(/(<saml:Assertion[^>]* ID=")[^"]+/, '$1_evil');

  /**
   * The eight attacks of "On Breaking SAML", for responses with a signed assertion. 1 and 2 move a signature of the
   * whole response.
   */
  const wrappings: Record<string, (xml: string) => string> = {
    'XSW1: the whole answer copied behind its signature': (xml) => {
      const forged = evil(unsigned(xml)).replace(/(<samlp:Response[^>]* ID=")[^"]+/, '$1_evil');
      return forged.replace(
        '<samlp:Status>',
        `${signatureOf(xml).replace('</ds:Signature>', `${xml}</ds:Signature>`)}<samlp:Status>`,
      );
    },
    'XSW2: the whole answer beside a detached signature': (xml) => {
      const forged = evil(unsigned(xml)).replace(/(<samlp:Response[^>]* ID=")[^"]+/, '$1_evil');
      return forged.replace('<samlp:Status>', `${unsigned(xml)}${signatureOf(xml)}<samlp:Status>`);
    },
    'XSW3: a forged assertion before the signed one': (xml) => {
      const assertion = between(xml, 'saml:Assertion');
      return xml.replace(assertion, newId(evil(unsigned(assertion))) + assertion);
    },
    'XSW4: the signed assertion within a forged one': (xml) => {
      const assertion = between(xml, 'saml:Assertion');
      const forged = newId(evil(unsigned(assertion)));
      return xml.replace(assertion, forged.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`));
    },
    'XSW5: a forged assertion with the signature of another that follows': (xml) => {
      const assertion = between(xml, 'saml:Assertion');
      return xml.replace(assertion, newId(evil(assertion)) + unsigned(assertion));
    },
    'XSW6: the original within the signature of a forged assertion': (xml) => {
      const assertion = between(xml, 'saml:Assertion');
      const forged = newId(evil(assertion));
      return xml.replace(assertion, forged.replace('</ds:Signature>', `${unsigned(assertion)}</ds:Signature>`));
    },
    'XSW7: a forged assertion among extensions': (xml) => {
      const assertion = between(xml, 'saml:Assertion');
      const forged = evil(unsigned(assertion));
      return xml.replace(assertion, `<samlp:Extensions>${forged}</samlp:Extensions>${assertion}`);
    },
    'XSW8: the original in an object of the signature': (xml) => {
      const assertion = between(xml, 'saml:Assertion');
      const object = `<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${unsigned(assertion)}</ds:Object>`;
      return xml.replace(assertion, evil(assertion).replace('</ds:Signature>', `${object}</ds:Signature>`));
    },
  };

  test.each(Object.entries(wrappings))('%s', async (_name, change) => {
    const { landed } = await signIn(ADA, { change });
    expect(landed).toMatchObject({ path: '/login', query: { ssoError: 'Login failed' } });
    expect(await userNames()).not.toContain('admin');
  });

  const tampered: Record<string, (xml: string) => string> = {
    'without a signature': unsigned,
    'changed after it was signed': evil,
    'with a text that a comment cuts': (xml) =>
      xml.replaceAll('>ada<', '>a<!-- -->da<').replaceAll('a<!-- -->da', 'admin<!-- -->'),
    'with a document type': (xml) => `<!DOCTYPE x [<!ENTITY who "admin">]>${xml.replaceAll('>ada<', '>&who;<')}`,
    'signed with SHA-1, or so it says': (xml) => xml.replace('xmldsig-more#rsa-sha256', 'xmldsig#rsa-sha1'),
    'without a status': (xml) => xml.replace(/<samlp:Status>.*<\/samlp:Status>/s, ''),
    'with two statuses': (xml) => xml.replace(/<samlp:Status>.*<\/samlp:Status>/s, '$&$&'),
    'with success where no status stands': (xml) =>
      xml.replace(/<samlp:Status>(.*)<\/samlp:Status>/s, '<samlp:Extensions>$1</samlp:Extensions>'),
    'that is no XML': () => 'nothing',
    'that is empty XML': () => '<a/>',
  };
  test.each(Object.entries(tampered))('%s', async (_name, change) => {
    const { landed } = await signIn(ADA, { change });
    expect(landed).toMatchObject({ path: '/login', query: { ssoError: 'Login failed' } });
  });

  const wrong: Record<string, AnswerChanges> = {
    'for another audience': { Audience: 'https://other.example/' },
    'for another address': { Recipient: 'https://other.example/acs' },
    'to another request': { InResponseTo: '_other' },
    'of another issuer': { Issuer: 'https://other.example/idp' },
    'that has expired': { NotOnOrAfter: minutesFromNow(-5) },
    'whose status is not success': { StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Responder' },
    'whose status is a request for more': { StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed' },
    'whose status only begins like success': { StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success ' },
    'that was meant for another portal': { Destination: 'https://other.example/api/sso/saml2/corp/acs' },
    'that was meant for another provider of this portal': { Destination: `${PORTAL}api/sso/saml2/other/acs` },
  };
  test.each(Object.entries(wrong))('%s', async (_name, changes) => {
    const { landed } = await signIn(ADA, { changes });
    expect(landed).toMatchObject({ path: '/login', query: { ssoError: 'Login failed' } });
  });

  test('signed with another key', async () => {
    const browser = ssoBrowser(app);
    const other = await makeCertificate('Not the provider');
    const answer = await peer.answer(await browser.begin('saml2', 'corp'), ADA, {}, other);
    expect((await browser.postAnswer('corp', { ...answer })).query).toEqual({ ssoError: 'Login failed' });
  });

  test('that nobody asked for', async () => {
    const browser = ssoBrowser(app);
    const answer = await peer.answer(await browser.begin('saml2', 'corp'), ADA);
    for (const RelayState of ['', 'made-up']) {
      const { query } = await browser.postAnswer('corp', { ...answer, RelayState });
      expect(query['ssoError']).toMatch(/^The sign-in took too long/);
    }
  });

  test('with the same text for users who are disabled, and names that others have', async () => {
    await signIn(EVE);
    await app.database.knex('Users').where({ UserName: 'eve' }).update({ Enabled: false });
    const text = 'You do not have access to this portal. Please contact its administrator.';
    expect((await signIn(EVE)).landed.query).toEqual({ ssoError: text });
    await app.users.createUser({ UserName: 'boss', password: 'Correct-Horse-7', IsUserAdmin: true });
    expect((await signIn({ ...EVE, nameId: 'boss' })).landed.query).toEqual({ ssoError: text });
    expect((await signIn({ ...EVE, nameId: 'Boss ' })).landed.query).toEqual({ ssoError: text });
  });
});

describe('logging out', () => {
  async function session(person: SamlPerson) {
    const { browser, landed } = await signIn(person);
    const { result } = await browser.redeem(landed.query['ott']);
    const headers = bearer(result.access_token);
    const isAlive = async () =>
      (await app.http.inject({ method: 'POST', url: '/api/users/profile', headers, payload: [] })).statusCode === 200;
    return { headers, isAlive };
  }

  test('everywhere leads to the provider with a signed request', async () => {
    const { headers } = await session(ADA);
    const answer = await app.http.inject({ method: 'POST', url: '/api/ssologouturl/saml2/corp', headers });
    const { url } = answer.json<{ result: { url: string } }>().result;
    expect(url).toMatch(/^http:\/\/localhost:\d+\/log-out\?SAMLRequest=.*&Signature=/);
    const back = await fetch(url, { redirect: 'manual' });
    expect(peer.logouts).toEqual(['ada']);
    const home = await app.http.inject({ url: back.headers.get('location')!.replace(PORTAL, '/') });
    expect(home.headers.location).toBe(`${PORTAL}?sso=0`);
    const other = await app.http.inject({ method: 'POST', url: '/api/ssologouturl/oidc/corp', headers });
    expect(other.statusCode).toBe(400);
  });

  test('at the provider ends the session here, and only where the provider signed the request', async () => {
    const ada = await session(ADA);
    const asked = peer.askLogout(ADA).replace(PORTAL, '/');
    const forged = [
      asked.replace(/&Signature=.*/, ''),
      asked.replace(/Signature=...../, 'Signature=AAAAA'),
      `${asked}&SAMLRequest=x`,
    ];
    for (const url of forged) expect((await app.http.inject({ url })).statusCode).toBe(400);
    expect(await ada.isAlive()).toBe(true);
    const foreign = peer.askLogout(ADA, undefined, 'https://other.example/api/sso/saml2/corp/logout');
    expect((await app.http.inject({ url: foreign.replace('https://other.example/', '/') })).statusCode).toBe(400);
    expect(await ada.isAlive()).toBe(true);
    const otherSession = await app.http.inject({ url: peer.askLogout(ADA, '_another').replace(PORTAL, '/') });
    expect(otherSession.statusCode).toBe(303);
    expect(await ada.isAlive()).toBe(true);
    const answer = await app.http.inject({ url: asked });
    expect(answer.headers.location).toMatch(/^http:\/\/localhost:\d+\/log-out\?SAMLResponse=/);
    expect(await ada.isAlive()).toBe(false);
    expect((await app.http.inject({ url: asked })).statusCode).toBe(400);
  });
});
