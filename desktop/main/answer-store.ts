/** Answers of the server and files, each encrypted in a file of its own, within bounds: the oldest go first. */
import { createHash } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Blobs, Log } from './ports.ts';
import type { Vault } from './vault.ts';

export const KeptHead = Type.Object({
  /** When the server gave it, in milliseconds since 1970. */
  at: Type.Number(),
  /** Of the answer, with small letters. */
  headers: Type.Record(Type.String(), Type.String()),
});
export type KeptHead = Static<typeof KeptHead>;

export interface KeptAnswer extends KeptHead {
  body: Uint8Array;
}

export interface AnswerStore {
  /** Null where nothing is kept under the key, or it cannot be read any more. */
  get(key: string): Promise<KeptAnswer | null>;
  /** Whether something is kept under the key. */
  has(key: string): Promise<boolean>;
  /** One after the other, in the background; what cannot be written is not kept. */
  put(key: string, answer: KeptAnswer): Promise<void>;
  /** Once all that was put is written. */
  settled(): Promise<void>;
}

export interface AnswerBounds {
  entries: number;
  /** Of all files together. */
  bytes: number;
}

/** An account's. One entry is bounded where it is taken (offline-calls.ts). */
export const ANSWER_BOUNDS: AnswerBounds = { entries: 2000, bytes: 256 * 1024 * 1024 };

/** What pages ask for again and again is not written again so soon where it is the same: it is shown as of when it was written. */
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
    // Before it is written, so that the bound holds at each moment.
    for (const gone of await makeRoom(blobs, all, bounds, { name, size: encrypted.length })) written.delete(gone);
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

/** As Vault.nameOf gives it: whatever else lies in the folder is no entry. */
const ENTRY = /^[0-9a-f]{40}$/;

async function loadEntries(blobs: Blobs): Promise<Map<string, Entry>> {
  const found = await blobs.list().catch(() => []);
  return new Map(
    found.filter(({ name }) => ENTRY.test(name)).map(({ name, size, written }) => [name, { size, written }]),
  );
}

async function makeRoom(
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

/** One answer as bytes. */
export function packAnswer({ at, headers, body }: KeptAnswer): Uint8Array {
  const head = Buffer.from(JSON.stringify({ at, headers }));
  const length = Buffer.alloc(HEAD_LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, body]);
}

/** Null for what packAnswer has not made. */
export function unpackAnswer(content: Uint8Array): KeptAnswer | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  try {
    const end = HEAD_LENGTH_BYTES + bytes.readUInt32LE(0);
    const head: unknown = JSON.parse(bytes.subarray(HEAD_LENGTH_BYTES, end).toString());
    return Value.Check(KeptHead, head) ? { ...head, body: bytes.subarray(end) } : null;
  } catch {
    return null;
  }
}
