/**
 * Encrypts answers on their way from a person to the waiting worker. They travel through the database, where nobody can
 * read them. Each prompt has its own key pair (X25519), whose private key never leaves the worker's memory. An answer
 * is encrypted with AES-256-GCM under a key derived from both key pairs (HKDF, as in RFC 9180's base mode, with the
 * prompt's key bound in).
 */
import type { KeyObject } from 'node:crypto';
import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

export interface AnswerEncryption {
  /** The public key for the server that encrypts the answer: base64 of an SPKI key. */
  publicKey: string;
  /** Decrypts the answer to the prompt; throws if it was not encrypted for it. */
  decrypt(encrypted: string, promptKey: string): string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function createAnswerEncryption(): AnswerEncryption {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return {
    publicKey: exported(publicKey),
    decrypt: (encrypted, promptKey) => {
      const [sender = '', body = ''] = encrypted.split('.');
      const bytes = Buffer.from(body, 'base64');
      const key = keyOf(privateKey, imported(sender), promptKey);
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}

/** Only the worker that made `publicKey` can decrypt it. */
export function encryptAnswer(publicKey: string, promptKey: string, answer: string): string {
  const own = generateKeyPairSync('x25519');
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(own.privateKey, imported(publicKey), promptKey), nonce);
  const text = Buffer.concat([cipher.update(answer, 'utf8'), cipher.final()]);
  return `${exported(own.publicKey)}.${Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64')}`;
}

const exported = (key: KeyObject): string => key.export({ type: 'spki', format: 'der' }).toString('base64');

const imported = (key: string): KeyObject =>
  createPublicKey({ key: Buffer.from(key, 'base64'), type: 'spki', format: 'der' });

function keyOf(privateKey: KeyObject, publicKey: KeyObject, promptKey: string): Buffer {
  const shared = diffieHellman({ privateKey, publicKey });
  return Buffer.from(hkdfSync('sha256', shared, Buffer.alloc(0), `runsheet prompt ${promptKey}`, 32));
}
