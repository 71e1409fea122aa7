/** Who may read without the server, and until when: encrypted beside what it is about, as whoever changes a clock could change a plain file. */
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Blobs, Clock } from './ports.ts';
import type { Vault } from './vault.ts';

const ReadingLease = Type.Object({
  version: Type.Literal(1),
  /** In small letters. */
  userName: Type.String(),
  /** As the server allows it; 0 for not at all. */
  days: Type.Number(),
  /** When the server last answered the person, by the clock of this computer, in milliseconds since 1970. */
  contact: Type.Number(),
  /** The latest time that this computer's clock has shown. */
  latest: Type.Number(),
  /** The session has ended by time: nothing is read before the same person has signed in again. */
  isLocked: Type.Boolean(),
});
export type ReadingLease = Static<typeof ReadingLease>;

export const DAY = 24 * 60 * 60_000;
/** Clocks are set by so much in good faith. */
const CLOCK_TOLERANCE = 5 * 60_000;
const BLOB = 'lease';

/** Whether something may be read now. A clock that was moved back ends it until the server was reached. */
export function isReadable(lease: ReadingLease | null, now: number): boolean {
  if (!lease || lease.isLocked || lease.days <= 0) return false;
  if (now < lease.latest - CLOCK_TOLERANCE) return false;
  return now - lease.contact <= lease.days * DAY;
}

/** Whether the time to read is over for good, so that what is kept can be erased. */
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

/** The server has answered the person now. */
export const atContact = (lease: ReadingLease, { now }: Pick<Clock, 'now'>): ReadingLease => {
  const time = now();
  return { ...lease, contact: time, latest: time };
};
