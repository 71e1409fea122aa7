import type { Knex } from 'knex';
import type { NameColumns } from '#server/base/full-name.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { DashboardSharesRow, DashboardsRow, StartPagesRow, UsersRow } from '#server/db/tables.ts';
import { insertedId } from '#server/db/inserted-id.ts';
import { existingUsers, whereUserMatches } from '#server/access/user-queries.ts';
import type { DashboardShare } from '#shared/contract/dashboards.ts';

/** Tiles is JSON. */
export type DashboardRow = DashboardsRow & NameColumns;

export type ShareRow = Pick<DashboardSharesRow, 'RoleName' | 'UserId' | 'CanEdit'>;

/** The reader of dashboards, which are shared with the user or with one of their roles. */
export interface Reader {
  userId: number;
  roles: readonly string[];
}

const dashboards = (db: Db): Knex.QueryBuilder =>
  db('Dashboards as D')
    .join('Users as U', 'U.UserId', 'D.UserId')
    .select('D.*', 'U.FirstName', 'U.MiddleName', 'U.LastName');

export async function findDashboard(db: Db, Id: number): Promise<DashboardRow | undefined> {
  return dashboards(db).where('D.Id', Id).first<DashboardRow | undefined>();
}

/** Returns the dashboard if its link has not expired. */
export async function findPublicDashboard(db: Db, PublicTokenHash: string): Promise<DashboardRow | undefined> {
  const now = dialectOf(db).now(db);
  return dashboards(db)
    .where({ 'D.PublicTokenHash': PublicTokenHash })
    .where((open) => void open.whereNull('D.PublicExpiryTime').orWhere('D.PublicExpiryTime', '>', now))
    .first<DashboardRow | undefined>();
}

const sharedWith = (db: Db, { userId, roles }: Reader): Knex.QueryBuilder =>
  db('DashboardShares as S').where((any) => void any.where('S.UserId', userId).orWhereIn('S.RoleName', roles));

/** Returns undefined if the dashboard is not shared with the reader. */
export async function findShare(
  db: Db,
  DashboardId: number,
  reader: Reader,
): Promise<{ CanEdit: boolean } | undefined> {
  const rows = await sharedWith(db, reader)
    .where('S.DashboardId', DashboardId)
    .select<{ CanEdit: boolean }[]>('S.CanEdit');
  return rows.length === 0 ? undefined : { CanEdit: rows.some(({ CanEdit }) => CanEdit) };
}

export interface ListedRow extends NameColumns {
  Id: number;
  Name: string;
  NameKey: string;
  UserId: number;
  ModifiedTime: Date;
  IsPublic: number;
  IsEditable: number;
}

export interface DashboardPage {
  search: string;
  after: { NameKey: string; Id: number } | null;
  limit: number;
}

/**
 * Returns dashboards by name.
 * @param reader only dashboards that the reader owns or that are shared with them; null for all
 */
export async function listDashboards(
  db: Db,
  reader: Reader | null,
  { search, after, limit }: DashboardPage,
): Promise<ListedRow[]> {
  const dialect = dialectOf(db);
  const editable = reader
    ? sharedWith(db, reader).where('S.CanEdit', true).whereRaw('?? = ??', ['S.DashboardId', 'D.Id']).select(db.raw('1'))
    : db.select(db.raw('1'));
  const query = db('Dashboards as D')
    .join('Users as U', 'U.UserId', 'D.UserId')
    .orderBy(['D.NameKey', 'D.Id'])
    .limit(limit)
    .select<ListedRow[]>(
      'D.Id',
      'D.Name',
      'D.NameKey',
      'D.UserId',
      'D.ModifiedTime',
      'U.FirstName',
      'U.MiddleName',
      'U.LastName',
      db.raw('case when ?? > ? or (?? is not null and ?? is null) then 1 else 0 end as ??', [
        'D.PublicExpiryTime',
        dialect.now(db),
        'D.PublicTokenHash',
        'D.PublicExpiryTime',
        'IsPublic',
      ]),
      db.raw('case when exists (?) then 1 else 0 end as ??', [editable, 'IsEditable']),
    );
  if (search !== '') void query.where(dialect.contains(db, 'D.Name', search));
  if (reader) {
    const shared = sharedWith(db, reader).select('S.DashboardId');
    void query.where((mine) => void mine.where('D.UserId', reader.userId).orWhereIn('D.Id', shared));
  }
  if (after) {
    void query.where((rest) => {
      void rest.where('D.NameKey', '>', after.NameKey);
      void rest.orWhere((same) => void same.where('D.NameKey', after.NameKey).where('D.Id', '>', after.Id));
    });
  }
  return query;
}

export async function insertDashboard(trx: Db, row: Partial<DashboardRow>): Promise<number> {
  return insertedId(trx('Dashboards').insert(row).returning('Id'));
}

