/**
 * The permission to read offline: who may read, and until when. It is encrypted and stored with the data, because a
 * user who changes the clock could also change a plain file.
 */
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Blobs, Clock } from './ports.ts';
import type { Vault } from './vault.ts';

const ReadingLease = Type.Object({
  version: Type.Literal(1),
  /** In lower case. */
  userName: Type.String(),
  /** Days allowed by the server; 0 for not at all. */
  days: Type.Number(),
  /** When the server last answered the user, by this computer's clock, in milliseconds since 1970. */
  contact: Type.Number(),
  /** The latest time that this computer's clock has shown. */
  latest: Type.Number(),
  /** True if the session has expired: nothing may be read until the same user has signed in again. */
  isLocked: Type.Boolean(),
});
export type ReadingLease = Static<typeof ReadingLease>;

export const DAY = 24 * 60 * 60_000;
/** Clock corrections within this tolerance are considered harmless. */
const CLOCK_TOLERANCE = 5 * 60_000;
const BLOB = 'lease';

/**
 * Returns whether data may be read now. After the clock was set back, nothing may be read until the server was reached.
 */
export function isReadable(lease: ReadingLease | null, now: number): boolean {
  if (!lease || lease.isLocked || lease.days <= 0) return false;
  if (now < lease.latest - CLOCK_TOLERANCE) return false;
  return now - lease.contact <= lease.days * DAY;
}

/** Returns whether the permission has ended for good, so that stored data can be erased. */
export const isOver = (lease: ReadingLease, now: number): boolean =>
  lease.days <= 0 || now - lease.contact > lease.days * DAY;

export async function readLease(blobs: Blobs, vault: Vault): Promise<ReadingLease | null> {
  const encrypted = await blobs.read(BLOB);
  const decrypted = encrypted && vault.decrypt(BLOB, encrypted);
  try {
    const lease: unknown = JSON.parse(Buffer.from(decrypted ?? []).toString());
    return Value.Check(ReadingLease, lease) ? lease : null;
  } catch {
    return null;
  }
}

export const writeLease = (blobs: Blobs, vault: Vault, lease: ReadingLease): Promise<void> =>
  blobs.write(BLOB, vault.encrypt(BLOB, Buffer.from(JSON.stringify(lease))));

/** Returns the lease updated for a successful contact with the server. */
export const atContact = (lease: ReadingLease, { now }: Pick<Clock, 'now'>): ReadingLease => {
  const time = now();
  return { ...lease, contact: time, latest: time };
};
