import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseSerialDate } from '#shared/codecs/serial-date.ts';
import type { Profile } from '#shared/contract/auth.ts';
import { MAX_LICENSE_PART_LENGTH } from '#shared/contract/license.ts';
import type { SecurityAction } from '#shared/contract/security.ts';
import { createPasswordKeysService } from '#server/features/sessions/password-keys-service.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { bearer, createUser, encryptPasswords, signedInUser, signIn } from '#test/support/users.ts';
import { issueLicenseKey } from './license-key.ts';
import { createLicenseService } from './license-service.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
const licenseVendorKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64');
const THIS_YEAR = new Date().getUTCFullYear();

let app: TestApp;
let administrator: { UserName: string; headers: { authorization: string } };

beforeAll(async () => {
  app = await testApp({ settings: { licenseVendorKey } });
  const user = await createUser(app, { isUserAdmin: true });
  administrator = { ...user, headers: bearer(await signIn(app, user)) };
});
afterAll(() => app.close());

async function licenseOf(of: TestApp, headers: { authorization: string }): Promise<Profile['License']> {
  const answer = await of.http.inject({ method: 'POST', url: '/api/users/profile', headers, payload: [] });
  return answer.json<{ result: Profile }>().result.License;
}

async function renew(licenseKey: string, { UserName, headers } = administrator) {
  const parts = licenseKey.match(new RegExp(`.{1,${MAX_LICENSE_PART_LENGTH}}`, 'g')) ?? [];
  const Key = (await encryptPasswords(app.http, UserName, parts)).join('\n');
  return app.http.inject({ method: 'POST', url: '/api/admin/renewLicense', headers, payload: { Key } });
}

describe('with a vendor key configured', () => {
  test('there is no licence at first, and no run is carried out', async () => {
    expect(await licenseOf(app, administrator.headers)).toEqual({ Company: '', Expiry: 0 });
    expect(await app.license.allowsRuns()).toBe(false);
  });

  test.each([
    ['Nonsense', 'This key was not issued by the vendor of this portal'],
    [
      issueLicenseKey({ Company: 'Late', Expiry: `${THIS_YEAR - 1}-12-30` }, pem),
      'The license of this key has expired',
    ],
  ])('a key that does not hold is refused', async (licenseKey, message) => {
    const answer = await renew(licenseKey);
    expect([answer.statusCode, answer.json()]).toEqual([400, { message, modelState: { NewKey: [message] } }]);
    expect(await app.license.allowsRuns()).toBe(false);
  });

  test('an administrator puts a key in place, which is logged, and runs are carried out', async () => {
    const licenseKey = issueLicenseKey({ Company: 'A'.repeat(100), Expiry: `${THIS_YEAR + 1}-06-30` }, pem);
    expect(licenseKey.length).toBeGreaterThan(MAX_LICENSE_PART_LENGTH);
    const license = { Company: 'A'.repeat(100), Expiry: parseSerialDate(`${THIS_YEAR + 1}-06-30`) };
    expect((await renew(licenseKey)).json()).toEqual({ result: license });
    expect(await licenseOf(app, administrator.headers)).toEqual(license);
    expect(await app.license.allowsRuns()).toBe(true);
    const { headers } = await signedInUser(app, ['sk.ViewSecurityActions']);
    const log = await app.http.inject({ url: '/api/rights/securityActionsList/0', headers });
    const [last] = log.json<{ result: { Items: SecurityAction[] } }>().result.Items;
    expect(log.json<{ result: { Items: SecurityAction[] } }>().result.Items).toContainEqual(
      expect.objectContaining({ Action: 'RenewLicense', UserName: administrator.UserName }),
    );
    expect(last).toBeDefined();
    // The page Setup shows the last day, whatever the time zone of the browser.
    const setup = await app.http.inject({ url: '/api/admin/setup', headers: administrator.headers });
    const time = `${THIS_YEAR + 1}-06-30T12:00:00.000Z`;
    expect(setup.json().result.Items.find(({ Key }: { Key: string }) => Key === 'license').Findings).toMatchObject([
      { Code: 'licenseValid', Values: { time } },
    ]);
  });

  test('nobody but an administrator may', async () => {
    const other = await signedInUser(app, ['sk.ManageUsers', 'sk.ManageRights']);
    const answer = await renew(issueLicenseKey({ Company: 'Mine' }, pem), other);
    expect([answer.statusCode, answer.json()]).toEqual([
      403,
      { message: 'You do not have permissions for this operation' },
    ]);
  });

  test('the licence ends with its last day, where the portal is', async () => {
    const config = { licenseVendorKey, timeZone: 'Pacific/Kiritimati' };
    const keys = createPasswordKeysService(app.database);
    const at = (now: string) =>
      createLicenseService({ config, database: app.database, keys, now: () => Date.parse(now) }).allowsRuns();
    // Kiritimati is fourteen hours ahead of UTC.
    expect(await at(`${THIS_YEAR + 1}-06-30T09:59:59Z`)).toBe(true);
    expect(await at(`${THIS_YEAR + 1}-06-30T10:00:01Z`)).toBe(false);
  });
});

test('without a vendor key nothing is limited, and there is nothing to renew', async () => {
  const other = await testApp();
  try {
    const user = await createUser(other, { isUserAdmin: true });
    const headers = bearer(await signIn(other, user));
    expect(await licenseOf(other, headers)).toEqual({ Company: 'Community', Expiry: null });
    expect(await other.license.allowsRuns()).toBe(true);
    const answer = await other.http.inject({
      method: 'POST',
      url: '/api/admin/renewLicense',
      headers,
      payload: { Key: 'x' },
    });
    expect(answer.json<{ message: string }>().message).toContain('needs no license');
  } finally {
    await other.close();
  }
});

test('an invalid vendor key stops the start with one clear line', async () => {
  const keys = createPasswordKeysService(app.database);
  const config = { licenseVendorKey: 'nonsense', timeZone: 'UTC' };
  expect(() => createLicenseService({ config, database: app.database, keys })).toThrow(
    'RUNSHEET_LICENSE_VENDOR_KEY is not a public Ed25519 key',
  );
});
