/** Finds the activity that a Start step names, as the person who runs the workbook could start it now. */
import type { Database } from '#server/db/database.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import type { FindStartable } from '#server/queue/check-start.ts';
import { nameKey, type VersionCatalog } from '#server/versions/version-catalog.ts';
import { AppError } from '#server/base/app-error.ts';
import { personOf } from './prepare-step.ts';

export interface FindStartableDeps {
  database: Database;
  users: Pick<UsersService, 'findById'>;
  activityAccess: ActivityAccess;
  activities: Pick<ActivitiesService, 'inputsFor'>;
  versions: VersionCatalog;
}

export function createFindStartable(deps: FindStartableDeps): FindStartable {
  const { database, users, activityAccess, activities, versions } = deps;
  return async ({ UserId }, named) => {
    const user = await users.findById(UserId);
    if (!user?.Enabled) return { refused: 'the user who started the run has been disabled' };
    const person = personOf(user);
    const found = [];
    for (const id of await idsOf(database, named)) {
      const visible = await activityAccess.require(database.knex, person, id).catch(hidden);
      if (visible) found.push(visible);
    }
    const [first, second] = found;
    // An activity that they may not see gets the same message as one that does not exist.
    if (!first) return { refused: `there is no activity '${named}' that the person who started the run may run` };
    if (second)
      return {
        refused: `there are several activities named '${named}': enter the schema too, as in ${first.activity.Schema}/${named}`,
      };
    const { activity, CanRun } = first;
    if (!activity.IsActive) return { refused: `the activity '${activity.Name}' is not active and cannot be run` };
    if (!CanRun) return { refused: `the person who started the run may not run the activity '${activity.Name}'` };
    const version = await versions.get(activity.Id, activity.Version);
    if (!version) throw new Error(`activity ${activity.Id} has no version ${activity.Version}`);
    const inputs = await activities.inputsFor(person, activity, version);
    return { ActivityId: activity.Id, ActivityVersion: activity.Version, Name: activity.Name, inputs };
  };
}

function hidden(error: unknown): undefined {
  if (error instanceof AppError && error.status === 404) return undefined;
  throw error;
}

/** @param named 'Name' or 'Schema/Name'; names contain no slash */
async function idsOf({ knex }: Database, named: string): Promise<number[]> {
  const slash = named.lastIndexOf('/');
  const query = knex('Activities').where('NameKey', nameKey(named.slice(slash + 1).trim()));
  if (slash >= 0) void query.where('Schema', named.slice(0, slash).trim());
  return query.orderBy('Id').pluck('Id');
}
