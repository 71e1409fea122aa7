/** Checklists in the list of activities. */
import { fullName, type NameColumns } from '#server/base/full-name.ts';
import type { Holder } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ListedActivity, ListedChecklists } from '#server/features/activities/activities-service.ts';
import { createSingleFlight } from '#server/background/single-flight.ts';
import type { ChecklistListItem } from '#shared/contract/checklist-list.ts';
import { permissions, type ChecklistAccess } from '#server/access/checklist-access.ts';
import {
  listAllMembers,
  listChecklists,
  listOwnNewest,
  type ListedRow,
  type NewestRun,
} from './checklist-list-repository.ts';

export interface ChecklistList {
  /** Returns the checklists that the person may see, as of a moment after the call. @param activities all activities */
  of(person: Holder, activities: () => Promise<{ rows: readonly ListedActivity[] }>): Promise<ListedChecklists>;
}

const NONE: ListedChecklists = { Schemas: [], Checklists: [] };

export function createChecklistList(database: Database, access: ChecklistAccess): ChecklistList {
  const { knex, dialect } = database;
  const all = createSingleFlight(() => listChecklists(knex, dialect));
  let members: { key: string; byChecklist: Promise<Map<number, number[]>> } | undefined;

  /** Reads the activities of all checklists again only if a checklist was created or changed. */
  function membersOf(rows: readonly ListedRow[]): Promise<Map<number, number[]>> {
    const key = rows
      .map(({ Id, Revision }) => `${Id}.${Revision}`)
      .sort()
      .join();
    if (members?.key === key) return members.byChecklist;
    const reading = { key, byChecklist: listAllMembers(knex).then(byChecklist) };
    members = reading;
    reading.byChecklist.catch(() => {
      if (members === reading) members = undefined;
    });
    return reading.byChecklist;
  }

  return {
    of: async (person, activities) => {
      const [rows, { rows: known }] = await Promise.all([all(), activities()]);
      if (rows.length === 0) return NONE;
      const [scopes, ids] = await Promise.all([access.scopes(person), membersOf(rows)]);
      const byId = new Map(known.map((activity) => [activity.Id, activity]));
      const visible = rows.flatMap((row) => {
        const found = (ids.get(row.Id) ?? []).flatMap((id) => byId.get(id) ?? []);
        const may = permissions(row, found, scopes);
        return may.isVisible ? [{ row, may }] : [];
      });
      const seesAll = visible.every(({ may }) => may.CanViewRuns);
      const own = seesAll ? null : await listOwnNewest(knex, dialect, person.UserId);
      const schemas = new Map(
        visible.map(({ row: { Schema: Name, SchemaDisplayName: DisplayName, SchemaOrder: Order } }) => [
          Name,
          { Name, DisplayName, Order },
        ]),
      );
      return {
        Schemas: [...schemas.values()],
        Checklists: visible.map(({ row, may }) => itemOf(row, may, may.CanViewRuns ? row : own?.get(row.Id))),
      };
    },
  };
}

function byChecklist(rows: readonly { ChecklistId: number; ActivityId: number }[]): Map<number, number[]> {
  const grouped = Map.groupBy(rows, ({ ChecklistId }) => ChecklistId);
  return new Map([...grouped].map(([id, found]) => [id, found.map(({ ActivityId }) => ActivityId)]));
}

function itemOf(
  { Id, Name, Description, Schema, Group, Order, WorkflowVersion }: ListedRow,
  { CanEdit, CanRun }: ReturnType<typeof permissions>,
  run: (NewestRun & NameColumns) | undefined,
): ChecklistListItem {
  const IsWorkflow = WorkflowVersion !== null;
  return {
    Id,
    Name,
    Description,
    Schema,
    Group,
    Order,
    CanEdit,
    CanRun,
    IsWorkflow,
    LastRunId: run?.RunId ?? null,
    IsLastRunWorkflow: (run?.RunWorkflowVersion ?? null) !== null,
    LastRunQueueTime: run?.RunQueueTime?.toISOString() ?? null,
    LastRunStatus: run?.RunStatus ?? null,
    LastRunUserFullName: run?.RunStatus ? fullName(run) : null,
  };
}
