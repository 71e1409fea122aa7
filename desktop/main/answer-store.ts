/**
 * Stores server responses and files, each encrypted in a separate file, within bounds. The oldest are removed first.
 */
import { createHash } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Blobs, Log } from './ports.ts';
import type { Vault } from './vault.ts';

const StoredHead = Type.Object({
  /** Time of the response, in milliseconds since 1970. */
  at: Type.Number(),
  /** Headers of the response, in lower case. */
  headers: Type.Record(Type.String(), Type.String()),
});
type StoredHead = Static<typeof StoredHead>;

export interface StoredAnswer extends StoredHead {
  body: Uint8Array;
}

export interface AnswerStore {
  /** Returns null if nothing is stored under the key, or if it cannot be read any more. */
  get(key: string): Promise<StoredAnswer | null>;
  /** Returns whether something is stored under the key. */
  has(key: string): Promise<boolean>;
  /**
   * Stores a response in the background; writes are serialized. A failed write is logged and the response is not
   * stored.
   */
  put(key: string, answer: StoredAnswer): Promise<void>;
  /** Resolves when all pending writes are complete. */
  settled(): Promise<void>;
}

export interface AnswerBounds {
  entries: number;
  /** Total size of all files. */
  bytes: number;
}

/** Bounds per account. The size of a single entry is limited in offline-calls.ts. */
const ANSWER_BOUNDS: AnswerBounds = { entries: 2000, bytes: 256 * 1024 * 1024 };

/**
 * Milliseconds during which an unchanged response is not written again, because pages poll repeatedly. Its displayed
 * time is that of the last write.
 */
const SAME_FOR = 30_000;

interface Entry {
  size: number;
  written: number;
}

export function createAnswerStore(blobs: Blobs, vault: Vault, log: Log, bounds = ANSWER_BOUNDS): AnswerStore {
  let known: Promise<Map<string, Entry>> | null = null;
  const entries = (): Promise<Map<string, Entry>> => (known ??= loadEntries(blobs));
  let writing: Promise<void> = Promise.resolve();
  let last = 0;
  const written = new Map<string, { digest: string; at: number }>();

  const write = async (name: string, encrypted: Uint8Array): Promise<void> => {
    const all = await entries();
    // Makes room before writing, so that the bounds hold at all times.
    for (const gone of await evictAnswers(blobs, all, bounds, { name, size: encrypted.length })) written.delete(gone);
    await blobs.write(name, encrypted);
    last = Math.max(Date.now(), last + 1);
    all.set(name, { size: encrypted.length, written: last });
  };
  return {
    get: async (key) => {
      const name = vault.nameOf(key);
      const encrypted = await blobs.read(name).catch(() => null);
      const decrypted = encrypted && vault.decrypt(name, encrypted);
      return decrypted && unpackAnswer(decrypted);
    },
    has: async (key) => (await entries()).has(vault.nameOf(key)),
    put: (key, answer) => {
      const name = vault.nameOf(key);
      const digest = createHash('sha256').update(answer.body).digest('hex');
      const before = written.get(name);
      if (before?.digest === digest && answer.at - before.at < SAME_FOR) return writing;
      written.set(name, { digest, at: answer.at });
      writing = writing
        .then(() => write(name, vault.encrypt(name, packAnswer(answer))))
        .catch((error: unknown) => {
          written.delete(name);
          log('an answer could not be kept', error);
        });
      return writing;
    },
    settled: () => writing,
  };
}

/** Names as returned by Vault.nameOf; other files in the folder are not entries. */
const ENTRY = /^[0-9a-f]{40}$/;

async function loadEntries(blobs: Blobs): Promise<Map<string, Entry>> {
  const found = await blobs.list().catch(() => []);
  return new Map(
    found.filter(({ name }) => ENTRY.test(name)).map(({ name, size, written }) => [name, { size, written }]),
  );
}

async function evictAnswers(
  blobs: Blobs,
  all: Map<string, Entry>,
  bounds: AnswerBounds,
  { name, size }: { name: string; size: number },
): Promise<string[]> {
  const removed: string[] = [];
  const others = [...all].filter(([other]) => other !== name).toSorted(([, a], [, b]) => a.written - b.written);
  let bytes = others.reduce((sum, [, entry]) => sum + entry.size, 0);
  let count = others.length;
  for (const [other, entry] of others) {
    if (count + 1 <= bounds.entries && bytes + size <= bounds.bytes) break;
    await blobs.remove(other);
    all.delete(other);
    removed.push(other);
    bytes -= entry.size;
    count -= 1;
  }
  return removed;
}

const HEAD_LENGTH_BYTES = 4;

/** Serializes a response. */
export function packAnswer({ at, headers, body }: StoredAnswer): Uint8Array {
  const head = Buffer.from(JSON.stringify({ at, headers }));
  const length = Buffer.alloc(HEAD_LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, body]);
}

/** Returns null for data that packAnswer did not create. */
export function unpackAnswer(content: Uint8Array): StoredAnswer | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  try {
    const end = HEAD_LENGTH_BYTES + bytes.readUInt32LE(0);
    const head: unknown = JSON.parse(bytes.subarray(HEAD_LENGTH_BYTES, end).toString());
    return Value.Check(StoredHead, head) ? { ...head, body: bytes.subarray(end) } : null;
  } catch {
    return null;
  }
}
