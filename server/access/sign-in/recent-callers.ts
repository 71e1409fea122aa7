import { createHash } from 'node:crypto';
import type { Person } from '#server/base/person.ts';

/** The most recent callers, by hash of their token. This does not say whether the token is still valid. */
export interface RecentCallers {
  /**
   * Returns the user whose grants apply if the token is still valid; undefined for administrators, who need none, and
   * for unknown callers.
   */
  userOf(token: string): number | undefined;
  remember(token: string, person: Pick<Person, 'UserId' | 'IsUserAdmin'>): void;
}

const MAX_CALLERS = 10_000;

export function createRecentCallers(maxCallers = MAX_CALLERS): RecentCallers {
  // In the order of their last calls.
  const users = new Map<string, number>();
  return {
    userOf: (token) => users.get(hashOf(token)),
    remember: (token, { UserId, IsUserAdmin }) => {
      const hash = hashOf(token);
      users.delete(hash);
      if (IsUserAdmin) return;
      users.set(hash, UserId);
      if (users.size > maxCallers) users.delete(users.keys().next().value!);
    },
  };
}

/** A token is a secret, and must not stay in memory longer than its call takes. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64');
