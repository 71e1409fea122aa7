/**
 * Licence keys: `<payload>.<signature>`, both base64url; the payload is JSON, the signature Ed25519 over the payload's text as it
 * stands in the key. They are checked with the vendor's public key alone, without a network.
 */
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { parseSerialDate } from '#shared/codecs/serial-date.ts';
import type { License } from '#shared/contract/license.ts';

const Payload = Type.Object(
  {
    Company: Type.String({ minLength: 1, maxLength: 100 }),
    /** The last day that counts, yyyy-mm-dd; without it the licence does not end. */
    Expiry: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
  },
  { additionalProperties: false },
);
export type LicensePayload = Static<typeof Payload>;

const SIGNATURE_BYTES = 64;

/** A vendor's key from a setting: PEM, or the base64 of its DER. Throws where it is no Ed25519 key. */
export function readVendorKey(text: string): KeyObject {
  const key = text.includes('-----BEGIN')
    ? createPublicKey(text)
    : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key');
  return key;
}

/** Signs a key. `privateKey` is the vendor's, PEM. Throws where the payload is no licence, or the key no Ed25519 key. */
export function issueLicenseKey(payload: LicensePayload, privateKey: string): string {
  if (!Value.Check(Payload, payload) || expiryOf(payload) === undefined) throw new Error('not a licence');
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key');
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
}

/** The licence of a key, or undefined where the vendor did not sign it. Says nothing of whether it has expired. */
export function readLicenseKey(licenseKey: string, vendorKey: KeyObject): License | undefined {
  const [, text, signature] = /^([\w-]{1,2000})\.([\w-]{86})$/.exec(licenseKey.trim()) ?? [];
  if (text === undefined || signature === undefined) return undefined;
  const bytes = Buffer.from(signature, 'base64url');
  if (bytes.length !== SIGNATURE_BYTES || !verify(null, Buffer.from(text), vendorKey, bytes)) return undefined;
  const payload = parse(Buffer.from(text, 'base64url').toString('utf8'));
  if (!Value.Check(Payload, payload)) return undefined;
  const Expiry = expiryOf(payload);
  return Expiry === undefined ? undefined : { Company: payload.Company, Expiry };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A serial day, null for none, undefined for a day that does not exist. */
function expiryOf({ Expiry }: LicensePayload): number | null | undefined {
  return Expiry === undefined ? null : (parseSerialDate(Expiry) ?? undefined);
}
