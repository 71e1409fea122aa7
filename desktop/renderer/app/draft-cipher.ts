/**
 * Encrypts drafts stored on this computer with a key that the server gives only to their owner, and that exists only as
 * long as this page. After the session ends, nobody can read the drafts until the same user signs in again.
 */
import { draftKey } from '#shared/contract/auth.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { call } from '#renderer/api/client.ts';

export interface TextCipher {
  /** @param context storage key; text encrypted for one context cannot be decrypted for another */
  encrypt(text: string, context: string): Promise<string>;
  /** Returns null for text that was encrypted with another key or for another context. */
  decrypt(encrypted: string, context: string): Promise<string | null>;
}

const IV_BYTES = 12;
/**
 * Texts with at least this many characters are compressed first. Browser storage would otherwise take a tenth of a
 * second for large grids, or refuse them.
 */
const COMPRESSED_FROM = 16_384;
/** Suffix of compressed texts. */
const COMPRESSED = 'gzip';

/** @param keyBase64 32 bytes */
export async function createTextCipher(keyBase64: string): Promise<TextCipher> {
  const key = await crypto.subtle.importKey('raw', fromBase64(keyBase64), 'AES-GCM', false, ['encrypt', 'decrypt']);
  const encoder = new TextEncoder();
  const algorithm = (iv: Uint8Array<ArrayBuffer>, context: string, packing: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: encoder.encode(packing === '' ? context : `${context}.${packing}`),
  });
  return {
    encrypt: async (text, context) => {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const isPacked = text.length >= COMPRESSED_FROM && typeof CompressionStream === 'function';
      const packing = isPacked ? COMPRESSED : '';
      const bytes = isPacked ? await piped(new CompressionStream(COMPRESSED), text) : encoder.encode(text);
      const encrypted = await crypto.subtle.encrypt(algorithm(iv, context, packing), key, bytes);
      return [toBase64(iv), toBase64(new Uint8Array(encrypted)), ...(isPacked ? [packing] : [])].join('.');
    },
    decrypt: async (encrypted, context) => {
      try {
        const [iv = '', bytes = '', packing = ''] = encrypted.split('.');
        const found = await crypto.subtle.decrypt(algorithm(fromBase64(iv), context, packing), key, fromBase64(bytes));
        const text = packing === COMPRESSED ? await piped(new DecompressionStream(COMPRESSED), found) : found;
        return new TextDecoder().decode(text);
      } catch {
        return null;
      }
    },
  };
}

/** Returns the output of the stream; browsers compress in a separate thread. */
async function piped(stream: CompressionStream | DecompressionStream, content: BlobPart): Promise<ArrayBuffer> {
  return new Response(new Blob([content]).stream().pipeThrough(stream)).arrayBuffer();
}

let known: { userName: string; cipher: Promise<TextCipher | null> } | null = null;

/** Returns the cipher of the signed-in user; null if the server or the browser cannot provide one now. */
export async function draftCipher(userName: string): Promise<TextCipher | null> {
  // The server has no key for visitors.
  if (userName === '') return null;
  if (known?.userName !== userName) known = { userName, cipher: fetchCipher() };
  const asked = known;
  const cipher = await asked.cipher;
  // Lets the next caller try again.
  if (cipher === null && known === asked) known = null;
  return cipher;
}

async function fetchCipher(): Promise<TextCipher | null> {
  if (!bridge.isSecure) return null;
  try {
    return await createTextCipher((await call(draftKey)).Key);
  } catch {
    return null;
  }
}

/** Number of bytes passed as arguments of a single call. */
const CHUNK_BYTES = 8192;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  return btoa(text);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
