/**
 * License keys: `<payload>.<signature>`, both base64url. The payload is JSON; the signature is Ed25519 over the
 * payload's text as it appears in the key. Keys are checked offline with the vendor's public key.
 */
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { parseSerialDate } from '#shared/codecs/serial-date.ts';
import type { License } from '#shared/contract/license.ts';

const Payload = Type.Object(
  {
    Company: Type.String({ minLength: 1, maxLength: 100 }),
    /** The last valid day, yyyy-mm-dd. Without it, the license does not expire. */
    Expiry: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
  },
  { additionalProperties: false },
);
export type LicensePayload = Static<typeof Payload>;

const SIGNATURE_BYTES = 64;

/** Reads the vendor's public key from a setting: PEM, or base64 of its DER. Throws if it is not an Ed25519 key. */
export function readVendorKey(text: string): KeyObject {
  const key = text.includes('-----BEGIN')
    ? createPublicKey(text)
    : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key');
  return key;
}

/**
 * Signs a license key. `privateKey` is the vendor's key as PEM. Throws if the payload is not a license, or the key is
 * not an Ed25519 key.
 */
export function issueLicenseKey(payload: LicensePayload, privateKey: string): string {
  if (!Value.Check(Payload, payload) || expiryOf(payload) === undefined) throw new Error('not a licence');
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key');
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
}

/** Returns the license of a key; undefined if the vendor did not sign it. Does not check whether it has expired. */
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

/** Returns a serial day, null if there is no expiry, undefined if the day does not exist. */
function expiryOf({ Expiry }: LicensePayload): number | null | undefined {
  return Expiry === undefined ? null : (parseSerialDate(Expiry) ?? undefined);
}
