/** The person that the rights engine and the runs see for visitors who have not signed in. */
import type { Person } from '#server/base/person.ts';

export interface PublicVisitor {
  /** Returns a new object for every call, as for all persons. */
  person(): Promise<Person>;
}

export function createPublicVisitor(users: { publicVisitorId(): Promise<number> }): PublicVisitor {
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
