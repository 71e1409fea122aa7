/**
 * Encrypts secrets that must be readable later (a provider's tokens, keys of second factors), so that a copy of the
 * database does not reveal them.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Encryption {
  encrypt(value: object): string;
  /** Returns null if the text was encrypted with another key, or modified. */
  decrypt(encrypted: string): unknown;
}

/**
 * @param secret for example the client secret of a provider, or the server's own key. If it changes, encrypted data is
 * lost.
 */
export function createEncryption(secret: string, purpose = 'runsheet: sessions of a provider'): Encryption {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  return {
    encrypt: (value) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
    },
    decrypt: (encrypted) => {
      const bytes = Buffer.from(encrypted, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
        return JSON.parse(text.toString('utf8')) as unknown;
      } catch {
        return null;
      }
    },
  };
}
