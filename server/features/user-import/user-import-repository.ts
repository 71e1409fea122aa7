import type { Db } from '#server/db/dialect/types.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { existingUsers } from '#server/access/user-queries.ts';

export interface KnownUser {
  UserId: number;
  UserName: string;
  UserNameKey: string;
  Email: string;
}

const COLUMNS = ['UserId', 'UserName', 'UserNameKey', 'Email'] as const;

/** @param keys names as `userNameKey` returns them */
export async function findUsersByName(db: Db, keys: readonly string[]): Promise<KnownUser[]> {
  return inParts(db, keys, (part) => existingUsers(db).whereIn('UserNameKey', part).select(COLUMNS));
}

/** @param addresses in lower case */
export async function findUsersByMail(db: Db, addresses: readonly string[]): Promise<KnownUser[]> {
  // Compared without an index: portals have thousands of users, and a list is previewed a few times.
  return inParts(db, addresses, (part) =>
    existingUsers(db)
      .whereRaw(`lower(??) in (${part.map(() => '?').join(', ')})`, ['Email', ...part])
      .select(COLUMNS),
  );
}

async function inParts(
  db: Db,
  values: readonly string[],
  find: (part: readonly string[]) => PromiseLike<unknown>,
): Promise<KnownUser[]> {
  const found: KnownUser[] = [];
  const { maxBindings } = dialectOf(db);
  for (let start = 0; start < values.length; start += maxBindings)
    found.push(...((await find(values.slice(start, start + maxBindings))) as KnownUser[]));
  return found;
}
