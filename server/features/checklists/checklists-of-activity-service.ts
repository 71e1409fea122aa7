/** Lists the checklists and workflows that use an activity. */
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ChecklistOfActivity } from '#shared/contract/activity-home.ts';
import { permissions, type ChecklistAccess } from '#server/access/checklist-access.ts';
import { listChecklistsOf, listMembersOf } from './checklists-repository.ts';

/**
 * Returns the checklists that the person may see, by name.
 * @param limit maximum number that are checked
 */
export type ChecklistsOfActivity = (
  person: Person,
  activityId: number,
  limit: number,
) => Promise<ChecklistOfActivity[]>;

export function createChecklistsOfActivity(
  { knex }: Pick<Database, 'knex'>,
  access: ChecklistAccess,
): ChecklistsOfActivity {
  return async (person, activityId, limit) => {
    const rows = await listChecklistsOf(knex, activityId, limit);
    if (rows.length === 0) return [];
    const ids = rows.map(({ Id }) => Id);
    const [scopes, members] = await Promise.all([access.scopes(person), listMembersOf(knex, ids)]);
    const byChecklist = Map.groupBy(members, ({ ChecklistId }) => ChecklistId);
    return rows.flatMap((row) => {
      const { isVisible, CanRun, CanEdit } = permissions(row, byChecklist.get(row.Id) ?? [], scopes);
      const { Id, Name, WorkflowVersion } = row;
      return isVisible ? [{ Id, Name, IsWorkflow: WorkflowVersion !== null, CanRun, CanEdit }] : [];
    });
  };
}
