/** Finds the activities and people that a file names. */
import { userNameKey } from '#server/features/users/users-service.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { nameKey } from '#server/versions/version-catalog.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';
import { activitiesOfFile, graphOfFile, usersOfFile, type NamedActivity, type WorkflowFile } from './workflow-file.ts';
import { findActivitiesByName, findUsersByName } from './workflows-repository.ts';

/** A name in a step that does not exist here. */
export interface MissingName {
  /** Index of the step. */
  step: number;
  field: 'activity' | 'users';
  /** Index of the person; null for the activity. */
  item: number | null;
  /** The name in quotes, for a list. */
  name: string;
  message: string;
}

/** Returns the graph of a file. If names are missing, it has the id 0 for each. */
export async function resolveFile(
  db: Db,
  file: WorkflowFile,
): Promise<{ graph: WorkflowGraph; missing: MissingName[] }> {
  const named = activitiesOfFile(file).map(({ Schema, Name }) => ({ Schema, NameKey: nameKey(Name) }));
  const known = await findActivitiesByName(db, named);
  const users = await findUsersByName(db, usersOfFile(file).map(userNameKey));
  const activityOf = ({ Schema, Name }: NamedActivity) =>
    known.find((one) => one.Schema === Schema && one.NameKey === nameKey(Name));
  const missing = file.Steps.flatMap((step, index): MissingName[] => {
    if (step.Kind === 'Decision') return [];
    if (step.Kind === 'Approval') {
      return step.Users.flatMap((user, item) =>
        users.has(userNameKey(user)) ? [] : [missingUser(user, { step: index, item })],
      );
    }
    return activityOf(step.Activity) ? [] : [missingActivity(step.Activity, index)];
  });
  const graph = graphOfFile(file, {
    idOf: (activity) => activityOf(activity)?.Id ?? 0,
    userIdOf: (name) => users.get(userNameKey(name)) ?? 0,
  });
  return { graph, missing };
}

const missingActivity = ({ Schema, Name }: NamedActivity, step: number): MissingName => ({
  step,
  field: 'activity',
  item: null,
  name: `'${Name}' in ${Schema}`,
  message: `There is no activity '${Name}' in the schema ${Schema} here. Publish it first, or correct its name.`,
});

const missingUser = (user: string, at: Pick<MissingName, 'step' | 'item'>): MissingName => ({
  ...at,
  field: 'users',
  name: `'${user}'`,
  message: `There is no user '${user}' here. Create the user first, or correct the name.`,
});
