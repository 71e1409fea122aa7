import { hkdfSync } from 'node:crypto';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';

/** Returns base64 of 32 bytes, constant per person and never given to anybody else. */
export type DraftKeyOf = (person: Person) => string;

/**
 * Derives the keys from the server's own key, so nothing is stored. If that key changes, the drafts of clients are
 * lost.
 */
export function createDraftKeys(secretKey: string): DraftKeyOf {
  return ({ UserId, SessionId }) => {
    // Programs have no screens with drafts.
    if (SessionId === '') {
      throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
    }
    const key = hkdfSync('sha256', secretKey, '', `runsheet: drafts of user ${UserId}`, 32);
    return Buffer.from(key).toString('base64');
  };
}