/** Returns whether the dashboard existed at that revision. */
export async function updateDashboard(
  trx: Db,
  { Id, Revision }: { Id: number; Revision: number },
  changed: Partial<DashboardRow>,
): Promise<boolean> {
  const values = { ...changed, Revision: Revision + 1, ModifiedTime: dialectOf(trx).now(trx) };
  return (await trx('Dashboards').where({ Id, Revision }).update(values)) === 1;
}

export async function writeLink(
  trx: Db,
  Id: number,
  link: { PublicTokenHash: string; PublicUserId: number; days: number | null } | null,
): Promise<void> {
  const dialect = dialectOf(trx);
  const none = { PublicTokenHash: null, PublicUserId: null, PublicTime: null, PublicExpiryTime: null };
  if (link === null) {
    await trx('Dashboards').where({ Id }).update(none);
    return;
  }
  const { days, ...columns } = link;
  const PublicExpiryTime = days === null ? null : dialect.nowPlus(trx, days * 86_400);
  await trx('Dashboards')
    .where({ Id })
    .update({ ...columns, PublicTime: dialect.now(trx), PublicExpiryTime });
}

export async function removeDashboard(trx: Db, Id: number): Promise<void> {
  await trx('Dashboards').where({ Id }).delete();
}

export async function listShares(db: Db, DashboardId: number): Promise<ShareRow[]> {
  return db('DashboardShares').where({ DashboardId }).orderBy('Id').select('RoleName', 'UserId', 'CanEdit');
}

export async function writeShares(trx: Db, DashboardId: number, shares: readonly DashboardShare[]): Promise<void> {
  await trx('DashboardShares').where({ DashboardId }).delete();
  const rows = shares.map((share) => ({ RoleName: null, UserId: null, ...share, DashboardId }));
  if (rows.length > 0) await trx('DashboardShares').insert(rows);
}

export type PersonRow = NameColumns & Pick<UsersRow, 'UserId' | 'UserName'>;

const people = (db: Db) =>
  existingUsers(db, 'U')
    .where('U.Enabled', true)
    .orderBy('U.UserNameKey')
    .select<PersonRow[]>('U.UserId', 'U.UserName', 'U.FirstName', 'U.MiddleName', 'U.LastName');

/** @param roles returns only people in one of these roles; null for everybody */
export async function searchPeople(
  db: Db,
  search: string,
  roles: readonly string[] | null,
  limit: number,
): Promise<PersonRow[]> {
  const query = people(db).limit(limit);
  if (roles) void query.whereIn('U.UserId', db('RoleUsers').whereIn('RoleName', roles).select('UserId'));
  whereUserMatches(query, db, search, 'U');
  return query;
}

/** Returns those of the given people who can sign in. @param roles as for searchPeople */
export async function findPeople(
  db: Db,
  ids: readonly number[],
  roles: readonly string[] | null = null,
): Promise<PersonRow[]> {
  if (ids.length === 0) return [];
  const query = people(db).whereIn('U.UserId', ids);
  if (roles) void query.whereIn('U.UserId', db('RoleUsers').whereIn('RoleName', roles).select('UserId'));
  return query;
}

export async function listActiveRoles(db: Db): Promise<string[]> {
  return db('Roles').where('IsActive', true).orderBy('Name').pluck('Name');
}

export type StartRow = Pick<StartPagesRow, 'RoleName' | 'UserId' | 'DashboardId'>;

/** Returns the user's own start page, and those of their roles in order of role name. */
export async function listStarts(db: Db, { userId, roles }: Reader): Promise<StartRow[]> {
  return db('StartPages')
    .where((any) => void any.where('UserId', userId).orWhereIn('RoleName', roles))
    .orderBy('RoleName')
    .select('RoleName', 'UserId', 'DashboardId');
}

export async function listStartRoles(db: Db, DashboardId: number): Promise<string[]> {
  return db('StartPages')
    .where({ DashboardId })
    .whereNotNull('RoleName')
    .orderBy('RoleName')
    .pluck<string[]>('RoleName');
}

export async function writeOwnStart(trx: Db, UserId: number, DashboardId: number | null): Promise<void> {
  await trx('StartPages').where({ UserId }).delete();
  if (DashboardId !== null) await trx('StartPages').insert({ UserId, DashboardId });
}

/** Sets the roles whose start page the dashboard is, and removes it from all others. */
export async function writeStartRoles(trx: Db, DashboardId: number, roles: readonly string[]): Promise<void> {
  await trx('StartPages').where({ DashboardId }).whereNotNull('RoleName').delete();
  if (roles.length === 0) return;
  await trx('StartPages').whereIn('RoleName', roles).delete();
  await trx('StartPages').insert(roles.map((RoleName) => ({ RoleName, DashboardId })));
}
