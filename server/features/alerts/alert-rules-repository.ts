/** Queries for people who manage alert rules. */
import type { Db } from '#server/db/dialect/types.ts';
import { whereVisible } from '#server/access/activity-scopes.ts';
import { whereChecklistVisible, type ChecklistScopes } from '#server/access/checklist-access.ts';
import { RULE_SCOPES } from '#shared/contract/alert-rule-scopes.ts';
import type { AlertRow } from './alerts-repository.ts';
import type { Covered } from './rule-index.ts';

export async function countRules(db: Db, UserId: number): Promise<number> {
  const query = db('Alerts').where({ UserId }).whereIn('Scope', RULE_SCOPES);
  return (await query.count({ Count: '*' }).first<{ Count: number }>()).Count;
}

export async function findRule(db: Db, Id: number): Promise<AlertRow | undefined> {
  return db('Alerts').where({ Id }).whereIn('Scope', RULE_SCOPES).first();
}

/** Returns all activities, checklists and workflows that a person may see, with what rules compare. */
export async function listCoverable(db: Db, scopes: ChecklistScopes): Promise<Covered[]> {
  const activities = db('Activities as A')
    .leftJoin('ActivityVersions as W', (on) => {
      on.on('W.ActivityId', 'A.Id').on('W.Version', 'A.Version');
    })
    .orderBy('A.Name');
  whereVisible(activities, scopes);
  const rows = await activities.select<Omit<Covered, 'isWorkflow'>[]>(
    'A.Id',
    'A.Name',
    'A.Schema',
    'A.Group',
    'W.UserId as AuthorId',
  );
  const checklists = await db('Checklists as C')
    .where((visible) => whereChecklistVisible(db, visible, scopes))
    .orderBy('C.Name')
    .select<Omit<Covered, 'isWorkflow'>[]>('C.Id', 'C.Name', 'C.Schema', 'C.Group', 'C.UserId as AuthorId');
  return [
    ...rows.map((row) => ({ ...row, isWorkflow: false })),
    ...checklists.map((row) => ({ ...row, isWorkflow: true })),
  ];
}

/** Returns the names of what the firings are about, by the id of the firing. */
export async function listFiredNames(db: Db, firingIds: readonly number[]): Promise<Map<number, string>> {
  if (firingIds.length === 0) return new Map();
  const rows = await db('AlertFirings as F')
    .leftJoin('Activities as V', 'V.Id', 'F.ActivityId')
    .leftJoin('Checklists as C', 'C.Id', 'F.ChecklistId')
    .whereIn('F.Id', firingIds)
    .select<{ Id: number; Name: string }[]>('F.Id', db.raw("coalesce(??, ??, '') as ??", ['V.Name', 'C.Name', 'Name']));
  return new Map(rows.map(({ Id, Name }) => [Id, Name]));
}
