import { AppError } from '#server/base/app-error.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { ActivityAccess } from './activity-access.ts';
import { isInScope } from './rights/right-scope.ts';
import type { RightsService } from './rights/rights-service.ts';
import type { Person } from '#server/base/person.ts';
import { findVisibleRun, type RunOfActivity } from './find-run.ts';

/** A run that a person may see, with what they may do with it. */
export interface VisibleRun {
  run: RunOfActivity;
  CanRun: boolean;
  CanEdit: boolean;
  CanPurge: boolean;
  /** True if the person may cancel the run while it is pending. */
  mayCancel: boolean;
}

export interface RunAccess {
  /** Throws an AppError 404 if there is no such run or the person may not see it. */
  require(db: Db, person: Person, runId: number): Promise<VisibleRun>;
}

export function createRunAccess(rights: RightsService, activities: ActivityAccess): RunAccess {
  return {
    require: async (db, person, runId) => {
      const scopes = await activities.scopes(person);
      const run = await findVisibleRun(db, runId, scopes, person.UserId);
      if (!run) throw new AppError('runNotFound', 404, 'There is no such run');
      const keys = { Id: run.ActivityId, Schema: run.Schema };
      const [cancelAny, CanPurge] = await Promise.all([
        rights.has(person, 'sk.CancelAnyRun', keys),
        rights.has(person, 'sk.PurgeRuns', keys),
      ]);
      const mayCancel = run.UserId === person.UserId || cancelAny;
      return {
        run,
        CanRun: run.IsActive && isInScope(scopes.run, keys),
        CanEdit: isInScope(scopes.edit, keys),
        CanPurge,
        mayCancel,
      };
    },
  };
}
