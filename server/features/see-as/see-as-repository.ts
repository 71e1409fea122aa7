import type { NameColumns } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { existingUsers } from '#server/access/user-queries.ts';

export interface SeeingUser extends NameColumns {
  UserId: number;
  UserName: string;
  FirstName: string;
  LastName: string;
  Source: Person['Source'];
  IsUserAdmin: boolean;
  Enabled: boolean;
}

export async function findSeeingUser(db: Db, UserId: number): Promise<SeeingUser | undefined> {
  return existingUsers(db)
    .where({ UserId })
    .first('UserId', 'UserName', 'FirstName', 'MiddleName', 'LastName', 'Source', 'IsUserAdmin', 'Enabled') as Promise<
    SeeingUser | undefined
  >;
}
