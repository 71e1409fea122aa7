import type { Holder } from '#server/base/person.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { Grant } from './grants.ts';
import { findGrants, findInternetGrants } from './grant-rows.ts';
import { visitorGrants } from './visitor-grants.ts';

export interface GrantsLoader {
  /** Returns the person's grants. They are read once per Person object, and therefore once per request. */
  loadGrants: (person: Holder) => Promise<readonly Grant[]>;
  /**
   * Starts to read a user's grants while the caller is still being authenticated. The returned function assigns them to
   * that call's person, and to nobody else.
   */
  readAhead: (userId: number) => (person: Holder) => void;
}

export function createGrantsLoader(db: Db): GrantsLoader {
  const loaded = new WeakMap<Holder, Promise<readonly Grant[]>>();
  return {
    loadGrants: (person) => {
      const known = loaded.get(person);
      if (known) return known;
      const grants = readGrants(db, person);
      loaded.set(person, grants);
      return grants;
    },
    readAhead: (userId) => {
      const grants = findGrants(db, userId);
      // If authentication fails, nobody awaits the grants. Their rejection must not be reported as unhandled.
      grants.catch(() => undefined);
      return (person) => {
        if (person.UserId === userId && !person.IsUserAdmin && !person.isVisitor) loaded.set(person, grants);
      };
    },
  };
}

async function readGrants(db: Db, person: Holder): Promise<readonly Grant[]> {
  if (person.isVisitor) return visitorGrants(await findInternetGrants(db));
  return person.IsUserAdmin ? [] : findGrants(db, person.UserId);
}
