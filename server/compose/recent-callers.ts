import { createHash } from 'node:crypto';
import type { Person } from '#server/base/person.ts';

/** Those who called last, by a hash of the token they called with. It says nothing about whether that is still good. */
export interface RecentCallers {
  /** Whose grants will count if the token is still good; undefined for administrators, who need none, and for who has not called yet. */
  userOf(token: string): number | undefined;
  remember(token: string, person: Pick<Person, 'UserId' | 'IsUserAdmin'>): void;
}

const MOST = 10_000;

export function createRecentCallers(most = MOST): RecentCallers {
  // In the order of their last calls.
  const users = new Map<string, number>();
  return {
    userOf: (token) => users.get(hashOf(token)),
    remember: (token, { UserId, IsUserAdmin }) => {
      const hash = hashOf(token);
      users.delete(hash);
      if (IsUserAdmin) return;
      users.set(hash, UserId);
      if (users.size > most) users.delete(users.keys().next().value!);
    },
  };
}

/** A token is a secret, and not kept in memory longer than its call takes. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64');
