import type { Db } from '#server/db/dialect/types.ts';
import type { ActivitiesRow } from '#server/db/tables.ts';
import { ON_ACTIVITY, type ActivityScopes } from '#server/access/activity-scopes.ts';
import { whereInScope } from '#server/access/rights/right-scope.ts';

export type FoundActivity = Pick<
  ActivitiesRow,
  'Id' | 'Name' | 'Description' | 'Schema' | 'Group' | 'Version' | 'ForAssistants'
>;

/** More activities than any portal has. */
const MAX_ACTIVITIES = 20_000;

/** Returns the active activities that a person may run, by schema and name. */
export async function listRunnable(db: Db, { run }: Pick<ActivityScopes, 'run'>): Promise<FoundActivity[]> {
  const query = db('Activities as A')
    .where('A.IsActive', true)
    .orderBy(['A.Schema', 'A.Name', 'A.Id'])
    .limit(MAX_ACTIVITIES)
    .select<FoundActivity[]>('A.Id', 'A.Name', 'A.Description', 'A.Schema', 'A.Group', 'A.Version', 'A.ForAssistants');
  void query.where((visible) => whereInScope(visible, run, ON_ACTIVITY));
  return query;
}

/** Returns those that are offered to assistants, the first `limit` by schema and name. */
export async function listOffered(
  db: Db,
  { run }: Pick<ActivityScopes, 'run'>,
  limit: number,
): Promise<Pick<FoundActivity, 'Id' | 'Name' | 'Version'>[]> {
  const query = db('Activities as A')
    .where({ 'A.IsActive': true, 'A.ForAssistants': true })
    .orderBy(['A.Schema', 'A.Name', 'A.Id'])
    .limit(limit)
    .select<Pick<FoundActivity, 'Id' | 'Name' | 'Version'>[]>('A.Id', 'A.Name', 'A.Version');
  void query.where((visible) => whereInScope(visible, run, ON_ACTIVITY));
  return query;
}

/** Returns how many active activities a person may run, and how many of them are offered to assistants. */
export async function countRunnable(
  db: Db,
  { run }: Pick<ActivityScopes, 'run'>,
): Promise<{ all: number; offered: number }> {
  const query = db('Activities as A')
    .where('A.IsActive', true)
    .groupBy('A.ForAssistants')
    .select('A.ForAssistants')
    .count<{ ForAssistants: boolean; count: number }[]>({ count: '*' });
  void query.where((visible) => whereInScope(visible, run, ON_ACTIVITY));
  const rows = await query;
  const countOf = (isOffered: boolean): number =>
    Number(rows.find(({ ForAssistants }) => ForAssistants === isOffered)?.count ?? 0);
  return { all: countOf(true) + countOf(false), offered: countOf(true) };
}

export async function isOffered(db: Db, Id: number): Promise<boolean> {
  const row = await db('Activities').where({ Id }).first('ForAssistants');
  return row?.ForAssistants === true;
}

export async function setOffered(db: Db, Id: number, ForAssistants: boolean): Promise<void> {
  await db('Activities').where({ Id }).update({ ForAssistants });
}
