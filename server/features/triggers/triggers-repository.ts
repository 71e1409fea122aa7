import type { NameColumns } from '#server/base/full-name.ts';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import { insertedId } from '#server/db/inserted-id.ts';
import type { TriggerEventRow, TriggerRow } from '#server/automation/triggers/trigger-row.ts';
import { ON_ACTIVITY } from '#server/access/activity-scopes.ts';
import type { ChecklistScopes } from '#server/access/checklist-access.ts';
import { bySchema, whereInScope } from '#server/access/rights/right-scope.ts';

/** The column with the id of what a trigger starts. */
export type OwnerColumn = 'ActivityId' | 'ChecklistId';

export type StoredTrigger = TriggerRow & NameColumns & { UserName: string; SourceName: string | null };

const NAMES = ['U.UserName', 'U.FirstName', 'U.MiddleName', 'U.LastName'];

const stored = (db: Db) =>
  db('Triggers as T')
    .join('Users as U', 'U.UserId', 'T.UserId')
    .leftJoin('Activities as SA', 'SA.Id', 'T.SourceActivityId')
    .leftJoin('Checklists as SC', 'SC.Id', 'T.SourceChecklistId')
    .select('T.*', ...NAMES)
    .select<StoredTrigger[]>(db.raw('coalesce(??, ??) as ??', ['SA.Name', 'SC.Name', 'SourceName']));

export async function listTriggersOf(db: Db, column: OwnerColumn, ownerId: number): Promise<StoredTrigger[]> {
  return stored(db).where(`T.${column}`, ownerId).orderBy('T.Id');
}

export async function findTrigger(db: Db, column: OwnerColumn, id: number): Promise<StoredTrigger | undefined> {
  return stored(db).where('T.Id', id).whereNotNull(`T.${column}`).first();
}

export async function findByAddress(db: Db, AddressKey: string): Promise<TriggerRow | undefined> {
  return db('Triggers').where({ AddressKey }).first();
}

export async function countTriggers(db: Db, column: OwnerColumn, ownerId: number): Promise<number> {
  const row = await db('Triggers').where(column, ownerId).count({ Count: '*' }).first<{ Count: number }>();
  return row.Count;
}

/** Returns the newest events of each trigger. */
export async function listEvents(db: Db, ids: readonly number[], limit: number): Promise<TriggerEventRow[]> {
  if (ids.length === 0) return [];
  const ranked = db('TriggerEvents')
    .whereIn('TriggerId', ids)
    .select('*')
    .rowNumber('Place', (over) => void over.partitionBy('TriggerId').orderBy('Id', 'desc'))
    .as('Ranked');
  return db
    .from(ranked)
    .where('Place', '<=', limit)
    .orderBy([{ column: 'TriggerId' }, { column: 'Id', order: 'desc' }])
    .select<TriggerEventRow[]>('*');
}

export type TriggerColumns = Omit<
  TriggerRow,
  'Id' | 'Revision' | 'SinceTime' | 'LookMessage' | 'StateText' | 'NextTime' | 'AddressKey' | 'EncryptedSecret'
> &
  Partial<Pick<TriggerRow, 'SinceTime' | 'StateText' | 'NextTime' | 'AddressKey' | 'EncryptedSecret' | 'LookMessage'>>;

export async function insertTrigger(db: Db, row: TriggerColumns): Promise<number> {
  return insertedId(db('Triggers').insert(row).returning('Id'));
}

export async function updateTrigger(db: Db, Id: number, row: Partial<TriggerColumns>): Promise<void> {
  await db('Triggers').where({ Id }).update(row).increment('Revision', 1);
}

export interface EntryRow extends TriggerRow, NameColumns {
  ActivityName: string | null;
  ActivitySchema: string | null;
  ChecklistName: string | null;
  ChecklistSchema: string | null;
}

export interface EntryPage {
  scopes: Pick<ChecklistScopes, 'edit' | 'editChecklist'>;
  userId: number;
  /** Part of the name of what is started; null for all. */
  name: string | null;
  before: number | null;
  limit: number;
}

/** Returns the triggers newest first. */
export async function listEntries(
  db: Db,
  dialect: Dialect,
  { scopes, userId, name, before, limit }: EntryPage,
): Promise<EntryRow[]> {
  const query = db('Triggers as T')
    .join('Users as U', 'U.UserId', 'T.UserId')
    .leftJoin('Activities as A', 'A.Id', 'T.ActivityId')
    .leftJoin('Checklists as C', 'C.Id', 'T.ChecklistId')
    .where((seen) => {
      void seen.where('T.UserId', userId);
      void seen.orWhere((edit) => whereInScope(edit.whereNotNull('A.Id'), scopes.edit, ON_ACTIVITY));
      void seen.orWhere((edit) =>
        whereInScope(edit.whereNotNull('C.Id'), bySchema(scopes.editChecklist), { Schema: 'C.Schema' }),
      );
    })
    .orderBy('T.Id', 'desc')
    .limit(limit)
    .select('T.*', ...NAMES, 'A.Name as ActivityName', 'A.Schema as ActivitySchema')
    .select<EntryRow[]>('C.Name as ChecklistName', 'C.Schema as ChecklistSchema');
  if (before !== null) void query.where('T.Id', '<', before);
  if (name !== null) {
    void query.where((part) => {
      void part.where(dialect.contains(db, 'A.Name', name)).orWhere(dialect.contains(db, 'C.Name', name));
    });
  }
  return query;
}

/** Returns, for all triggers on run ends, what they wait for and what they start. */
export async function listEnds(
  db: Db,
): Promise<Pick<TriggerRow, 'Id' | 'ActivityId' | 'ChecklistId' | 'SourceActivityId' | 'SourceChecklistId'>[]> {
  return db('Triggers')
    .where('Kind', 'Ended')
    .select('Id', 'ActivityId', 'ChecklistId', 'SourceActivityId', 'SourceChecklistId');
}
