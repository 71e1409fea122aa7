/**
 * Encrypts data stored on this computer with a key that exists only in the system keychain; without the key, the data
 * is unreadable.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { say } from './language.ts';
import type { Secrets } from './ports.ts';

export interface Vault {
  /**
   * AES-256-GCM. @param name name under which it is stored; data encrypted for one name cannot be decrypted under
   * another
   */
  encrypt(name: string, content: Uint8Array): Uint8Array;
  /**
   * Returns null for data that was encrypted with another key or for another name, or that was changed or truncated.
   */
  decrypt(name: string, encrypted: Uint8Array): Uint8Array | null;
  /** Returns an opaque file name for a text: 40 hexadecimal digits. */
  nameOf(text: string): string;
}

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Version of the encrypted format: version 1 byte, then the IV, the tag and the content. */
const VERSION = 1;

export function createVault(key: Uint8Array): Vault {
  const derived = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES));
  const [contents, names] = [derived('contents'), derived('names')];
  return {
    encrypt: (name, content) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', contents, iv).setAAD(Buffer.from(name));
      const parts = [cipher.update(content), cipher.final()];
      return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), ...parts]);
    },
    decrypt: (name, encrypted) => {
      const start = 1 + IV_BYTES + TAG_BYTES;
      if (encrypted.length < start || encrypted[0] !== VERSION) return null;
      try {
        const decipher = createDecipheriv('aes-256-gcm', contents, encrypted.subarray(1, 1 + IV_BYTES))
          .setAAD(Buffer.from(name))
          .setAuthTag(encrypted.subarray(1 + IV_BYTES, start));
        return Buffer.concat([decipher.update(encrypted.subarray(start)), decipher.final()]);
      } catch {
        return null;
      }
    },
    nameOf: (text) => createHmac('sha256', names).update(text).digest('hex').slice(0, 40),
  };
}

/**
 * Returns the vault whose key is stored under the name; null if there is none. Rejects if the keychain is locked or
 * missing.
 */
export async function findVault(secrets: Secrets, name: string): Promise<Vault | null> {
  const key = Buffer.from((await secrets.get(name)) ?? '', 'base64');
  return key.length === KEY_BYTES ? createVault(key) : null;
}

/**
 * Like findVault, but creates a key if there is none. Rejects if the keychain cannot store it: a key only in memory
 * would leave files that nobody can ever read.
 */
export async function openVault(secrets: Secrets, name: string): Promise<Vault> {
  const found = await findVault(secrets, name);
  if (found) return found;
  const key = randomBytes(KEY_BYTES);
  await secrets.set(name, key.toString('base64'));
  // Some keychains accept a secret without storing it.
  if ((await secrets.get(name)) !== key.toString('base64'))
    throw new Error(say('The system keychain does not store anything'));
  return createVault(key);
}
