import type { Knex } from 'knex';
import type { NameColumns } from '#server/base/full-name.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { UsersRow } from '#server/db/tables.ts';
import { existingUsers, findExistingUserNames, whereUserMatches } from '#server/access/user-queries.ts';

export interface WorkflowVersionRow extends NameColumns {
  Version: number;
  /** Contains JSON. */
  Graph: string;
  ChangeDescription: string;
  Modified: Date;
}

const versions = (db: Db, checklistId: number) =>
  db('WorkflowVersions as V')
    .join('Users as U', 'U.UserId', 'V.UserId')
    .where('V.ChecklistId', checklistId)
    .select('V.Version', 'V.Graph', 'V.ChangeDescription', 'V.Modified')
    .select<WorkflowVersionRow[]>('U.FirstName', 'U.MiddleName', 'U.LastName');

export async function findVersion(
  db: Db,
  checklistId: number,
  version: number,
): Promise<WorkflowVersionRow | undefined> {
  return versions(db, checklistId).where('V.Version', version).first();
}

/** Returns the versions newest first. */
export async function listVersions(db: Db, checklistId: number, limit: number): Promise<WorkflowVersionRow[]> {
  return versions(db, checklistId).orderBy('V.Version', 'desc').limit(limit);
}

/** Stores a version, and makes it the one that is run. */
export async function insertVersion(
  trx: Knex.Transaction,
  row: { ChecklistId: number; Version: number; Graph: string; ChangeDescription: string; UserId: number },
  Modified: Knex.Raw,
): Promise<void> {
  await trx('WorkflowVersions').insert(row);
  await trx('Checklists')
    .where('Id', row.ChecklistId)
    .update({ WorkflowVersion: row.Version, Modified, Revision: trx.raw('?? + 1', ['Revision']) });
}

/** Returns activities by schema and name, ignoring case. */
export async function findActivitiesByName(
  db: Db,
  names: readonly { Schema: string; NameKey: string }[],
): Promise<{ Id: number; Schema: string; NameKey: string }[]> {
  const keys = [...new Set(names.map(({ NameKey }) => NameKey))];
  return db('Activities').whereIn('NameKey', keys).select('Id', 'Schema', 'NameKey');
}

/** Returns the schemas and names of activities by id. */
export async function activityNames(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, { Schema: string; Name: string }>> {
  const rows = await db('Activities')
    .whereIn('Id', [...new Set(ids)])
    .select('Id', 'Schema', 'Name');
  return new Map(rows.map(({ Id, Schema, Name }) => [Id, { Schema, Name }]));
}

/** Returns the checklists and workflows of a schema that have exactly this name. */
export async function idsOfChecklists(
  db: Db,
  Schema: string,
  Name: string,
): Promise<{ Id: number; WorkflowVersion: number | null }[]> {
  const rows = await db('Checklists').where({ Schema, Name }).orderBy('Id').select('Id', 'Name', 'WorkflowVersion');
  // A database may ignore case or spaces at the end.
  return rows.filter((row) => row.Name === Name).map(({ Id, WorkflowVersion }) => ({ Id, WorkflowVersion }));
}

/** Locks a schema until the transaction ends. */
export async function lockSchema(trx: Knex.Transaction, Name: string): Promise<void> {
  await trx('Schemas').where({ Name }).forUpdate().first('Name');
}

/** Returns the UserIds of existing users, by the keys of their names. */
export async function findUsersByName(db: Db, keys: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  // The approvals of a large workflow can name more people than a statement may have values.
  const { maxBindings } = dialectOf(db);
  for (let start = 0; start < keys.length; start += maxBindings) {
    const rows = await existingUsers(db)
      .whereIn('UserNameKey', keys.slice(start, start + maxBindings))
      .select<{ UserId: number; UserNameKey: string }[]>('UserId', 'UserNameKey');
    for (const { UserId, UserNameKey } of rows) found.set(UserNameKey, UserId);
  }
  return found;
}

/** Returns the UserNames of existing users. */
export async function userNames(db: Db, userIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await findExistingUserNames(db, userIds);
  return new Map(rows.map(({ UserId, UserName }) => [UserId, UserName]));
}

/**
 * Returns, in readable form, the inactive roles and the people who cannot sign in among those that an approval names.
 */
export async function missingApprovers(
  db: Db,
  { Roles, UserIds }: { Roles: readonly string[]; UserIds: readonly number[] },
): Promise<string[]> {
  const active = await db('Roles').whereIn('Name', Roles).where('IsActive', true).pluck('Name');
  const users = await db('Users').whereIn('UserId', UserIds).select('UserId', 'UserName', 'Enabled', 'DeletedTime');
  const roles = Roles.filter((name) => !active.includes(name)).map((name) => `The role '${name}'`);
  const people = UserIds.flatMap((id) => {
    const user = users.find(({ UserId }) => UserId === id);
    if (user?.Enabled && user.DeletedTime === null) return [];
    return [user && user.DeletedTime === null ? `'${user.UserName}'` : `User ${id}`];
  });
  return [...roles, ...people];
}

export type ApproverRow = NameColumns & Pick<UsersRow, 'UserId' | 'UserName'>;

/** Returns people who can sign in and match every word, by name. */
export async function searchApprovers(db: Db, search: string, limit: number): Promise<ApproverRow[]> {
  const query = enabledUsers(db).orderBy('U.UserNameKey').limit(limit);
  whereUserMatches(query, db, search, 'U');
  return query;
}

export async function findApprovers(db: Db, userIds: readonly number[]): Promise<ApproverRow[]> {
  return enabledUsers(db).whereIn('U.UserId', userIds).orderBy('U.UserNameKey');
}

const enabledUsers = (db: Db) =>
  existingUsers(db, 'U')
    .where('U.Enabled', true)
    .select<ApproverRow[]>('U.UserId', 'U.UserName', 'U.FirstName', 'U.MiddleName', 'U.LastName');

export async function listActiveRoles(db: Db): Promise<string[]> {
  return db('Roles').where('IsActive', true).orderBy('Name').pluck('Name');
}
