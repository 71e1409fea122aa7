/** The person that the rights engine and the runs see for visitors who have not signed in. */
import type { UsersService } from '#server/features/users/users-service.ts';
import type { Person } from '#server/base/person.ts';

export interface PublicVisitor {
  /** Returns a new object for every call, as for all persons. */
  person(): Promise<Person>;
}

export function createPublicVisitor(users: Pick<UsersService, 'publicVisitorId'>): PublicVisitor {
  let known: number | undefined;
  return {
    person: async () => {
      known ??= await users.publicVisitorId();
      return {
        UserId: known,
        UserName: '',
        FirstName: 'Public',
        LastName: 'visitor',
        Source: 'Local',
        IsUserAdmin: false,
        fromInternet: true,
        isVisitor: true,
        SessionId: '',
      };
    },
  };
}
