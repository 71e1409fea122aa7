import type { Holder } from '#server/base/person.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { Grant } from './grants.ts';
import { findGrants, findInternetGrants } from './rights-repository.ts';
import { visitorGrants } from './visitor-grants.ts';

export interface GrantsLoader {
  /** The person's grants; read once for each Person object, that is once a request. */
  loadGrants: (person: Holder) => Promise<readonly Grant[]>;
  /**
   * Begins to read a user's grants while it is still asked whether they may come in. What it answers gives them to the person of that call, and
   * to nobody else.
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
      // Who may not come in never asks for them.
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
