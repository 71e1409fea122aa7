import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inRows } from '#server/db/in-rows.ts';
import type { RolesRow } from '#server/db/tables.ts';
import { existingUsers, whereUserMatches } from '#server/access/user-queries.ts';

export type RoleRow = RolesRow;

export async function listRoleRows(db: Db): Promise<(RoleRow & { UserCount: number })[]> {
  return db('Roles as r')
    .leftJoin('RoleUsers as m', 'm.RoleName', 'r.Name')
    .groupBy('r.Name', 'r.IsActive')
    .select('r.Name', 'r.IsActive')
    .count<(RoleRow & { UserCount: number })[]>({ UserCount: 'm.UserId' });
}

export async function findRole(db: Db, Name: string): Promise<RoleRow | undefined> {
  return db<RoleRow>('Roles').where({ Name }).first();
}

export async function insertRole(db: Db, Name: string): Promise<void> {
  await db('Roles').insert({ Name, IsActive: true });
}

export async function updateRoleActive(db: Db, Name: string, IsActive: boolean): Promise<void> {
  await db('Roles').where({ Name }).update({ IsActive });
}

/** Deletes a role with its memberships, grants and denials. */
export async function deleteRoleRows(db: Db, Name: string): Promise<void> {
  await db('Grants').where({ GranteeKind: 'role', Grantee: Name }).delete();
  await db('RoleUsers').where({ RoleName: Name }).delete();
  await db('Roles').where({ Name }).delete();
}

export interface RoleUserQuery {
  Search?: string;
  Skip?: number;
  Take?: number;
  Included?: boolean;
}

export interface RoleUserRow {
  UserId: number;
  UserName: string;
  FirstName: string;
  LastName: string;
  RoleName: string | null;
}

/** Returns users, members of the role first. Members have the role's name set. */
export async function listRoleUserRows(
  db: Db,
  roleName: string,
  { Search = '', Skip = 0, Take, Included }: RoleUserQuery,
): Promise<{ rows: RoleUserRow[]; total: number }> {
  const matching = existingUsers(db, 'u').leftJoin('RoleUsers as m', (join) => {
    void join.on('m.UserId', 'u.UserId').andOnVal('m.RoleName', roleName);
  });
  whereUserMatches(matching, db, Search, 'u');
  if (Included === true) void matching.whereNotNull('m.UserId');
  if (Included === false) void matching.whereNull('m.UserId');
  const [counted] = await matching.clone().count<{ Total: number }[]>({ Total: '*' });
  const part = matching.select<RoleUserRow[]>('u.UserId', 'u.UserName', 'u.FirstName', 'u.LastName', 'm.RoleName');
  void part.orderByRaw('case when ?? is null then 1 else 0 end', ['m.UserId']).orderBy('u.UserNameKey');
  if (Skip > 0) void part.offset(Skip);
  if (Take !== undefined) void part.limit(Take);
  return { rows: await part, total: counted?.Total ?? 0 };
}

export async function listMemberIds(db: Db, RoleName: string): Promise<number[]> {
  return db('RoleUsers').where({ RoleName }).pluck('UserId');
}

export async function listMemberships(
  db: Db,
  userIds: readonly number[],
): Promise<{ UserId: number; RoleName: string }[]> {
  const found: { UserId: number; RoleName: string }[] = [];
  const { maxBindings } = dialectOf(db);
  for (let start = 0; start < userIds.length; start += maxBindings) {
    const part = userIds.slice(start, start + maxBindings);
    found.push(...((await db('RoleUsers').whereIn('UserId', part).select('UserId', 'RoleName')) as typeof found));
  }
  return found;
}

export async function insertMembers(db: Db, RoleName: string, userIds: readonly number[]): Promise<void> {
  const rows = userIds.map((UserId) => ({ RoleName, UserId }));
  await inRows(db, rows, (part) =>
    dialectOf(db).upsert(db, { table: 'RoleUsers', rows: part, key: ['RoleName', 'UserId'], update: [] }),
  );
}

export async function deleteMembers(db: Db, RoleName: string, userIds: readonly number[]): Promise<void> {
  const rows = userIds.map((UserId) => ({ UserId }));
  await inRows(db, rows, (part) =>
    db('RoleUsers')
      .where({ RoleName })
      .whereIn(
        'UserId',
        part.map(({ UserId }) => UserId),
      )
      .delete(),
  );
}
