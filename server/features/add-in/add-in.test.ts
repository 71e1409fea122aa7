import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { excelManifestXml, whyNoExcelAddIn } from './excel-manifest.ts';
import { bearer, createUser, signedInUser } from '#test/support/users.ts';

const PORTAL = 'https://portal.example/';

let app: TestApp;
beforeAll(async () => {
  const settings = { trustedNetworks: ['127.0.0.0/8'], publicUrl: PORTAL.slice(0, -1), title: 'Prices & more' };
  app = await testApp({ settings });
});
afterAll(() => app.close());

const REFUSED = [400, 'The code is no longer valid. Please sign in again.'];

function proof(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

async function issue(headers: object, Challenge: string, IsCopied = false) {
  const payload = { ClientKind: 'excel', Challenge, IsCopied };
  const answer = await app.http.inject({ method: 'POST', url: '/api/addin/code', headers: { ...headers }, payload });
  return { status: answer.statusCode, code: answer.json<{ result?: { Code: string } }>().result?.Code ?? '' };
}

async function redeem(Code: string, Verifier: string, remoteAddress = '127.0.0.1') {
  const request = { method: 'POST', url: '/api/addin/token', payload: { Code, Verifier }, remoteAddress } as const;
  const answer = await app.http.inject(request);
  const { result, message } = answer.json<{ result?: { access_token: string; UserName: string }; message?: string }>();
  return { status: answer.statusCode, result, said: [answer.statusCode, message] };
}

const nameFor = async (token: string) =>
  (await app.http.inject({ method: 'POST', url: '/api/users/profile', headers: bearer(token), payload: [] })).json()
    .result?.UserName;

test('a code becomes a separate session, once, for the holder of the proof key', async () => {
  const user = await signedInUser(app);
  const { verifier, challenge } = proof();
  const { code } = await issue(user.headers, challenge);
  expect(JSON.stringify(await app.database.knex('AddInCodes'))).not.toContain(code);
  const { status, result } = await redeem(code, verifier);
  expect([status, result?.UserName]).toEqual([200, user.UserName]);
  expect(await nameFor(result!.access_token)).toBe(user.UserName);
  expect((await redeem(code, verifier)).said).toEqual(REFUSED);
  // The browser's session and the program's session end independently.
  await app.http.inject({ method: 'POST', url: '/api/logout', headers: user.headers });
  expect(await nameFor(result!.access_token)).toBe(user.UserName);
});

test('a wrong proof key gets nothing, and uses the code up', async () => {
  const user = await signedInUser(app);
  const { verifier, challenge } = proof();
  const { code } = await issue(user.headers, challenge);
  expect((await redeem(code, proof().verifier)).said).toEqual(REFUSED);
  expect((await redeem(code, verifier)).said).toEqual(REFUSED);
});

test('a code ends after a minute, or five where it is copied', async () => {
  const user = await signedInUser(app);
  const { knex } = app.database;
  const { verifier, challenge } = proof();
  const sent = await issue(user.headers, challenge);
  const copied = await issue(user.headers, challenge, true);
  // Simulates two minutes passing.
  const later = (expiry: Date): Date => new Date(expiry.getTime() - 120_000);
  for (const { CodeHash, ExpiryTime } of (await knex('AddInCodes')) as { CodeHash: string; ExpiryTime: Date }[])
    await knex('AddInCodes')
      .where({ CodeHash })
      .update({ ExpiryTime: later(ExpiryTime) });
  expect((await redeem(sent.code, verifier)).said).toEqual(REFUSED);
  expect((await redeem(copied.code, verifier)).status).toBe(200);
});

test('a code is worth nothing once its session has ended, its user is disabled, or from where the user may not come in', async () => {
  const { verifier, challenge } = proof();
  const left = await signedInUser(app);
  const { code } = await issue(left.headers, challenge);
  await app.http.inject({ method: 'POST', url: '/api/logout', headers: left.headers });
  expect((await redeem(code, verifier)).said).toEqual(REFUSED);

  const disabled = await signedInUser(app);
  const second = await issue(disabled.headers, challenge);
  await app.database.knex('Users').where({ UserId: disabled.UserId }).update({ Enabled: false });
  expect((await redeem(second.code, verifier)).said).toEqual(REFUSED);

  const inside = await signedInUser(app);
  const third = await issue(inside.headers, challenge);
  expect((await redeem(third.code, verifier, '203.0.113.9')).said).toEqual(REFUSED);
});

test('an API key makes no codes, a visitor neither', async () => {
  const manager = await signedInUser(app, ['sk.ManageUserPasswords']);
  const { UserId } = await createUser(app);
  const url = `/api/users/apikeys/create/${UserId}`;
  const made = await app.http.inject({ method: 'POST', url, headers: manager.headers });
  const { Key } = made.json<{ result: { Key: string } }>().result;
  expect((await issue(bearer(Key), proof().challenge)).status).toBe(403);
  expect((await issue({}, proof().challenge)).status).toBe(401);
});

describe('the add-in for Excel', () => {
  test('has a manifest that names the address of this installation alone', async () => {
    const { headers } = await signedInUser(app);
    const manifest = await app.http.inject({ method: 'GET', url: '/api/addin/excel/manifest.xml' });
    const about = await app.http.inject({ method: 'GET', url: '/api/addin/excel', headers });
    expect(about.json().result).toEqual({ ManifestAddress: `${PORTAL}api/addin/excel/manifest.xml`, Problem: '' });
    expect(manifest.headers['content-type']).toContain('application/xml');
    expect(manifest.headers['content-disposition']).toContain('attachment');
    const { body } = manifest;
    expect(body).toContain(`<SourceLocation DefaultValue="${PORTAL}excel/" />`);
    expect(body).toContain('<DisplayName DefaultValue="Prices &#38; more" />');
    const addresses = [...body.matchAll(/Value="(https:[^"]*)"/g)].map(([, address]) => address!);
    expect(addresses.length).toBeGreaterThan(6);
    expect(addresses.filter((address) => !address.startsWith(PORTAL))).toEqual([]);
    // Every referenced resource id exists exactly once, and no id is longer than the schema allows.
    const asks = new Set([...body.matchAll(/resid="([^"]+)"/g)].map(([, id]) => id!));
    const has = [...body.matchAll(/<bt:(?:Image|Url|String) id="([^"]+)"/g)].map(([, id]) => id!);
    expect(has.toSorted()).toEqual([...asks].toSorted());
    expect([...asks].filter((id) => id.length > 32)).toEqual([]);
    const texts = [...body.matchAll(/<(?:bt:)?(?:Description|Override|String) [^>]*Value="([^"]*)"/g)];
    expect(Math.max(...texts.map(([, text]) => text!.length))).toBeLessThanOrEqual(250);
  });

  test('is known by one number for one address', () => {
    const idOf = (address: string): string => /<Id>(.*)<\/Id>/.exec(excelManifestXml(address, 'x'))![1]!;
    expect(idOf(PORTAL)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(idOf(PORTAL)).toBe(idOf(PORTAL));
    expect(idOf('https://other.example/')).not.toBe(idOf(PORTAL));
  });

  test('is offered where Excel could find the portal', () => {
    expect(whyNoExcelAddIn(null)).toContain('not in its settings');
    expect(whyNoExcelAddIn('http://portal.example/')).toContain('no https address');
    expect(whyNoExcelAddIn(PORTAL)).toBe('');
  });
});
