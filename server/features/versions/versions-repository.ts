import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import type { NameColumns } from '#server/base/full-name.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';
import { whereVisible, type ActivityScopes } from '#server/access/activity-scopes.ts';
import { whereStatus } from '#server/db/where-status.ts';

export interface VersionRow extends NameColumns {
  ActivityId: number;
  Schema: string;
  Name: string;
  Version: number;
  Modified: Date;
  ChangeDescription: string;
  ContentLength: number;
  FidelitySummary: string | null;
}

function versions(db: Db) {
  return db('ActivityVersions as V')
    .join('Activities as A', 'A.Id', 'V.ActivityId')
    .join('Users as U', 'U.UserId', 'V.UserId')
    .select<VersionRow[]>(
      'V.ActivityId',
      'A.Schema',
      'A.Name',
      'V.Version',
      'V.Modified',
      'V.ChangeDescription',
      'V.ContentLength',
      'V.FidelitySummary',
      'U.FirstName',
      'U.MiddleName',
      'U.LastName',
    );
}

const NEWEST_FIRST = [
  { column: 'V.Modified', order: 'desc' },
  { column: 'V.ActivityId', order: 'desc' },
  { column: 'V.Version', order: 'desc' },
];

export interface VersionPage {
  rows: VersionRow[];
  HasMore: boolean;
}

/**
 * Lists versions of the activities that a person may see, newest first and older than `before`. Versions with the same
 * time are never split across pages.
 */
export async function listVersionRows(
  db: Db,
  scopes: ActivityScopes,
  { limit, before, schema }: { limit: number; before: Date | null; schema: string | null },
): Promise<VersionPage> {
  const visible = () => {
    const query = versions(db).where('A.Type', 'Workbook').orderBy(NEWEST_FIRST);
    whereVisible(query, scopes);
    if (schema !== null) void query.where('A.Schema', schema);
    return query;
  };
  const page = visible().limit(limit + 1);
  if (before) void page.where('V.Modified', '<', before);
  const rows = await page;
  const last = rows[limit - 1];
  const next = rows[limit];
  if (!last || !next) return { rows, HasMore: false };
  if (next.Modified.getTime() !== last.Modified.getTime()) return { rows: rows.slice(0, limit), HasMore: true };
  const sameTime = await visible().where('V.Modified', last.Modified);
  const older = await visible().where('V.Modified', '<', last.Modified).limit(1);
  const earlier = rows.filter((row) => row.Modified.getTime() !== last.Modified.getTime());
  return { rows: [...earlier, ...sameTime], HasMore: older.length > 0 };
}

/** Lists the versions of an activity, newest first; all if there is no limit. */
export async function listVersionsOf(db: Db, activityId: number, limit?: number): Promise<VersionRow[]> {
  const query = versions(db).where('V.ActivityId', activityId).orderBy('V.Version', 'desc');
  if (limit !== undefined) void query.limit(limit);
  return query;
}

export async function findVersionFile(
  db: Db,
  activityId: number,
  version: number,
): Promise<{ FileId: string; StoreKey: string } | undefined> {
  return db('ActivityVersions as V')
    .join('StoredFiles as F', 'F.FileId', 'V.FileId')
    .where({ 'V.ActivityId': activityId, 'V.Version': version })
    .first<{ FileId: string; StoreKey: string } | undefined>('F.FileId', 'F.StoreKey');
}

/** Returns undefined if the version does not exist, or null if it has no report. */
export async function findFidelity(db: Db, activityId: number, version: number): Promise<string | null | undefined> {
  const row = await db('ActivityVersions').where({ ActivityId: activityId, Version: version }).first('Fidelity');
  return row?.Fidelity;
}

/**
 * Removes the files from a version and all earlier ones, and returns their ids. Versions that pending runs need keep
 * their files, and so do versions whose runs a Start step or a batch has requested but not created yet.
 */
export async function takeVersionFiles(trx: Knex.Transaction, activityId: number, version: number): Promise<string[]> {
  const runs = trx('ActivityRuns')
    .select(trx.raw('1'))
    .whereRaw('?? = ??', ['ActivityRuns.ActivityId', 'ActivityVersions.ActivityId'])
    .whereRaw('?? = ??', ['ActivityRuns.ActivityVersion', 'ActivityVersions.Version']);
  const pending = whereStatus(runs, PENDING_STATUSES);
  const requested = trx('RunStarts')
    .select(trx.raw('1'))
    .whereRaw('?? = ??', ['RunStarts.ActivityId', 'ActivityVersions.ActivityId'])
    .whereRaw('?? = ??', ['RunStarts.ActivityVersion', 'ActivityVersions.Version'])
    .whereNotNull('RunStarts.Rows');
  const rows = await trx('ActivityVersions')
    .where('ActivityId', activityId)
    .where('Version', '<=', version)
    .whereNotNull('FileId')
    .whereNotExists(pending)
    .whereNotExists(requested)
    .select<{ Version: number; FileId: string }[]>('Version', 'FileId');
  for (const { Version } of rows) {
    await trx('ActivityVersions').where({ ActivityId: activityId, Version }).update({ FileId: null });
  }
  return rows.map(({ FileId }) => FileId);
}

/** Returns the names of the schemas in which the person may see an activity. */
export async function listVisibleSchemas(db: Db, scopes: ActivityScopes): Promise<string[]> {
  const query = db('Activities as A').distinct<{ Schema: string }[]>('A.Schema').orderBy('A.Schema');
  whereVisible(query, scopes);
  return (await query).map(({ Schema }) => Schema);
}
