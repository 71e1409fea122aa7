/** Things that people see, and may change, by their rights: activities, and checklists of them. */
import { AppError } from '#server/base/app-error.ts';
import type { Holder } from '#server/base/person.ts';
import type { Db } from '#server/db/dialect/types.ts';

export interface VisibleAccess<Scopes, Visible> {
  scopes(person: Holder): Promise<Scopes>;
  /** Throws an AppError 404 where the person may not see it, as where there is none. */
  require(db: Db, person: Holder, id: number): Promise<Visible>;
  /** As `require`; 403 where the person may see it but not change it. */
  requireEdit(db: Db, person: Holder, id: number): Promise<Visible>;
}

/** Both ways to ask for a thing, out of the one that only asks whether the person sees it. */
export function withEdit<Scopes, Visible extends { CanEdit: boolean }>(
  access: Pick<VisibleAccess<Scopes, Visible>, 'scopes' | 'require'>,
): VisibleAccess<Scopes, Visible> {
  return {
    ...access,
    requireEdit: async (db, person, id) => {
      const visible = await access.require(db, person, id);
      if (!visible.CanEdit) throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
      return visible;
    },
  };
}
