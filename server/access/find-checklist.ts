import type { Db } from '#server/db/dialect/types.ts';
import type { ActivitiesRow } from '#server/db/tables.ts';

export interface ChecklistRow {
  Id: number;
  Revision: number;
  UniqueId: string | null;
  UserId: number;
  Name: string;
  Description: string;
  Schema: string;
  Group: string;
  Order: number | null;
  /** The newest workflow version; null until the checklist was edited as a workflow. */
  WorkflowVersion: number | null;
}

export async function findChecklist(db: Db, id: number): Promise<ChecklistRow | undefined> {
  return db('Checklists').where('Id', id).first();
}

/** An activity of a checklist. */
export type MemberRow = Pick<ActivitiesRow, 'Id' | 'Name' | 'Description' | 'Type' | 'Schema' | 'Version' | 'IsActive'>;

export const MEMBER_COLUMNS = ['Id', 'Name', 'Description', 'Type', 'Schema', 'Version', 'IsActive'].map(
  (column) => `A.${column}`,
);

/** Returns the activities of a checklist in execution order. */
export async function listMembers(db: Db, checklistId: number): Promise<MemberRow[]> {
  return db('ChecklistActivities as M')
    .join('Activities as A', 'A.Id', 'M.ActivityId')
    .where('M.ChecklistId', checklistId)
    .orderBy('M.Position')
    .select<MemberRow[]>(MEMBER_COLUMNS);
}
