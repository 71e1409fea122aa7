import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseSerialDate } from '#shared/codecs/serial-date.ts';
import { issueLicenseKey, readLicenseKey, readVendorKey } from './license-key.ts';

function vendor(kind: 'ed25519' | 'ed448' = 'ed25519') {
  const { privateKey } = kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ed448');
  return {
    pem: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
    publicPem: createPublicKey(privateKey).export({ format: 'pem', type: 'spki' }) as string,
    publicDer: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}

const ours = vendor();
const key = readVendorKey(ours.publicDer);

describe('a licence key', () => {
  test('says for whom and until when', () => {
    const signed = issueLicenseKey({ Company: 'Bäckerei Ⅻ & Söhne', Expiry: '2027-03-31' }, ours.pem);
    expect(readLicenseKey(`  ${signed}\n`, key)).toEqual({
      Company: 'Bäckerei Ⅻ & Söhne',
      Expiry: parseSerialDate('2027-03-31'),
    });
  });

  test('without a day does not end', () => {
    expect(readLicenseKey(issueLicenseKey({ Company: 'Ever' }, ours.pem), key)).toEqual({
      Company: 'Ever',
      Expiry: null,
    });
  });

  test('of another vendor is invalid', () => {
    expect(readLicenseKey(issueLicenseKey({ Company: 'Ever' }, vendor().pem), key)).toBeUndefined();
  });

  test('with any one character changed is invalid', () => {
    const signed = issueLicenseKey({ Company: 'Ever', Expiry: '2027-03-31' }, ours.pem);
    for (let at = 0; at < signed.length - 1; at++) {
      const changed = signed.slice(0, at) + (signed[at] === 'A' ? 'B' : 'A') + signed.slice(at + 1);
      expect([at, readLicenseKey(changed, key)]).toEqual([at, undefined]);
    }
  });

  test.each(['', '.', 'a.b', 'x'.repeat(10_000)])('is not read from %j', (text) => {
    expect(readLicenseKey(text, key)).toBeUndefined();
  });

  test('is not issued for a day that does not exist, for nobody, or with a key of another kind', () => {
    expect(() => issueLicenseKey({ Company: 'Ever', Expiry: '2027-02-30' }, ours.pem)).toThrow('not a licence');
    expect(() => issueLicenseKey({ Company: '' }, ours.pem)).toThrow('not a licence');
    expect(() => issueLicenseKey({ Company: 'Ever' }, vendor('ed448').pem)).toThrow('not an Ed25519 key');
  });
});

test('a vendor key is read as PEM and as base64, and refused where it is of another kind', () => {
  const signed = issueLicenseKey({ Company: 'Ever' }, ours.pem);
  expect(readLicenseKey(signed, readVendorKey(ours.publicPem))).toBeDefined();
  expect(() => readVendorKey(vendor('ed448').publicDer)).toThrow('not an Ed25519 key');
  expect(() => readVendorKey('nonsense')).toThrow();
});
