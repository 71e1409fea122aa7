import { generateKey } from '#shared/contract/auth.ts';
import { AppFailure } from './app-failure.ts';
import { bridge } from './bridge.ts';
import { call } from './client.ts';

export const INSECURE_CONTEXT =
  'Passwords are encrypted before they are sent, and this browser can do that only on a secure page. Open the portal at its https address, or as localhost on the server itself.';

/**
 * Encrypts passwords for one request with a fresh key from the server: `${KeyId}.${base64 of RSA-OAEP SHA-256}` each.
 * Throws AppFailure if the browser offers no encryption.
 */
export async function encryptPasswords(userName: string, passwords: readonly string[]): Promise<string[]> {
  if (!bridge.isSecure) throw new AppFailure(INSECURE_CONTEXT);
  const { KeyId, Key } = await call(generateKey, { body: { UserName: userName } });
  const spki = Uint8Array.from(atob(Key), (character) => character.charCodeAt(0));
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('spki', spki, algorithm, false, ['encrypt']);
  const encrypt = async (password: string): Promise<string> => {
    const bytes = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, new TextEncoder().encode(password)));
    return `${KeyId}.${btoa(String.fromCharCode(...bytes))}`;
  };
  return Promise.all(passwords.map(encrypt));
}
