/** Query parts for users. */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';

const SEARCHED = ['UserName', 'FirstName', 'MiddleName', 'LastName', 'Email'];

/** Selects users that are not deleted. */
export function existingUsers(db: Db, alias = 'Users'): Knex.QueryBuilder {
  return db(alias === 'Users' ? 'Users' : { [alias]: 'Users' }).whereNull(`${alias}.DeletedTime`);
}

/** Restricts the query to users whose names or e-mail contain every word. */
export function whereUserMatches(query: Knex.QueryBuilder, db: Db, search: string, alias = 'Users'): void {
  const dialect = dialectOf(db);
  for (const word of search.split(/\s+/).filter(Boolean)) {
    void query.where((either) => {
      for (const column of SEARCHED) void either.orWhereRaw(dialect.contains(db, `${alias}.${column}`, word));
    });
  }
}

export async function findExistingUserNames(
  db: Db,
  userIds: readonly number[],
): Promise<{ UserId: number; UserName: string }[]> {
  const found: { UserId: number; UserName: string }[] = [];
  const { maxBindings } = dialectOf(db);
  for (let start = 0; start < userIds.length; start += maxBindings) {
    const part = existingUsers(db).whereIn('UserId', userIds.slice(start, start + maxBindings));
    found.push(...((await part.select('UserId', 'UserName')) as typeof found));
  }
  return found;
}

/** Selects users whose names contain every word, each in any of the names. */
export function usersNamed(db: Db, text: string) {
  const dialect = dialectOf(db);
  const users = db('Users').select('UserId');
  for (const word of text.split(/\s+/)) {
    void users.where((any) => {
      for (const column of ['FirstName', 'MiddleName', 'LastName', 'UserName'])
        void any.orWhere(dialect.contains(db, column, word));
    });
  }
  return users;
}
