/** Access to objects that people see and edit by their rights: activities and checklists. */
import { AppError } from '#server/base/app-error.ts';
import type { Holder } from '#server/base/person.ts';
import type { Db } from '#server/db/dialect/types.ts';

export interface VisibleAccess<Scopes, Visible> {
  scopes(person: Holder): Promise<Scopes>;
  /** Throws an AppError 404 if there is no such object or the person may not see it. */
  require(db: Db, person: Holder, id: number): Promise<Visible>;
  /** Like `require`. Also throws an AppError 403 if the person may see it but not edit it. */
  requireEdit(db: Db, person: Holder, id: number): Promise<Visible>;
}

/** Adds `requireEdit` to an access object that only has `require`. */
export function withEdit<Scopes, Visible extends { CanEdit: boolean }>(
  access: Pick<VisibleAccess<Scopes, Visible>, 'scopes' | 'require'>,
): VisibleAccess<Scopes, Visible> {
  return {
    ...access,
    requireEdit: async (db, person, id) => {
      const visible = await access.require(db, person, id);
      if (visible.CanEdit) return visible;
      const logged = { reason: 'the user may see the object but not edit it', id, userId: person.UserId };
      throw new AppError('forbidden', 403, 'You do not have permissions for this operation', { logged });
    },
  };
}
