import { hkdfSync } from 'node:crypto';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';

/** Base64 of 32 bytes that are always the same for a person, and that nobody else is given. */
export type DraftKeyOf = (person: Person) => string;

/** Nothing has to be kept for them: they follow from the server's own key. With another one, what clients put aside is lost. */
export function createDraftKeys(secretKey: string): DraftKeyOf {
  return ({ UserId, SessionId }) => {
    // A program has no screen on which something could be left.
    if (SessionId === '') {
      throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
    }
    const key = hkdfSync('sha256', secretKey, '', `runsheet: drafts of user ${UserId}`, 32);
    return Buffer.from(key).toString('base64');
  };
}
